/**
 * The limit of a run, looked at before each row (docs/rules.md 13): the totals that were approved with their tolerance, and the lower limits
 * beside them. A row is one call that takes the rate of its moment. So rows that are on their way count double, and a row that could go
 * beyond the limit by a rate twice as bad is sent alone, after its price was asked.
 *
 * If the process dies, what it sent stands in the sums: a row that is sending counts by its estimate, until it is settled.
 */
import { ApiError, isCallError } from '../client/errors.ts';
import { lowerLimit } from '../client/limit.ts';
import { money } from '../core/amount-words.ts';
import { decimalsOf } from '../core/currency.ts';
import { add, type Decimal, fromMinorUnits, gt, mul, round, sub } from '../core/money.ts';
import { Problem } from '../core/problem.ts';
import { calculate } from '../payments/calculate.ts';
import { countAgain } from '../payments/day-ceiling.ts';
import type { Desk } from '../payments/desk.ts';
import type { WritePermit } from '../payments/gate.ts';
import { ownOf } from '../payments/limits.ts';
import { CEILING_MS, runName } from '../payments/store/daily-allowance-port.ts';
import { percentOf, RATE_TOLERANCE } from '../profiles/rate-tolerance.ts';
import type { ProfileLimits } from '../profiles/schema.ts';
import { arrivingIn, rowCosts } from './estimate.ts';
import type { Plan } from './plan-text.ts';
import { askedOf } from './row-payment.ts';
import { type PayRow, type PayRun, type PayRuns, type RowSum, rowStates } from './store/port.ts';
import type { Pause } from './verdict.ts';

type Amounts = Readonly<Record<string, Decimal>>;

/** The lowest of what was planned, what the profile that pays allows, and what the payer says. */
export function toleranceOf(
  { tolerance }: Pick<Plan, 'tolerance'>,
  { max_rate_tolerance: most = RATE_TOLERANCE }: ProfileLimits,
  said?: Decimal,
): Decimal {
  return [percentOf(most), said].reduce<Decimal>((low, one) => lowerLimit(low, one) ?? low, tolerance);
}

/**
 * The most that a run may cost, by input currency: what was planned with its tolerance, and a minor unit for each row, since each price is
 * rounded by itself. A currency that no total names is not in it, and is not paid.
 */
export function mostOf(
  { totals, ceilings }: Pick<Plan, 'totals' | 'ceilings'>,
  { tolerance, limits = {} }: { tolerance: Decimal; limits?: ProfileLimits },
): Amounts {
  return Object.fromEntries(
    Object.entries(rowCosts(totals)).map(([currency, total]) => {
      const decimals = decimalsOf(currency);
      const rows = totals.reduce((all, one) => all + (one.inputCurrency === currency ? one.rows : 0), 0);
      const exact = round(mul(total, add('1', tolerance)), decimals, 'down');
      const within = add(exact, fromMinorUnits(BigInt(rows), decimals));
      const most = lowerLimit(ceilings[currency], ownOf(limits.max_amount, currency));
      return [currency, lowerLimit(within, most) ?? within];
    }),
  );
}

function sumOf(
  sums: readonly RowSum[],
  costOf: (sum: RowSum) => Decimal | undefined,
  before: Amounts,
): Record<string, Decimal> {
  const total: Record<string, Decimal> = {};
  for (const one of sums) total[one.inputCurrency] = add(total[one.inputCurrency] ?? '0', costOf(one) ?? '0');
  for (const currency of Object.keys(total))
    total[currency] = sub(total[currency] ?? '0', before[currency] ?? '0');
  return total;
}

/** Returns what is paid, and what the rest should cost. */
const projected = (sums: readonly RowSum[], before: Amounts): Record<string, Decimal> =>
  sumOf(
    sums,
    ({ state, cost, estimate }) =>
      rowStates[state].open ? estimate : rowStates[state].takesMoney ? cost : undefined,
    before,
  );

/** Returns what is paid, or may be. */
const spent = (sums: readonly RowSum[], before: Amounts): Record<string, Decimal> =>
  sumOf(
    sums,
    ({ state, cost, estimate }) =>
      rowStates[state].unsure ? estimate : rowStates[state].takesMoney ? cost : undefined,
    before,
  );

/** @param before what rows cost that were paid before the run: it is none of the run's */
export function overMost(sums: readonly RowSum[], most: Amounts, before: Amounts): Pause | undefined {
  for (const [currency, amount] of Object.entries(projected(sums, before))) {
    const limit = most[currency] ?? '0';
    if (gt(amount, limit))
      return {
        code: 'ceiling',
        why: `paid and still to be paid come to ${money(amount, currency)}, ${money(sub(amount, limit), currency)} more than the limit of ${money(limit, currency)}`,
      };
  }
  return undefined;
}

