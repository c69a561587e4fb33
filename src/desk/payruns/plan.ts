/**
 * A plan is data (docs/pay-runs.md): the rows of a file as they will be sent, what they come to by currency and corridor, the
 * rates of the moment, ceilings, and a digest over all of that. Nothing is sent by it.
 *
 * If the process dies while a plan is made: a draft stays that nobody sees; the next plan of that name removes it.
 */
import { createHash } from 'node:crypto';
import { decimalsOf } from '../../core/currency.ts';
import { invariant } from '../../core/invariants.ts';
import { type Decimal, fromMinorUnits, gt, minorUnits } from '../../core/money.ts';
import { said } from '../../core/next.ts';
import type { Draft, NewRow, PayRun, PayRuns, Repeated } from '../../core/ports/payruns.ts';
import { Problem, usage } from '../../core/problem.ts';
import { keyLast4, keyPrint } from '../../profiles/connection.ts';
import type { Desk } from '../desk.ts';
import { money } from '../words/amount.ts';
import { balancesOf } from './balance.ts';
import { arrivingIn, arrivingOf, costsOf, estimateOf, pairOf, type Rates, readRates } from './estimate.ts';
import type { Checked } from './files/check.ts';
import { type Payment, print } from './files/payment.ts';
import type { Fault } from './files/row.ts';
import { nameTaken, refuseOtherLimits } from './known-run.ts';

export interface PlanTotal {
  type: string;
  currency: string;
  inputCurrency: string;
  rows: number;
  amount: Decimal;
  estimate: Decimal;
}

/** As it is kept and hashed: members in this order, no others. */
export interface Plan {
  version: 1;
  /** SHA-256 over the content of the rows, in the order of the file. */
  rows: string;
  totals: PlanTotal[];
  rates: Rates;
  /** The most that the run may cost, by input currency. */
  ceilings: Readonly<Record<string, Decimal>>;
  /** A row may cost so much more than its estimate, as a share; beyond it the run pauses. So it is with a rate. */
  tolerance: Decimal;
  /** Rows that pay the same account the same amount as a run of the last 35 days: how many, and the first of them. */
  repeated: Repeated;
  /** A hash of the key that planned it. */
  planner?: string;
  /** Another key approves it than the one that planned it: the rule of the profile when it was planned. */
  twoPerson?: true;
}

export interface PlanWish {
  name: string;
  rows: AsyncIterable<Checked>;
  maxInput: Readonly<Record<string, Decimal>>;
  tolerance: Decimal;
  /** Asked where no ceiling is given for a currency. @throws where nobody can be asked */
  askCeiling: (totals: readonly PlanTotal[]) => Promise<Readonly<Record<string, Decimal>>>;
}

export interface Planned {
  run: PayRun;
  plan: Plan;
  /** It was planned before, with the same rows. */
  stood: boolean;
  /** Amounts that the service rounds. */
  roundings: string[];
  balances: readonly { currency: string; before: Decimal | null; after: Decimal | null }[];
}

export type PlanEnd =
  | { kind: 'planned'; planned: Planned }
  | { kind: 'faults'; faults: Fault[]; rows: number };

/** So long a payment to the same account with the same amount is worth a warning. */
const REPEATED_MS = 35 * 24 * 3_600_000;
const MOST_FAULTS = 10_000;
const WINDOW = 200;
/** A name goes into the external ids of its rows. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const externalIdOf = (name: string, key: string): string => `${name}:${key}`;

/** @throws Problem where the name is taken by other rows, or where the service cannot be asked */
export async function planRun(desk: Desk, payruns: PayRuns, wish: PlanWish): Promise<PlanEnd> {
  if (!NAME.test(wish.name))
    throw usage(
      `"${wish.name}" is no name for a run`,
      'letters, digits, dot, dash and underscore, at most 64: such as wages-2026-11',
    );
  const { baseUrl, environment, name: profile, credentials } = await desk.connection();
  const draft = await payruns.draft({
    name: wish.name,
    account: { baseUrl, environment, profile, keyLast4: keyLast4(credentials.key) },
    maker: desk.by.user,
    windowSize: WINDOW,
  });
  try {
    return await fill(desk, draft, wish);
  } catch (error) {
    await draft.discard().catch(() => {});
    throw error;
  }
}

async function fill(desk: Desk, draft: Draft, wish: PlanWish): Promise<PlanEnd> {
  const filling = new Filling(desk, wish);
  for await (const { payments, faults } of wish.rows) {
    filling.faulty(faults);
    const rows = await filling.rowsOf(payments);
    if (filling.faults.length === 0 && rows.length > 0) await draft.append(rows);
  }
  if (filling.faults.length > 0) {
    await draft.discard();
    return { kind: 'faults', faults: filling.faults.slice(0, MOST_FAULTS), rows: filling.count };
  }
  const totals = filling.totals();
  if (totals.length === 0) throw usage('the file has no rows', 'a header alone pays nobody: fill it in');
  const { baseUrl, credentials, limits } = await desk.connection();
  const repeated = await draft.repeated(desk.clock.now() - REPEATED_MS);
  const ceilings = await ceilingsOf(wish, totals);
  const plan: Plan = {
    version: 1,
    rows: filling.content(),
    totals,
    rates: filling.rates,
    ceilings,
    tolerance: wish.tolerance,
    repeated,
    planner: keyPrint(credentials.key),
    ...(limits.two_person && { twoPerson: true }),
  };
  const ended = await draft.finish({
    digest: digestOf(plan, baseUrl, wish.name),
    plan: JSON.stringify(plan),
  });
  if (ended.kind === 'stands' && ended.differs.length > 0) throw nameTaken(ended.run, ended.differs);
  const kept = planOf(ended.run);
  if (ended.kind === 'stands') refuseOtherLimits(ended.run, kept, plan);
  return {
    kind: 'planned',
    planned: {
      run: ended.run,
      plan: kept,
      stood: ended.kind === 'stands',
      roundings: filling.roundings,
      balances: await balancesOf(desk, kept.totals),
    },
  };
}

