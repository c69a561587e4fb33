/** The service's side: one record for each payout, from wherever it is kept: the service's list, our books, the service's reports. */

import { isDead, isFunded } from '../../client/funded.ts';
import { firstSight, pages } from '../../client/pages.ts';
import { directionOf } from '../../contract/direction.ts';
import { listTransactions } from '../../contract/operations/transactions.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isBack, isCalledOff, isPaidOut, isRefundedByItself } from '../../contract/states/money.ts';
import { thousands } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import { AmountError } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { interrupted, refuse, usage } from '../../core/problem.ts';
import type { Progress } from '../../core/progress.ts';
import { type Desk, note } from '../../payments/desk.ts';
import { booksThatAre } from '../open-books.ts';
import { reachOf, refuseForgottenTime } from '../reach.ts';
import type { Books, EntryPlace, PlacedBody } from '../store/port.ts';
import { type RowKind, type Side, sideRowOf } from './side.ts';

export interface MoneyMoved {
  amount: string;
  currency: string;
}

/**
 * A record of the service, with the members that its keeper is asked for. Amounts are decimals, times
 * milliseconds since 1970.
 */
export interface ServiceRecord {
  /** The id of the payout to one recipient. */
  id: string;
  externalId?: string | undefined;
  transactionId?: string | undefined;
  transactionExternalId?: string | undefined;
  reference?: string | undefined;
  /**
   * The amount that was asked for, and the one that it was paid with; undefined where the service does not
   * say it yet.
   */
  requested?: MoneyMoved | undefined;
  input?: MoneyMoved | undefined;
  /** Money that came in: a collection into a balance. */
  isIncoming: boolean;
  kind: RowKind;
  state: string;
  createdAt: number;
  /** When it goes back or expires by itself, where it is in flight and that is known. */
  deadline?: number | undefined;
}

/** Many at a time; never one of them twice. */
export type ServiceRecords = AsyncIterable<readonly ServiceRecord[]>;

/** Whole days since 1970, both included. */
export interface DaySpan {
  first: number;
  last: number;
  /** The days that are compared. The rest is read so that a payment near an end finds its other half. */
  within: { first: number; last: number };
}

const PER = 100;
const KEPT_AT_ONCE = 1_000;
/** 1,500 pages: the service asks for 2,500 reads a day at most (docs/wire.md 13). */
const MOST_TRANSACTIONS = 150_000;

/** A day each way: a record's day is that of a zone. */
export const spanMs = ({ first, last }: Pick<DaySpan, 'first' | 'last'>): { from: number; to: number } => ({
  from: (first - 1) * DAY_MS,
  to: (last + 2) * DAY_MS,
});

/**
 * The service filters this list by no date. Where it is newest first, it is read until it is older than what is asked for; else to its
 * end.
 *
 * @throws Problem where the list is too long to be read within a day's reads
 */
export async function* listedRecords(
  desk: Desk,
  span: DaySpan,
  progress?: Progress,
): AsyncGenerator<readonly ServiceRecord[]> {
  const client = await desk.client();
  const { from } = spanMs(span);
  const isNew = firstSight<Transaction>();
  let read = 0;
  let last = Number.POSITIVE_INFINITY;
  let isOrdered = true;
  let total = 0;
  const told = (count: number): void => {
    total = count;
  };
  const asked = { query: { per: PER }, signal: desk.signal };
  for await (const page of pages(client, listTransactions, asked, told)) {
    if (desk.signal.aborted) throw interrupted();
    read += page.length;
    refuseTooMany(read);
    progress?.tell(read);
    yield page.filter(isNew).flatMap(serviceRecords);
    for (const { created_at: created } of page) {
      const at = Date.parse(created ?? '');
      isOrdered &&= at <= last;
      last = at;
    }
    if (!isOrdered) refuseTooMany(total);
    else if (last < from) return;
  }
}

/** The same from the books on this machine: the service is asked for nothing. @throws Problem where they are not complete */
export async function* keptRecords(
  desk: Desk,
  span: DaySpan,
  progress?: Progress,
): AsyncGenerator<readonly ServiceRecord[]> {
  const { books } = await booksThatAre(desk);
  const { completeAt } = await reachOf(books);
  const { from, to } = spanMs(span);
  refuseForgottenTime(await books.progress(), from);
  note(desk, hint`The books are complete until ${isoTime(completeAt)}.`);
  yield* keptPages(books, { from, to }, progress);
}

async function* keptPages(
  books: Books,
  { from, to }: { from: number; to: number },
  progress: Progress | undefined,
): AsyncGenerator<readonly ServiceRecord[]> {
  let read = 0;
  for (let after: EntryPlace | undefined; ; ) {
    const some: PlacedBody[] = await books.created({ from, to, after, limit: KEPT_AT_ONCE });
    yield some.flatMap(({ body }) => serviceRecords(JSON.parse(body) as Transaction));
    read += some.length;
    progress?.tell(read);
    if (some.length < KEPT_AT_ONCE) return;
    after = some.at(-1);
  }
}

