/** Rows of pay runs: as they are planned, and what becomes of each. One row is one transaction. */
import type { HolderAnswer } from '../../payments/cases/account-check.ts';

export type RowState =
  /** No request was sent for it, or the one that was sent was not applied and may be sent again. */
  | 'planned'
  /** An intent is open: a request may be on its way. */
  | 'sending'
  /** The transaction exists, and its money is taken. */
  | 'created'
  | 'paid'
  /** The payout failed and a user must act. */
  | 'in_error'
  | 'refunded'
  | 'cancelled'
  /** The service refused it: nothing was created. */
  | 'refused'
  /** Another payment has its external id: a person must look. */
  | 'conflict'
  /** It is in a file for another run, and this one never sends it. */
  | 'handed_on'
  /** It is unknown whether it was applied. */
  | 'unknown';

/** The meaning of a row's state. A new state does not compile until each member is given. */
export interface RowStateInfo {
  /** The run has still to send it, or to find out what became of it. */
  open: boolean;
  /** A request may be on its way, or its outcome is unknown. */
  unsure: boolean;
  /** Its money left the balance and is not back: it is paid for, whether or not a user must act. */
  takesMoney: boolean;
  /** It is paid for, and needs no act. */
  endsWell: boolean;
  /** The service shows its transaction. One that was cancelled may never have been sent. */
  exists: boolean;
  /** True while nothing was paid for it and it is to be paid: it may get another payee. */
  fixable: boolean;
}

const NOTHING = {
  ...{ open: false, unsure: false, takesMoney: false, endsWell: false, exists: false },
  fixable: false,
} as const;
const UNSURE = { ...NOTHING, open: true, unsure: true } as const;
const GOOD = { ...NOTHING, takesMoney: true, endsWell: true, exists: true } as const;

/** Follows the order in which they are shown. */
export const rowStates: Readonly<Record<RowState, RowStateInfo>> = {
  planned: { ...NOTHING, open: true, fixable: true },
  sending: UNSURE,
  created: GOOD,
  paid: GOOD,
  in_error: { ...GOOD, endsWell: false },
  refunded: { ...NOTHING, exists: true },
  cancelled: NOTHING,
  refused: { ...NOTHING, fixable: true },
  conflict: NOTHING,
  handed_on: NOTHING,
  unknown: UNSURE,
};

export const ROW_STATES = Object.keys(rowStates) as readonly RowState[];

/** States of which this is so: `rowStatesThat(({ open }) => open)`. */
export const rowStatesThat = (fits: (info: RowStateInfo) => boolean): readonly RowState[] =>
  ROW_STATES.filter((state) => fits(rowStates[state]));

/**
 * Tells whose payment stands under the external id of a row that this run did not pay from here: one that was made `before` the run sent anything,
 * or by an unknown payer; or one under an id that only a run of this name makes, paid from another store or another file (`elsewhere`). One that
 * the service made of this run's own request, with other money or another payee, is `otherwise`: its cost is the run's.
 */
export type FoundWhere = 'before' | 'elsewhere' | 'otherwise';

/** A row as it is planned. Amounts are decimals with at most as many places as the currency has. */
export interface NewRow {
  /** Its place in the file, from 1. */
  n: number;
  /** Tells the rows of a file apart. */
  key: string;
  externalId: string;
  /** `NGN::Bank`. */
  type: string;
  amount: string;
  currency: string;
  inputCurrency: string;
  /** The cost to expect, in the input currency, by the rates of the plan. */
  estimate: string;
  /** SHA-256, shortened, over everything that the row says: rows of the same content have the same. */
  content: string;
  /** SHA-256, shortened, over account and amount: what may be the same payment twice. */
  account: string;
  /** SHA-256, shortened, over the account alone. */
  payee: string;
  /** The same over the recipient's name as names are compared; undefined where the row has none. */
  person: string | undefined;
  /** The name of the account's holder, as the service answered it before the plan. */
  holder?: HolderAnswer | undefined;
  /** The transaction without its external id, as JSON. */
  body: string;
}

