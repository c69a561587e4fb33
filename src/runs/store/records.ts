/** Runs and rows as rows of tables, in SQLite and in PostgreSQL alike. Amounts are whole minor units there. */

import { decimalsOf } from '../../core/currency.ts';
import { invariant } from '../../core/invariants.ts';
import { type Decimal, fromMinorUnits, minorUnits, round } from '../../core/money.ts';
import type { HolderAnswer } from '../../payments/cases/account-check.ts';
import type {
  Approval,
  FoundWhere,
  HandedRow,
  NewRow,
  NewRun,
  PayRow,
  PayRun,
  Rejection,
  RowState,
  RunHold,
  RunState,
  SignedVerdict,
  Standing,
} from './port.ts';
import type { Redirected } from './standing.ts';

export type PayrunRecord = Readonly<Record<string, unknown>>;

export const RUN_COLUMNS = `id, name, base_url, environment, profile, key_last4, maker, window_size, digest, plan, rows, state, why,
  approval, statements, rejection, hold, rates, rates_at, checked_at, accepted_before, forgotten_at, forget_owed, created_at, updated_at`;

/** Values of a draft, in the order of `DRAFT_COLUMNS`. */
export const DRAFT_COLUMNS = [
  'id',
  'name',
  'base_url',
  'environment',
  'profile',
  'key_last4',
  'maker',
  'window_size',
] as const;

export function draftValues(id: string, { name, account, maker, windowSize }: NewRun) {
  invariant(Number.isInteger(windowSize) && windowSize > 0, 'a window has a row or more');
  const { baseUrl, environment, profile, keyLast4 } = account;
  return [id, name, baseUrl, environment, profile, keyLast4, maker ?? null, windowSize];
}