function refuseTooMany(count: number): void {
  if (count <= MOST_TRANSACTIONS) return;
  throw usage(
    `more than ${thousands(MOST_TRANSACTIONS)} transactions would have to be read, which are more pages than the service wants read in a day`,
    hint`copy them once with ${{ do: 'sync_books' }}, and compare with the books`,
  );
}

export function serviceRecords(transaction: Transaction): ServiceRecord[] {
  return (transaction.recipients ?? []).map((recipient) => recordOf(recipient, transaction));
}

function recordOf(recipient: Recipient, transaction: Transaction): ServiceRecord {
  const createdAt = Date.parse(recipient.created_at ?? transaction.created_at ?? '');
  const kind = kindOf(recipient, transaction);
  return {
    id: recipient.id ?? '',
    externalId: recipient.external_id ?? undefined,
    transactionId: transaction.id ?? undefined,
    transactionExternalId: transaction.external_id ?? undefined,
    reference: referenceOf(recipient.metadata) ?? referenceOf(transaction.metadata) ?? undefined,
    requested: moneyOf(recipient.requested_amount, recipient.requested_currency),
    input: moneyOf(recipient.input_amount, recipient.input_currency ?? transaction.input_currency),
    isIncoming: directionOf(recipient) === 'collection',
    kind,
    state: recipient.state ?? '',
    createdAt,
    deadline: kind === 'in_flight' ? deadlineOf(recipient, transaction, createdAt) : undefined,
  };
}

const referenceOf = (metadata: Recipient['metadata']): string | undefined =>
  typeof metadata?.reference === 'string' && metadata.reference.trim() !== ''
    ? metadata.reference
    : undefined;

const moneyOf = (
  amount: string | null | undefined,
  currency: string | null | undefined,
): MoneyMoved | undefined =>
  amount == null || currency == null || currency === '' ? undefined : { amount, currency };

function kindOf({ state }: Recipient, transaction: Transaction): RowKind {
  if (isBack(state)) return 'back';
  if (isPaidOut(state)) return 'paid';
  if (isDead(transaction)) return 'not_funded';
  return isCalledOff(state) && !isFunded(transaction) ? 'not_funded' : 'in_flight';
}

const DAY_MS = 86_400_000;

/** One that is not funded expires; a payout that fails goes back a day after it was funded. */
function deadlineOf({ state }: Recipient, transaction: Transaction, createdAt: number): number | undefined {
  if (!isFunded(transaction)) {
    const at = Date.parse(transaction.expires_at ?? '');
    return Number.isNaN(at) ? undefined : at;
  }
  if (isCalledOff(state) || Number.isNaN(createdAt)) return undefined;
  return isRefundedByItself(transaction.state ?? '') ? createdAt + DAY_MS : undefined;
}

/** The amount that is compared with the ledger: the cost of a payout, or the amount that was asked for. */
export const AMOUNTS = ['input', 'requested'] as const;
export type AmountKind = (typeof AMOUNTS)[number];

export interface ServiceSide {
  side: Side;
  /** Payouts without an amount: the service does not say yet what they cost. */
  without: number;
}

export async function serviceSide(
  records: ServiceRecords,
  by: AmountKind,
  dayOf: (at: number) => number,
): Promise<ServiceSide> {
  const side: Side = { kind: 'service', name: 'the service', rows: [] };
  let without = 0;
  for await (const page of records)
    for (const record of page) {
      const money = record[by];
      if (money === undefined) {
        without++;
        continue;
      }
      add(side, record, money, dayOf);
    }
  return { side, without };
}

function add(side: Side, record: ServiceRecord, money: MoneyMoved, dayOf: (at: number) => number): void {
  const amount = record.isIncoming ? `-${money.amount}`.replace(/^--/, '') : money.amount;
  const isGone = record.kind === 'back' || record.kind === 'not_funded';
  try {
    side.rows.push(
      sideRowOf({
        keys: [record.id, record.externalId, record.transactionId, record.transactionExternalId],
        reference: record.reference ?? record.externalId ?? record.transactionExternalId,
        amount,
        back: isGone ? amount : undefined,
        currency: money.currency,
        day: Number.isNaN(record.createdAt) ? undefined : dayOf(record.createdAt),
        at: record.createdAt,
        kind: record.kind,
        state: record.state,
        deadline: record.deadline,
      }),
    );
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw refuse(
      'server',
      'amount',
      `the service has a payout whose amount has more digits than can be compared: recipient ${record.id}`,
    );
  }
}
