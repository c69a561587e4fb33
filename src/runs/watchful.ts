/**
 * A run is looked at again before more is paid: its sums at every window, rate and balance every five
 * minutes (docs/rules.md 11). Rates that one process read are kept in the store for the others.
 */

import { money } from '../core/amount-words.ts';
import { add } from '../core/money.ts';
import { type Desk, note } from '../payments/desk.ts';
import { problemOf } from '../payments/problem-of.ts';
import { heldBalances, type Shortfall, shortfallsOf } from './balance.ts';
import { driftsOf, type Rates, readRates } from './estimate.ts';
import { beforePause, foundRows } from './paid-before.ts';
import { planOf } from './plan-text.ts';
import type { Spending } from './spending.ts';
import { type PayRun, type PayRuns, type RowSum, rowStates } from './store/port.ts';
import type { Pause } from './verdict.ts';

const EVERY_MS = 5 * 60_000;

export interface Watchful {
  /** Why no more may be paid now; undefined where nothing is in the way. */
  look(): Promise<Pause | undefined>;
}

export function watchful(
  desk: Desk,
  payruns: PayRuns,
  { run, tolerance, spending }: { run: PayRun; tolerance: string; spending: Pick<Spending, 'look'> },
): Watchful {
  const plan = planOf(run);
  let lookedAt: number | undefined;
  return {
    async look() {
      const sums = await payruns.sums(run.id);
      const found = await payruns.found(run.id);
      const { costs } = foundRows(
        found.filter(({ state }) => rowStates[state].open || rowStates[state].takesMoney),
        'before',
      );
      const above = spending.look(sums, costs) ?? (await beforePause(payruns, run, found));
      if (above !== undefined) return above;
      const now = desk.clock.now();
      if (lookedAt !== undefined && now - lookedAt < EVERY_MS) return undefined;
      lookedAt = now;
      const rates = await ratesNow(desk, payruns, run, Object.keys(plan.rates));
      return rates === undefined
        ? tooLittle(desk, sums)
        : (driftedFrom(plan.rates, rates, tolerance) ?? tooLittle(desk, sums));
    },
  };
}

/**
 * Returns the rates of another process where they are fresh. Rates that cannot be read now stop nothing:
 * those of before still hold.
 */
async function ratesNow(
  desk: Desk,
  payruns: PayRuns,
  run: PayRun,
  pairs: readonly string[],
): Promise<Rates | undefined> {
  if (pairs.length === 0) return undefined;
  const [kept] = await payruns.find(run.account.baseUrl, run.id);
  if (kept?.rates !== undefined && kept.ratesAt !== undefined) {
    const age = (await payruns.now()) - kept.ratesAt;
    if (age >= 0 && age < EVERY_MS) return JSON.parse(kept.rates) as Rates;
  }
  try {
    const rates = await readRates(desk, pairs);
    await payruns.keepRates(run.id, JSON.stringify(rates));
    return rates;
  } catch (error) {
    const { category, message } = problemOf(error).facts;
    if (category !== 'network' && category !== 'server') throw error;
    note(desk, `the rates could not be read (${message}): asked again in five minutes`);
    return undefined;
  }
}

export const roundPercent = (share: string): string => `${Number((Number(share) * 100).toPrecision(3))} %`;

function driftedFrom(planned: Rates, now: Rates, tolerance: string): Pause | undefined {
  const [drift] = driftsOf(planned, now, tolerance);
  if (drift === undefined) return undefined;
  return {
    code: 'rate',
    why: `the rate from ${drift.pair.replace(' ', ' to ')} is ${drift.now} now, and ${drift.planned} when it was planned: ${roundPercent(drift.by)} away, more than ${roundPercent(tolerance)}`,
  };
}

/** Returns the expected costs of the rest, by input currency. */
export function stillNeeded(sums: readonly RowSum[]): Record<string, string> {
  const needed: Record<string, string> = {};
  for (const { state, inputCurrency, estimate } of sums)
    if (state === 'planned') needed[inputCurrency] = add(needed[inputCurrency] ?? '0', estimate);
  return needed;
}

async function tooLittle(desk: Desk, sums: readonly RowSum[]): Promise<Pause | undefined> {
  const needed = stillNeeded(sums);
  if (Object.keys(needed).length === 0) return undefined;
  const short = shortfallsOf(await heldBalances(desk), needed);
  return short.length === 0 ? undefined : { code: 'balance', why: short.map(shortfallWords).join('; ') };
}

export const shortfallWords = ({ currency, held, needed, missing }: Shortfall): string =>
  `the balance is ${money(held, currency)}, the rest of the run needs ${money(needed, currency)}: ${money(missing, currency)} is missing`;
