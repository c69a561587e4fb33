/**
 * The ceiling of a profile by day (`max_per_day`, decision 0003): in any 24 hours the gate lets through at most that much in each currency, as the
 * journal's file on this machine has it (`payments/store/daily-allowance-port.ts`).
 *
 * If the process dies after an amount was counted, it is counted though perhaps nothing was sent: less is let through then, and never more.
 */

import { money } from '../core/amount-words.ts';
import { add, gt, sub } from '../core/money.ts';
import { hint } from '../core/next.ts';
import { type Problem, unsent } from '../core/problem.ts';
import { minuteIn } from '../core/zone.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Desk } from './desk.ts';
import { type Amount, changing, ownOf, refuseByLimits } from './limits.ts';
import { problemOf } from './problem-of.ts';
import { createDailyAllowance } from './store/daily-allowance.ts';
import { CEILING_MS, type CountedPayment, type DayAmount } from './store/daily-allowance-port.ts';

/** The part of a write permit that says what was counted for it; undefined where the profile has no ceiling by day. */
export interface CountedPayments {
  countId?: string | undefined;
}

/** Returns the refusal where the day has no room for these, before anybody is asked; counts nothing. */
export async function dayRefusal(
  desk: Desk,
  { name: profile, limits }: Connection,
  amounts: readonly Amount[],
): Promise<Problem | undefined> {
  const { max_per_day: most } = limits;
  const payments = most === undefined ? [] : paymentsIn(amounts, 'not counted yet');
  if (most === undefined || payments.length === 0) return undefined;
  const allowance = (await desk.store()).part(createDailyAllowance);
  const lately = await allowance.usesWith({ profile, payments });
  return beyondDay(desk, { profile, most, lately, payments });
}

/**
 * Counts the amounts in one step with the question whether the day has room, and returns the id of what was counted; undefined where the profile
 * has no ceiling by day. @throws Problem (usage), and nothing is counted
 */
export async function countForDay(
  desk: Desk,
  account: Connection,
  amounts: readonly Amount[],
): Promise<string | undefined> {
  const { max_per_day: most } = account.limits;
  if (most === undefined) return undefined;
  const countId = desk.newId();
  await count(desk, { countId, profile: account.name, most, payments: paymentsIn(amounts, countId) });
  return countId;
}

/**
 * Before a debit: the amount that it really has. The larger of this and of what was counted before stays counted.
 * @param names of the payment; what was counted under another of them has the first from now on
 * @throws Problem (usage), not applied, where the day has no room for it
 */
export async function countAgain(desk: Desk, { countId }: CountedPayments, amount: Amount): Promise<void> {
  if (countId === undefined) return;
  const account = await desk.connection();
  const { max_per_day: most } = account.limits;
  if (most === undefined) return;
  refuseByLimits(account, [amount]);
  const again = { ...amount, names: [...(amount.names ?? []), countId] };
  await count(desk, { countId, profile: account.name, most, payments: paymentsIn([again], countId) });
}

interface Counting {
  countId: string;
  profile: string;
  most: Readonly<Record<string, string>>;
  payments: readonly CountedPayment[];
}

async function count(desk: Desk, { countId: id, profile, most, payments }: Counting): Promise<void> {
  if (payments.length === 0) return;
  const allowance = (await desk.store()).part(createDailyAllowance);
  const refusal = await allowance.add({ id, profile, payments }, (lately) =>
    beyondDay(desk, { profile, most, lately, payments }),
  );
  if (refusal !== undefined) throw refusal;
}

/** Does a write of a payment that was counted; where the write provably was not applied, the day gets the amount back. */
export async function releaseOnFailure<T>(
  desk: Desk,
  counted: CountedPayments,
  { names, work }: { names?: readonly string[]; work(): Promise<T> },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (problemOf(error).facts.outcome === 'not applied') await releaseForDay(desk, counted, names);
    throw error;
  }
}