export function readRun(row: PayrunRecord): PayRun {
  return {
    id: String(row.id),
    name: String(row.name),
    account: {
      baseUrl: String(row.base_url),
      environment: String(row.environment),
      profile: String(row.profile),
      keyLast4: String(row.key_last4),
    },
    maker: text(row.maker),
    windowSize: Number(row.window_size),
    digest: String(row.digest),
    plan: String(row.plan),
    rows: Number(row.rows),
    state: row.state as RunState,
    why: text(row.why),
    approval: row.approval === null ? undefined : (JSON.parse(String(row.approval)) as Approval),
    statements: statementsIn(row.statements),
    rejection: isNone(row.rejection) ? undefined : (JSON.parse(String(row.rejection)) as Rejection),
    hold: isNone(row.hold) ? undefined : (JSON.parse(String(row.hold)) as RunHold),
    rates: text(row.rates),
    ratesAt: row.rates_at === null ? undefined : Number(row.rates_at),
    checkedAt: row.checked_at === null ? undefined : Number(row.checked_at),
    acceptedBefore: isNone(row.accepted_before) ? undefined : Number(row.accepted_before),
    forgotten: isNone(row.forgotten_at)
      ? undefined
      : { at: Number(row.forgotten_at), isOwed: !isNone(row.forget_owed) },
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** Anybody who can write to the store may have written anything there: what comes out has the members of one, and no signature that holds. */
function statementsIn(kept: unknown): SignedVerdict[] {
  let list: unknown;
  try {
    list = JSON.parse(String(kept ?? '[]'));
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.map(statementIn) : [];
}

function statementIn(one: unknown): SignedVerdict {
  const said = (one ?? {}) as Record<string, unknown>;
  const word = (name: string): string => String(said[name] ?? '');
  return {
    approver: word('approver'),
    key: word('key'),
    verdict: said.verdict === 'approve' ? 'approve' : 'reject',
    ...(isNone(said.because) ? {} : { because: word('because') }),
    ...(isNone(said.until) ? {} : { until: word('until') }),
    at: word('at'),
    replaces: Array.isArray(said.replaces) ? said.replaces.map(String) : [],
    signature: word('signature'),
  };
}

/** Columns of a row as it is planned, in the order in which `rowValues` gives their values. */
export const NEW_ROW_COLUMNS = [
  'n',
  'key',
  'external_id',
  'type',
  'amount',
  'currency',
  'input_currency',
  'estimate',
  'content',
  'account',
  'body',
  'payee',
  'person',
  'holder',
] as const;

export function rowValues(row: NewRow): (string | number | bigint | null)[] {
  const { n, key, externalId, type, amount, currency, inputCurrency, estimate, content, account, body } = row;
  const planned = minor(amount, currency);
  const estimated = minor(estimate, inputCurrency);
  return [
    ...[
      n,
      key,
      externalId,
      type,
      planned,
      currency,
      inputCurrency,
      estimated,
      content,
      printOf(account),
      body,
    ],
    ...[printOf(row.payee), row.person === undefined ? null : printOf(row.person)],
    row.holder === undefined ? null : JSON.stringify(row.holder),
  ];
}

/** 52 bits of a hash, as a number: an index over it is half as dear as one over the text. */
export const printOf = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);

/** Both engines keep 64 bits. */
const LARGEST = 2n ** 63n - 1n;

function minor(amount: Decimal, currency: string): bigint {
  const units = minorUnits(amount, decimalsOf(currency));
  invariant(units >= 0n && units <= LARGEST, `an amount of ${currency} fits the store`);
  return units;
}

/** The service may say more places than the currency has: a payment that was made is kept, whatever it says of its cost. */
export const minorOrNull = (amount: Decimal | undefined, currency: string): bigint | null =>
  amount === undefined ? null : minor(round(amount, decimalsOf(currency), 'half_up'), currency);

/** Sums are read as text: they may be greater than a number of JavaScript can hold. */
const asTexts = (columns: readonly string[]): string =>
  columns.map((column) => `CAST(${column} AS text) AS ${column}`).join(', ');

/** Columns of a row that may change, and those that are needed to read them. */
export const PROGRESS_COLUMNS = `n, "window", external_id, state, intent_id, transaction_id, recipient_id, currency, input_currency, code, why, found,
  type, body, stands,
  ${asTexts(['cost', 'arrives'])}`;
export const ROW_COLUMNS = `${PROGRESS_COLUMNS}, key, content, tries, handed, holder, updated_at,
  ${asTexts(['amount', 'estimate'])}`;

/** A row as far as it may change. */
export type RowProgress = Pick<
  PayRow,
  | 'n'
  | 'window'
  | 'externalId'
  | 'state'
  | 'intentId'
  | 'transactionId'
  | 'recipientId'
  | 'cost'
  | 'arrives'
  | 'code'
  | 'why'
  | 'found'
  | 'currency'
  | 'inputCurrency'
  | 'type'
  | 'body'
> & {
  /** JSON of a `Standing`. */
  stands: string | undefined;
  /** The prints to keep from now on. */
  redirected?: Redirected;
};

export function readRowProgress(row: PayrunRecord): RowProgress {
  const currency = String(row.currency);
  const inputCurrency = String(row.input_currency);
  return {
    n: Number(row.n),
    window: Number(row.window),
    externalId: String(row.external_id),
    state: row.state as RowState,
    intentId: text(row.intent_id),
    transactionId: text(row.transaction_id),
    recipientId: text(row.recipient_id),
    cost: row.cost === null ? undefined : decimal(row.cost, inputCurrency),
    arrives: row.arrives === null ? undefined : decimal(row.arrives, currency),
    code: text(row.code),
    why: text(row.why),
    found: text(row.found) as FoundWhere | undefined,
    currency,
    inputCurrency,
    type: String(row.type),
    body: String(row.body),
    stands: text(row.stands),
  };
}

/** Values of what `standingColumns` names, for an UPDATE. */
export const PROGRESS_CHANGES = [
  'state',
  'intent_id',
  'transaction_id',
  'recipient_id',
  'cost',
  'arrives',
  'code',
  'why',
  'found',
  'stands',
] as const;

export function progressValues(row: RowProgress): (string | bigint | null)[] {
  return [
    row.state,
    row.intentId ?? null,
    row.transactionId ?? null,
    row.recipientId ?? null,
    minorOrNull(row.cost, row.inputCurrency),
    minorOrNull(row.arrives, row.currency),
    row.code ?? null,
    row.why ?? null,
    row.found ?? null,
    row.stands ?? null,
  ];
}

export function readRow(row: PayrunRecord): PayRow {
  const { stands, ...standing } = readRowProgress(row);
  return Object.assign(standing, {
    key: String(row.key),
    amount: decimal(row.amount, standing.currency),
    estimate: decimal(row.estimate, standing.inputCurrency),
    content: String(row.content),
    stands: stands === undefined ? undefined : (JSON.parse(stands) as Standing),
    tries: Number(row.tries),
    handed: row.handed === null ? undefined : (JSON.parse(String(row.handed)) as HandedRow),
    holder: isNone(row.holder) ? undefined : (JSON.parse(String(row.holder)) as HolderAnswer),
    updatedAt: Number(row.updated_at),
  });
}

/** Values of `REDIRECTED_COLUMNS`. */
export const redirectedValues = ({ payee, account, person, elsewhere }: Redirected) => [
  printOf(payee),
  printOf(account),
  person === undefined ? null : printOf(person),
  elsewhere ?? null,
];

export const decimal = (minorUnitsAsText: unknown, currency: string): Decimal =>
  fromMinorUnits(BigInt(String(minorUnitsAsText)), decimalsOf(currency));

const isNone = (value: unknown): boolean => value === null || value === undefined;

const text = (value: unknown): string | undefined => (isNone(value) ? undefined : String(value));
