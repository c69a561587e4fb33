/**
 * Recipients that need someone, page by page as the service gives them: first those in trouble, then those that are pending
 * for long. Each with where it stands. Nothing is held back for the end.
 */

import { listRecipients } from '../../contract/operations/recipients.ts';
import { getTransaction } from '../../contract/operations/transactions.ts';
import type { Sender } from '../../contract/resources/sender.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import {
  type RecipientState,
  type RecipientStateInfo,
  recipientStates,
} from '../../contract/states/recipient.ts';
import type { Hint } from '../../core/next.ts';
import { booksOf, type Desk } from '../desk.ts';
import { countWords } from '../lists/count-words.ts';
import { type ListProgress, readList, type Sift } from '../lists/list-reader.ts';
import type { Dates } from '../lists/period.ts';
import { serviceNow } from '../service-time.ts';
import { fullName } from '../words/person.ts';
import { doneBefore } from './done-before.ts';
import { actWords, nextActs } from './standing.ts';
import { type Story, storyOf } from './story.ts';

const statesOf = (triage: RecipientStateInfo['triage']): RecipientState[] =>
  (Object.keys(recipientStates) as RecipientState[]).filter(
    (state) => recipientStates[state].triage === triage,
  );

const LATE = statesOf('when late');
export const triageStates: readonly RecipientState[] = [...statesOf('always'), ...LATE];

export interface TriageQuery {
  states: readonly string[];
  currency: readonly string[];
  dates: Dates;
  /** Rows at most. */
  limit: number;
  /** A payout that is pending for less is on its way. */
  pendingAfterMs: number;
}

export interface Progressed {
  found: number;
  looked: number;
  /** How many there are to look at, as far as the service says it. */
  total: number;
  /** True where there are more than were looked at. */
  cut: boolean;
}

/** A row says who sent the money, as far as that is known. */
export type Troubled = Story & WithSender;

export interface Source {
  progressed: Progressed;
  /** Has the senders that the books know. */
  pages(): AsyncGenerator<Troubled[], void, undefined>;
  /** The row with its sender, which the service is asked for; undefined where it is known, or cannot be. */
  withSender(row: Troubled): Promise<Troubled | undefined>;
}

export function triageSource(desk: Desk, query: TriageQuery): Source {
  const progressed: Progressed = { found: 0, looked: 0, total: 0, cut: false };
  // Asked for at once, beside the first page and not before it.
  const now = serviceNow(desk);
  now.catch(() => {});

  const senders = sendersOf(desk);
  const inBooks = async (story: Story): Promise<Troubled> => {
    const sender = await senders.inBooks(story.transaction_id ?? '');
    return sender === undefined ? story : { ...story, sender };
  };

  async function* part(states: readonly string[], sift?: Sift<Recipient>): AsyncGenerator<Troubled[]> {
    const limit = query.limit - progressed.found;
    if (states.length === 0 || limit <= 0) return;
    const before = { ...progressed };
    const { looked, pages } = await readList(desk, {
      operation: listRecipients,
      query: { state: [...states], currency: [...query.currency], ...query.dates },
      limits: { limit },
      sift,
    });
    for await (const page of pages()) {
      advance(progressed, before, looked);
      if (page.length > 0) yield Promise.all(inTurn(await storiesOf(desk, page, await now)).map(inBooks));
    }
    if (looked.ended !== 'end') progressed.cut = true;
  }

  return {
    progressed,
    async withSender(row) {
      if (row.sender != null || !row.transaction_id) return undefined;
      const sender = await senders.atService(row.transaction_id);
      return sender === undefined ? undefined : { ...row, sender };
    },
    async *pages() {
      const isLate = (state: string): boolean => LATE.some((one) => one === state);
      yield* part(query.states.filter((state) => !isLate(state)));
      const pending = query.states.filter(isLate);
      if (pending.length > 0) yield* part(pending, longPending(await now, query.pendingAfterMs));
    },
  };
}

const longPending = (now: number, afterMs: number): Sift<Recipient> => ({
  by: ['age'],
  fits: ({ created_at: createdAt }) => !(now - Date.parse(createdAt ?? '') < afterMs),
});