/** A row whose cost no rate changes. */
const isExact = ({ type, currency, inputCurrency }: PayRow): boolean =>
  [currency, arrivingIn(type)].includes(inputCurrency);

const worstOf = (row: PayRow): Decimal => (isExact(row) ? row.estimate : mul(row.estimate, '2'));

export class Spending {
  readonly #desk: Desk;
  readonly #payruns: PayRuns;
  readonly #run: PayRun;
  readonly #permit: WritePermit | 'look';
  readonly #most: Amounts;
  /** Rows of this process that are on their way. */
  readonly #open = new Map<number, PayRow>();
  #waiting: (() => void)[] = [];
  #atFirst: { all: Amounts; rest: Amounts } | undefined;
  /** The amounts that were counted for the day since the gate counted. */
  readonly #counted: Record<string, Decimal> = {};
  #before: Amounts = {};

  constructor(
    desk: Desk,
    payruns: PayRuns,
    { run, permit, most }: { run: PayRun; permit: WritePermit | 'look'; most: Amounts },
  ) {
    this.#desk = desk;
    this.#payruns = payruns;
    this.#run = run;
    this.#permit = permit;
    this.#most = most;
  }

  /** Looks at the whole. @param before what rows cost that were paid before the run */
  look(sums: readonly RowSum[], before: Amounts): Pause | undefined {
    this.#before = before;
    return overMost(sums, this.#most, before);
  }

  /** Resolves when the row may be sent; with a pause where it may not. Then `leave` follows. */
  async enter(row: PayRow): Promise<Pause | undefined> {
    for (;;) {
      const sums = await this.#payruns.sums(this.#run.id);
      const pause = overMost(sums, this.#most, this.#before) ?? (await this.#overDay(sums));
      if (pause !== undefined) return pause;
      const paid = spent(sums, this.#before)[row.inputCurrency] ?? '0';
      const isAlone = this.#open.size === 0;
      if (!this.#fits(row, paid) && !isAlone) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      const isPriced = !this.#fits(row, paid);
      this.#open.set(row.n, row);
      return isPriced ? this.#overPrice(row, paid) : undefined;
    }
  }

  leave(row: PayRow): void {
    this.#open.delete(row.n);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #fits(row: PayRow, paid: Decimal): boolean {
    const { inputCurrency } = row;
    const open = [...this.#open.values(), row].filter((one) => one.inputCurrency === inputCurrency);
    const worst = open.reduce((all, one) => add(all, worstOf(one)), paid);
    return !gt(worst, this.#most[inputCurrency] ?? '0');
  }

  async #overPrice(row: PayRow, paid: Decimal): Promise<Pause | undefined> {
    const { key, inputCurrency, estimate } = row;
    try {
      const { input_amount: price } = await calculate(this.#desk, askedOf(row).transaction);
      if (price == null) return { code: 'rate', why: `what row ${key} costs now cannot be read` };
      const most = this.#most[inputCurrency] ?? '0';
      if (!gt(add(paid, price), most)) return undefined;
      return {
        code: 'rate',
        why: `row ${key} costs ${money(price, inputCurrency)} now, and ${money(estimate, inputCurrency)} was planned: with what is paid it comes to more than the limit of ${money(most, inputCurrency)}`,
      };
    } catch (error) {
      if (!isCallError(error)) throw error;
      // What the service refuses to calculate it refuses to pay, and says why.
      if (error instanceof ApiError && [400, 422].includes(error.status)) return undefined;
      return { code: 'service', why: `what row ${key} costs now could not be asked: ${error.message}` };
    }
  }

  /**
   * The gate counted the rest of the run for the day, by its plan. What its rows cost beyond that is counted as it becomes known, and what a run
   * of today paid before this process began.
   */
  async #overDay(sums: readonly RowSum[]): Promise<Pause | undefined> {
    if (this.#permit === 'look') return undefined;
    const all = projected(sums, this.#before);
    const open = sumOf(sums, ({ state, estimate }) => (rowStates[state].open ? estimate : undefined), {});
    this.#atFirst ??= { all, rest: open };
    const { all: first, rest } = this.#atFirst;
    const isOfToday = this.#desk.clock.now() - this.#run.createdAt < CEILING_MS;
    for (const [currency, amount] of Object.entries(all)) {
      const restOf = rest[currency] ?? '0';
      const wanted = isOfToday ? amount : add(restOf, sub(amount, first[currency] ?? '0'));
      if (!gt(wanted, this.#counted[currency] ?? restOf)) continue;
      try {
        const names = [runName(this.#run.id)];
        await countAgain(this.#desk, this.#permit, { amount: wanted, currency, names });
        this.#counted[currency] = wanted;
      } catch (error) {
        if (!(error instanceof Problem) || error.facts.category !== 'usage') throw error;
        return { code: 'ceiling', why: error.facts.message };
      }
    }
    return undefined;
  }
}