export function planOf(run: Pick<PayRun, 'plan'>): Plan {
  const plan = JSON.parse(run.plan) as Plan;
  invariant(plan.version === 1, 'the plan is one that this version reads');
  return plan;
}

/** What an approver names: over everything that decides who gets how much, and at what price at most. */
function digestOf(plan: Plan, baseUrl: string, name: string): string {
  const rates = Object.entries(plan.rates).sort(([a], [b]) => (a < b ? -1 : 1));
  const ceilings = Object.entries(plan.ceilings).sort(([a], [b]) => (a < b ? -1 : 1));
  const rule = [plan.planner, plan.twoPerson === true];
  const what = [1, baseUrl, name, plan.rows, plan.totals, rates, ceilings, plan.tolerance, ...rule];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

async function ceilingsOf(
  { maxInput, askCeiling }: PlanWish,
  totals: readonly PlanTotal[],
): Promise<Readonly<Record<string, Decimal>>> {
  const costs = costsOf(totals);
  const open = totals.filter(({ inputCurrency }) => maxInput[inputCurrency] === undefined);
  const ceilings = { ...maxInput, ...(open.length > 0 ? await askCeiling(open) : {}) };
  for (const [currency, cost] of Object.entries(costs)) {
    const most = ceilings[currency];
    if (most === undefined)
      throw usage(
        `no limit is given for ${currency}`,
        said`${{ give: 'max_input', value: `${currency}=${cost}` }}`,
      );
    if (gt(cost, most))
      throw new Problem({
        category: 'check',
        code: 'above_max_input',
        message: `it would cost ${money(cost, currency)} by the rates of now, more than the limit of ${money(most, currency)}`,
        hint: 'raise the limit, or pay less',
        outcome: 'not applied',
        outcomeNote: 'nothing was kept, and nothing was sent',
      });
  }
  const needed = Object.keys(costs).map((currency) => [currency, ceilings[currency] as Decimal] as const);
  return Object.fromEntries(needed);
}

/** Rows as they come: senders and rates are asked for once each, and what they come to is added up. */
class Filling {
  readonly faults: Fault[] = [];
  readonly roundings: string[] = [];
  rates: Rates = {};
  count = 0;
  readonly #desk: Desk;
  readonly #wish: PlanWish;
  readonly #hash = createHash('sha256');
  readonly #totals = new Map<
    string,
    Omit<PlanTotal, 'amount' | 'estimate'> & Record<'amount' | 'estimate', bigint>
  >();

  constructor(desk: Desk, wish: PlanWish) {
    this.#desk = desk;
    this.#wish = wish;
  }

  faulty(faults: readonly Fault[]): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(...faults);
  }

  async rowsOf(payments: readonly Payment[]): Promise<NewRow[]> {
    await this.#learn(payments);
    return payments.map((payment) => {
      this.count += 1;
      if (this.roundings.length < 100) this.roundings.push(...payment.roundings);
      return this.#row(payment);
    });
  }

  async #learn(payments: readonly Payment[]): Promise<void> {
    const pairs = new Set<string>();
    for (const { inputCurrency, type } of payments) {
      const to = arrivingIn(type);
      const pair = pairOf(inputCurrency, to);
      if (inputCurrency !== to && this.rates[pair] === undefined) pairs.add(pair);
    }
    if (pairs.size > 0) this.rates = { ...this.rates, ...(await readRates(this.#desk, pairs)) };
  }

  #row(payment: Payment): NewRow {
    const { n, key, type, amount, currency, inputCurrency, account } = payment;
    // As it arrives: the service rounds it, and what it says of the row is compared with this.
    const arriving = arrivingIn(type) === currency ? arrivingOf(currency, amount) : amount;
    const priced = { type, amount: arriving, currency, inputCurrency };
    const estimate = estimateOf(priced, this.rates);
    const body = JSON.stringify(payment.body);
    // The key is not in it: a run tells its rows apart by that already.
    const content = print(`[${JSON.stringify(payment.externalId ?? null)},${body}]`);
    this.#hash.update(`${key}\n${content}\n`);
    this.#add(priced, estimate);
    const externalId = payment.externalId ?? externalIdOf(this.#wish.name, key);
    // Written out: a spread here took a third of the time of a plan.
    return {
      type,
      amount: arriving,
      currency,
      inputCurrency,
      n,
      key,
      externalId,
      estimate,
      content,
      account: Number.parseInt(account.slice(0, 13), 16),
      body,
    };
  }

  #add(
    { type, amount, currency, inputCurrency }: Omit<PlanTotal, 'rows' | 'estimate'>,
    estimate: Decimal,
  ): void {
    const name = `${type} ${currency} ${inputCurrency}`;
    const total = this.#totals.get(name);
    const minor = minorUnits(amount, decimalsOf(currency));
    const cost = minorUnits(estimate, decimalsOf(inputCurrency));
    if (total === undefined)
      this.#totals.set(name, { type, currency, inputCurrency, rows: 1, amount: minor, estimate: cost });
    else {
      total.rows += 1;
      total.amount += minor;
      total.estimate += cost;
    }
  }

  totals(): PlanTotal[] {
    const sorted = [...this.#totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, total]) => ({
      ...total,
      amount: fromMinorUnits(total.amount, decimalsOf(total.currency)),
      estimate: fromMinorUnits(total.estimate, decimalsOf(total.inputCurrency)),
    }));
  }

  content(): string {
    return this.#hash.digest('hex');
  }
}
