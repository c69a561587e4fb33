/**
 * A plan as it is kept beside its rows, and the digest that stands for it (docs/pay-runs.md): hashes of the rows as they will be sent,
 * window by window, and everything else that decides who gets how much, at what price at most, and who must agree to it.
 */
import { createHash, hash } from 'node:crypto';
import { decimalsOf } from '../core/currency.ts';
import { invariant } from '../core/invariants.ts';
import { type Decimal, minorUnits } from '../core/money.ts';
import type { Rates } from './estimate.ts';
import { print } from './files/payment.ts';
import type { Approval, NewRow, Payees, PayRun, Repeated } from './store/port.ts';

export interface PlanTotal {
  type: string;
  currency: string;
  inputCurrency: string;
  rows: number;
  amount: Decimal;
  estimate: Decimal;
}

/** The plan as it is kept and hashed: members in this order, no others. */
export interface Plan {
  version: 1;
  /** A hash of the rows of each window, in the order of the file. An earlier version kept none. */
  windows?: string[];
  totals: PlanTotal[];
  rates: Rates;
  /** The most that the run may cost, by input currency. */
  ceilings: Readonly<Record<string, Decimal>>;
  /** A row may cost so much more than its estimate, as a share; beyond it the run pauses. So it is with a rate. */
  tolerance: Decimal;
  /** The moment before which no row is sent; not there where it may be paid at once. */
  notBefore?: NotBefore;
  /** When it was planned, as the service had it, in milliseconds since 1970; not there where it did not say. The digest does not cover it. */
  at?: number;
  /** Rows that were paid before this was planned: not in the totals, and never sent. */
  before?: FoundRows;
  /** Rows that were paid elsewhere under the ids of this run. In the totals. */
  elsewhere?: FoundRows;
  /** The service was not asked which rows are paid already. */
  unasked?: true;
  /** Rows that pay the same account the same amount as a run of the last 35 days: how many, and the first of them. */
  repeated: Repeated;
  /** Not there for a plan of an earlier version, or one that did not ask the service. */
  alike?: PlannedAlike;
  /** Rows that were corrected after it was planned, in the order in which that was done. */
  fixes?: FixedRow[];
  /** Not there for a plan of an earlier version. */
  payees?: PlannedPayees;
  /** A hash of the key that planned it. */
  planner?: string;
  /** Another key approves it than the one that planned it: the rule of the profile when it was planned. */
  twoPerson?: true;
}

/** Rows that pay what a payment of the last days paid, made by no run of this store: a user said that they are paid again. */
export interface PlannedAlike {
  rows: number;
  first: readonly { key: string; id: string }[];
  /** Names what was not looked through. */
  unread?: readonly string[];
}

/** Tells who corrected a row, when, and which payout details: never what they read. */
export interface FixedRow extends Approval {
  n: number;
  key: string;
  set: readonly string[];
}

/** A moment in milliseconds since 1970, and the zone in which it was given. */
export interface NotBefore {
  at: number;
  zone: string;
}

/** Payees beside what was paid before, in numbers and keys. */
export interface PlannedPayees extends Pick<Payees, 'changed'> {
  /** Rows whose payee was never paid. */
  first: number;
  /** Rows of more than three times the median, and the keys of some. */
  above: number;
  aboveRows: readonly string[];
  /** These two count as the changed ones do. */
  isStrict?: true;
  /** The first ones that were not looked for in the books, since there were too many. */
  unasked: number;
}

/** Returns how many rows the user has to answer for. */
export const changedRows = ({ payees }: Pick<Plan, 'payees'>): number =>
  payees === undefined ? 0 : payees.changed.length + (payees.isStrict ? payees.first + payees.above : 0);

export interface FoundRows {
  rows: number;
  /** The expected costs of these rows by the rates of the plan, by input currency. */
  costs: Readonly<Record<string, Decimal>>;
}

export function planOf(run: Pick<PayRun, 'plan'>): Plan {
  const plan = JSON.parse(run.plan) as Plan;
  invariant(plan.version === 1, 'the plan is one that this version reads');
  return plan;
}

/**
 * Returns the digest that an approver names: 64 hexadecimal digits over everything in the plan that decides,
 * the account and the name.
 */
export function digestOf(plan: Plan, baseUrl: string, name: string): string {
  const rates = Object.entries(plan.rates).sort(([a], [b]) => (a < b ? -1 : 1));
  const ceilings = Object.entries(plan.ceilings).sort(([a], [b]) => (a < b ? -1 : 1));
  const rule = [plan.planner, plan.twoPerson === true];
  // Where there is none, the digest is as it always was.
  const found = [
    plan.before,
    plan.notBefore && { notBefore: plan.notBefore },
    plan.fixes && { fixes: plan.fixes },
    changedRows(plan) === 0 ? undefined : { payees: plan.payees },
  ].filter((one) => one !== undefined);
  const what = [
    2,
    baseUrl,
    name,
    plan.windows,
    plan.totals,
    rates,
    ceilings,
    plan.tolerance,
    ...rule,
    ...found,
  ];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

/** The members of a row that are sent, and those that say what it may cost. */
export type HashedRow = Omit<NewRow, 'content' | 'account' | 'payee' | 'person' | 'holder'>;

/** SHA-256, its first 32 digits, over the rows of one window. Amounts count as minor units: `10` and `10.00` are one amount. */
export const hashOfWindow = (rows: readonly HashedRow[]): string =>
  hash('sha256', rows.map(lineOf).join(''), 'hex').slice(0, 32);

function lineOf(row: HashedRow): string {
  const { n, key, externalId, type, amount, currency, inputCurrency, estimate, body } = row;
  const cost = minorUnits(estimate, decimalsOf(inputCurrency));
  const arrives = minorUnits(amount, decimalsOf(currency));
  const said = [n, key, externalId, type, String(arrives), currency, inputCurrency, String(cost)];
  // Neither line has a line end of its own: both are JSON.
  return `${JSON.stringify(said)}\n${body}\n`;
}

/** Rows as they come, in the order of the file, divided as the store divides them. */
export class WindowHashes {
  readonly #size: number;
  readonly #hashes: string[] = [];
  #rows: HashedRow[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  add(row: HashedRow): void {
    this.#rows.push(row);
    if (this.#rows.length === this.#size) this.#close();
  }

  end(): string[] {
    if (this.#rows.length > 0) this.#close();
    return this.#hashes;
  }

  #close(): void {
    this.#hashes.push(hashOfWindow(this.#rows));
    this.#rows = [];
  }
}

/** SHA-256, shortened, over what a row says: rows of the same content have the same. The key tells rows of a run apart, and is not in it. */
export const contentOf = (externalId: string, body: string): string => print(`${externalId}\n${body}`);

/** The external id of a row that brings none of its own. */
export const externalIdOf = (name: string, key: string): string => `${name}:${key}`;

/** Only a run of this name makes such an external id. */
export const isOfRun = (name: string, externalId: string): boolean =>
  externalId.startsWith(externalIdOf(name, ''));