/** For what provably was not applied, and never for what is unknown. */
export async function releaseForDay(
  desk: Desk,
  { countId }: CountedPayments,
  names?: readonly string[],
): Promise<void> {
  if (countId === undefined) return;
  const allowance = (await desk.store()).part(createDailyAllowance);
  await allowance.release(countId, names);
}

/** Returns a line for each currency with a ceiling by day, such as `5.01 EUR of 20.00 EUR are left of the last 24 hours (max_per_day)`. */
export async function dayLines(desk: Desk, only?: string): Promise<string[]> {
  const { name: profile, limits } = await desk.connection();
  const { max_per_day: most } = limits;
  if (most === undefined) return [];
  const allowance = (await desk.store()).part(createDailyAllowance);
  const lately = await allowance.usesWith({ profile, payments: [] });
  return Object.entries(most)
    .filter(([currency]) => only === undefined || currency === only)
    .map(
      ([currency, limit]) =>
        `${money(leftOf(limit, inCurrency(lately, currency)), currency)} of ${money(limit, currency)} are left for these 24 hours (max_per_day)`,
    );
}

/** One payment for each name and currency. Amounts without a name count under the countId's own. */
function paymentsIn(amounts: readonly Amount[], countId: string): CountedPayment[] {
  const payments = new Map<string, CountedPayment>();
  for (const { amount, currency, names: given = [], isLater } of amounts) {
    if (isLater || !amount || !currency) continue;
    const [first = countId, ...others] = given;
    const key = JSON.stringify([first, currency]);
    const before = payments.get(key);
    payments.set(key, { names: [first, ...others], currency, amount: add(before?.amount ?? '0', amount) });
  }
  return [...payments.values()];
}

const inCurrency = (lately: readonly DayAmount[], currency: string): DayAmount[] =>
  lately.filter((one) => one.currency === currency);

const sumOf = (counted: readonly Pick<DayAmount, 'amount'>[]): string =>
  counted.reduce((sum, { amount }) => add(sum, amount), '0');

function leftOf(limit: string, counted: readonly DayAmount[]): string {
  const sum = sumOf(counted);
  return gt(sum, limit) ? '0' : sub(limit, sum);
}

const MINUTE_MS = 60_000;

interface Day {
  profile: string;
  most: Readonly<Record<string, string>>;
  lately: readonly DayAmount[];
  payments: readonly CountedPayment[];
}

/** Returns the refusal where the last 24 hours, these payments among them, come to more than the ceiling. */
function beyondDay(desk: Pick<Desk, 'zone'>, { profile, most, lately, payments }: Day): Problem | undefined {
  for (const currency of new Set(payments.map((one) => one.currency))) {
    const limit = ownOf(most, currency) ?? '0';
    const counted = inCurrency(lately, currency);
    if (!gt(sumOf(counted), limit)) continue;
    const asked = new Set(payments.map(({ names: [name] }) => name));
    const ours = counted.filter(({ name }) => asked.has(name));
    const others = counted.filter(({ name }) => !asked.has(name));
    const left = money(leftOf(limit, others), currency);
    const at = roomAt(limit, others, sumOf(ours));
    const when =
      at === undefined
        ? ''
        : `there is room for it from ${minuteIn(Math.ceil(at / MINUTE_MS) * MINUTE_MS, desk.zone)}; `;
    return unsent(
      'usage',
      'max_per_day',
      `${money(sumOf(ours), currency)} is refused: profile "${profile}" allows at most ${money(limit, currency)} in 24 hours, and ${left} of it is left (max_per_day)`,
      hint`${when}if it is meant: ${changing(profile, 'max_per_day')}`,
    );
  }
  return undefined;
}

/** Returns when the oldest of the others, one after the other, have made room for an amount; undefined where they never do. */
function roomAt(limit: string, others: readonly DayAmount[], amount: string): number | undefined {
  for (let gone = 1; gone <= others.length; gone += 1)
    if (!gt(add(sumOf(others.slice(gone)), amount), limit)) return (others[gone - 1]?.at ?? 0) + CEILING_MS;
  return undefined;
}