export interface PayRow extends Omit<NewRow, 'account' | 'payee' | 'person'> {
  window: number;
  state: RowState;
  intentId: string | undefined;
  /** How often an intent was opened for it. */
  tries: number;
  transactionId: string | undefined;
  recipientId: string | undefined;
  /** The cost, in the input currency; known once it was created. */
  cost: string | undefined;
  /** The amount that arrives, as the service says, in `currency`; known once it was created. */
  arrives: string | undefined;
  /** A code of the service or of remit, such as `insufficient_balance` or `416`. */
  code: string | undefined;
  /** Words, without an account number and without a name. */
  why: string | undefined;
  /** Where it was handed on to; undefined for a row that was not. */
  handed: HandedRow | undefined;
  /** Undefined where no record of the service showed the account whole: then it is known as it was asked. */
  stands: Standing | undefined;
  /** Undefined where this run paid it, or where nothing was paid. */
  found: FoundWhere | undefined;
  updatedAt: number;
}

/** Whom a row pays by the service's records, beside its body, which says whom it asked for. */
export interface Standing {
  /** When the service showed it, by its own time. */
  at?: number | undefined;
  /** The details that the service wrote otherwise than they were asked, and those that it filled in. */
  spelt?: Details | undefined;
  /** The payout details, where they are others than were asked: what did not change is as it was asked. */
  now?: Details | undefined;
  /** The edit of our journal that made them so. */
  edit?: string | undefined;
  /** When it was seen that the account had changed, and not by an edit of our journal. */
  elsewhere?: number | undefined;
}

/** The payee as a record of the service shows it. */
export interface ShownPayout {
  type: string;
  details: Details;
  at?: number | undefined;
  /** The newest edit of our journal, where there is one, and when this was heard; undefined where nobody looked. */
  by?: { edit: string | undefined; at: number } | undefined;
}

type Details = Readonly<Record<string, unknown>>;

export interface HandedRow {
  /** The file, by its whole path. */
  file: string;
  /** The external id that it has there. */
  as: string;
  /** Its state before. */
  from: RowState;
}

/** Rows of one state, pair of currencies and corridor. Amounts are sums over them; those of `cost` and `arrives` where known. */
export interface RowSum {
  state: RowState;
  type: string;
  currency: string;
  inputCurrency: string;
  rows: number;
  amount: string;
  estimate: string;
  cost: string;
  arrives: string;
}

/** Rows that this run did not pay from here, or not as it asked, by whose payment it is. `cost` where known. */
export interface FoundSum {
  found: FoundWhere;
  state: RowState;
  inputCurrency: string;
  rows: number;
  cost: string;
  estimate: string;
}

/** The news of a row: each member where it is known. */
export interface RowNews {
  state?: RowState;
  /** Said of a row that has no transaction yet; what is heard says it of a row for which nothing was ever sent. */
  found?: FoundWhere | undefined;
  transactionId?: string | undefined;
  recipientId?: string | undefined;
  cost?: string | undefined;
  arrives?: string | undefined;
  code?: string | undefined;
  why?: string | undefined;
  shown?: ShownPayout | undefined;
}

export interface RowFilter {
  states?: readonly RowState[] | undefined;
  window?: number | undefined;
  /** Rows after this one, in the order of the file. */
  after?: number | undefined;
  /** 1000 by default. */
  limit?: number | undefined;
}

/** A row whose payee is known otherwise. */
export interface ChangedPayee {
  n: number;
  key: string;
  /** The payee with this key, or with this name, was last paid at another account. */
  by?: 'key' | 'person';
  /** The account is one at which others were paid, of another key and another name. */
  isOthers?: boolean;
  /** The payment before, and the one of the others, where they are named. */
  was?: { run: string; key: string };
  other?: { run: string; key: string };
}

/** Whom the rows of a draft pay, beside the payments of earlier runs. Some rows of each kind are named. */
export interface Payees {
  changed: ChangedPayee[];
  /** No payee was paid before by this key, at this account or by this name. */
  first: { rows: number; named: { n: number; key: string }[] };
  /** More than three times the median of what the account was paid; of an even number of payments the greater of the two in the middle. */
  above: { rows: number; named: { n: number; key: string }[] };
}

/** How many rows are there again, and the first ten with the run and the key of the other. */
export interface Repeated {
  rows: number;
  first: readonly { n: number; run: string; key: string }[];
  /** Runs that were planned up to then were forgotten, and not compared; absent where none was. */
  from?: number;
}

/** How many of them are in one earlier run. */
export type RepeatedIn = Pick<Repeated, 'rows'> & { run: string };