function advance(progressed: Progressed, before: Progressed, looked: ListProgress): void {
  progressed.found = before.found + looked.found;
  progressed.looked = before.looked + looked.rows;
  progressed.total = Math.max(progressed.looked, before.total + (looked.total ?? looked.rows));
}

const storiesOf = (desk: Desk, page: readonly Recipient[], now: number): Promise<Story[]> =>
  Promise.all(
    page.map(async (recipient) => storyOf(recipient, now, { before: await doneBefore(desk, recipient) })),
  );

/** Sorts by who must act, the nearest deadline first, and drops what needs no act. */
export const inTurn = <Row extends Story>(rows: readonly Row[]): Row[] =>
  nextActs.flatMap((act) => rows.filter(({ standing }) => standing.act === act).sort(byDeadline));

/** Counts rows by the act that they need, on top of those that were counted before. */
export function countActs(counts: Map<string, number>, rows: readonly Story[]): Map<string, number> {
  for (const { standing } of rows)
    if (standing.act) counts.set(standing.act, (counts.get(standing.act) ?? 0) + 1);
  return counts;
}

/** More recipients were left unread than the limit lets through; the service does not say how many need someone. */
const CUT = { total: undefined, ended: 'limit' } as const;

/** `edit the recipient 12 · cancel 3 · wait 40`, and that there may be more. */
export function triageNotes(counts: ReadonlyMap<string, number>, { looked, found, cut }: Progressed): Hint[] {
  const parts = nextActs.flatMap((act) => (counts.has(act) ? [`${actWords[act]} ${counts.get(act)}`] : []));
  const more = cut ? countWords({ ...CUT, rows: looked, found }, 'recipients', false) : undefined;
  return [...(parts.length > 0 ? [parts.join(' · ')] : []), ...(more === undefined ? [] : [more])];
}

/** The nearest automatic refund first; those without one last, the oldest of them first. */
function byDeadline({ standing: a }: Story, { standing: b }: Story): number {
  const left = ({ refund_in_seconds: at }: Story['standing']): number =>
    at?.earliest ?? Number.MAX_SAFE_INTEGER;
  return left(a) - left(b) || (b.age_seconds ?? 0) - (a.age_seconds ?? 0);
}

/**
 * Tells who sent the money of a payout: the caller is often the sender, and the service's list of recipients does
 * not say. The books on this machine are asked first; what they lack is read from the service, a few payments
 * and no more (docs/wire.md 13).
 */
type WithSender = { sender?: Sender | null | undefined };

/** Payments that are read for their senders, at most. */
const MOST_READ = 50;

interface Senders {
  /**
   * Returns the sender in the books; undefined where there are none, or they are kept without names. Asks the
   * service for nothing.
   */
  inBooks(transactionId: string): Promise<Sender | undefined>;
  /** Reads the payment, once each. Undefined where too many were read, or it cannot be read. */
  atService(transactionId: string): Promise<Sender | undefined>;
}

function sendersOf(desk: Desk): Senders {
  let opened: ReturnType<typeof booksOf> | undefined;
  const read = new Map<string, Promise<Sender | undefined>>();
  const named = ({ sender }: Transaction): Sender | undefined =>
    sender && fullName(sender) !== '' ? sender : undefined;
  const ask = async (id: string): Promise<Sender | undefined> => {
    const client = await desk.client();
    return named((await client.call(getTransaction, { path: { transaction_id: id } })).object);
  };
  return {
    async inBooks(id) {
      try {
        opened ??= booksOf(desk);
        const body = await (await opened)?.books.get(id.toLowerCase());
        return body === undefined ? undefined : named(JSON.parse(body) as Transaction);
      } catch {
        return undefined;
      }
    },
    async atService(id) {
      const before = read.get(id);
      if (before !== undefined) return before;
      if (read.size >= MOST_READ) return undefined;
      const asked = ask(id).catch(() => undefined);
      read.set(id, asked);
      return asked;
    },
  };
}
