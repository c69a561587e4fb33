/**
 * Payments of the last days that left this account, or may have: the service's list, the journal of this machine, and rows of pay runs of which
 * it is not known whether they were paid. Whom each paid is compared before anything is left out; what could not be read is named.
 */
import { everyPage } from '../client/pages.ts';
import { type Intent, isUnsettled } from '../client/store/port.ts';
import { listRecipients } from '../contract/operations/recipients.ts';
import { getTransaction } from '../contract/operations/transactions.ts';
import type { Recipient, Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { isCalledOff } from '../contract/states/money.ts';
import { isSameUrl } from '../core/account.ts';
import { counted, thousands } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { type Problem, unsent } from '../core/problem.ts';
import type { Desk } from './desk.ts';
import type { WriteStep } from './gate.ts';
import { LikenessIndex, type PaidPayee } from './likeness.ts';
import { problemOf } from './problem-of.ts';
import { serviceDate } from './service-time.ts';
import { shownSummary } from './words/payment-lines.ts';

/** A single payment within so many days may be the same one again. */
export const ALIKE_MS = 7 * 24 * 3_600_000;

/** A payment or a plan that may be the same. */
export interface Similar {
  /** The handle of a plan, the id of a transaction, or the id of an intent that has none yet. */
  id: string;
  from: 'plan' | 'payment' | 'request' | 'row';
  /** Masked. */
  summary: string;
  state: string;
  at: string;
  /** The reference of the payment, where it has one. */
  reference: string | undefined;
}

/** One that is like payees of an index: `keys` names them. */
export interface FoundAlike extends Similar {
  keys: string[];
}

interface Recent extends Similar {
  payees: readonly PaidPayee[];
}

export interface RecentPayments {
  all: readonly Recent[];
  /** Names what was not looked through. */
  unread: readonly string[];
}

const PER_PAGE = 100;
const MOST_PAGES = 50;
/** Payments of the journal that are read one by one. */
const MOST_READ = 200;
const READ_AT_ONCE = 10;

/** @param since by the service's time; a week ago where none is given, and at most so long ago. @throws CallError where the service cannot say */
export async function recentPayments(desk: Desk, since = 0): Promise<RecentPayments> {
  const ours = desk.clock.now();
  const theirs = (await serviceDate(desk)) ?? ours;
  const ageMs = Math.min(ALIKE_MS, theirs - since);
  const listed = await readList(desk, theirs - ageMs);
  const journal = await readJournal(desk, { from: ours - ageMs, since: theirs - ageMs, listed: listed.ids });
  const known = new Set(journal.all.map(({ reference }) => reference));
  const rows = await unsureRows(desk, ours - ageMs);
  return {
    all: [...journal.all, ...rows.all.filter(({ reference }) => !known.has(reference)), ...listed.all],
    unread: [...listed.unread, ...journal.unread, ...rows.unread],
  };
}

/** Returns the payments that are like payees of the index, but for those that have one of these names. */
export const alikeAmong = (
  { all }: Pick<RecentPayments, 'all'>,
  index: LikenessIndex,
  isOther: (one: Similar) => boolean,
): FoundAlike[] =>
  all.flatMap(({ payees, ...one }) => {
    const isAsked = one.from !== 'payment';
    const keys = [...new Set(payees.flatMap((payee) => index.keysLike(payee, isAsked)))];
    return keys.length > 0 && isOther(one) ? [{ ...one, keys }] : [];
  });

async function readList(desk: Desk, since: number) {
  const client = await desk.client();
  const found = new Map<string, Recipient[]>();
  const unread: string[] = [];
  let [pages, rows] = [0, 0];
  const query = { per: PER_PAGE, created_at_from: isoTime(since).slice(0, 10) };
  for await (const { items, next } of everyPage(client, listRecipients, { query })) {
    for (const one of items) {
      rows += 1;
      const id = one.transaction_id ?? one.id ?? '';
      found.set(id, [...(found.get(id) ?? []), one]);
    }
    pages += 1;
    if (pages < MOST_PAGES || next === null) continue;
    unread.push(`payouts of these days before the newest ${thousands(rows)} that the service lists`);
    break;
  }
  const all = [...found].flatMap(([id, recipients]) => recentOf(desk, { id, recipients, since }));
  return { all, ids: new Set(found.keys()), unread };
}

/** Returns none of a payment that came back, or was made before. */
function recentOf(
  desk: Desk,
  { id, recipients, since }: { id: string; recipients: readonly Recipient[]; since: number },
): Recent[] {
  const payees = recipients.filter(
    ({ state, created_at: at }) => !isCalledOff(state) && !(Date.parse(at ?? '') < since),
  );
  const [first] = payees;
  if (first === undefined) return [];
  return [
    {
      ...{ id, from: 'payment', payees, summary: summaryOf(desk, payees) },
      state: first.transaction_state ?? first.state ?? 'unknown',
      at: first.created_at ?? '',
      reference: first.transaction_external_id ?? undefined,
    },
  ];
}

const summaryOf = (desk: Desk, recipients: readonly PaidPayee[]): string =>
  shownSummary({ recipients } as never, desk.mask);

async function readJournal(
  desk: Desk,
  { from, since, listed }: { from: number; since: number; listed: ReadonlySet<string> },
) {
  const [{ intents }, account] = await Promise.all([desk.store(), desk.connection()]);
  const found = (await intents.list({ from, limit: Number.MAX_SAFE_INTEGER })).filter(
    (one) => isSameUrl(one, account) && one.state !== 'not_applied',
  );
  const open = found.flatMap((one) => ofIntent(one));
  const ids = new Set(found.flatMap((one) => (isUnsettled(one) ? [] : (one.resultId ?? []))));
  const missing = [...ids].filter((id) => !listed.has(id));
  const read: Recent[] = [];
  for (let at = 0; at < Math.min(missing.length, MOST_READ); at += READ_AT_ONCE) {
    const some = missing.slice(at, Math.min(at + READ_AT_ONCE, MOST_READ));
    for (const one of await Promise.all(some.map((id) => readNow(desk, id)))) {
      const { id = '', recipients = [], created_at, state, external_id } = one ?? {};
      const shown = { created_at, transaction_state: state, transaction_external_id: external_id };
      const whole = (recipients ?? []).map((recipient) => ({ ...shown, ...recipient }));
      read.push(...recentOf(desk, { id: id ?? '', recipients: whole, since }));
    }
  }
  const more = missing.length - MOST_READ;
  return {
    all: [...open, ...read],
    unread: more > 0 ? [`${counted(more, 'payment')} of this machine that the list does not show`] : [],
  };
}

/** Undefined for a payment that the service does not know. @throws CallError */
export async function readNow(desk: Desk, id: string): Promise<Transaction | undefined> {
  const { ApiError } = await import('../client/errors.ts');
  try {
    const client = await desk.client();
    return (await client.call(getTransaction, { path: { transaction_id: id } })).object;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The body of an intent is kept until its outcome is known. */
function ofIntent(intent: Intent): Recent[] {
  if (!isUnsettled(intent)) return [];
  const { transaction } = JSON.parse(intent.request ?? '{}') as { transaction?: TransactionWrite };
  if (transaction === undefined) return [];
  const { id, summary, createdAt, externalId: reference } = intent;
  return [
    {
      ...{ id, from: 'request', summary, state: 'unknown', at: isoTime(createdAt), reference },
      payees: transaction.recipients,
    },
  ];
}

/** Rows that were handed on, or sent from another machine without an answer, are in neither. */
async function unsureRows(desk: Desk, since: number): Promise<RecentPayments> {
  try {
    const runs = await desk.ports.runs?.();
    const rows = (await runs?.unsureRows(desk, since)) ?? [];
    return {
      all: rows.map(({ run, key, as, body, state, at }) => ({
        ...{ id: `${run}:${key}`, from: 'row', state, at: isoTime(at), reference: as },
        summary: summaryOf(desk, body.recipients),
        payees: body.recipients,
      })),
      unread: [],
    };
  } catch (error) {
    return { all: [], unread: [`rows of pay runs: ${problemOf(error).facts.message}`] };
  }
}

export const unreadLines = ({ unread }: Pick<RecentPayments, 'unread'>): string[] =>
  unread.map((words) => `NOT LOOKED THROUGH for an earlier payment like this one: ${words}`);

export const alikeWords = ({ summary, id, state, at }: Similar): string =>
  `${summary} (${[id, state, at.slice(0, 10)].filter(Boolean).join(', ')})`;

export const alikeSince = (alike: readonly Similar[]): Problem =>
  unsent(
    'check',
    'alike',
    `a payment came meanwhile that looks like this one: ${alike.map(alikeWords).join('; ')}`,
    'look at both; if this one is another, plan it again',
  );

/**
 * Shows a person at the question which payments of the last days look like this one, and looks again behind the answer.
 * A look that failed is named there.
 */
export async function besideAlike(
  desk: Desk,
  { recipients, external_id: own = '' }: TransactionWrite,
): Promise<(step: WriteStep) => WriteStep> {
  const index = new LikenessIndex();
  for (const one of recipients) index.add('', one);
  if (index.isEmpty) return (step) => step;
  const look = async () => {
    const recent = await recentPayments(desk);
    const found = alikeAmong(recent, index, ({ reference }) => own === '' || reference !== own);
    return {
      found,
      lines: [...found.map((one) => `LIKE AN EARLIER PAYMENT: ${alikeWords(one)}`), ...unreadLines(recent)],
    };
  };
  const before = await look().catch((error) => ({
    found: undefined,
    lines: unreadLines({ unread: [problemOf(error).facts.message] }),
  }));
  const shown = new Set(before.found?.map(({ id }) => id));
  const again = async (): Promise<void> => {
    const fresh = (await look()).found.filter(({ id }) => !shown.has(id));
    if (fresh.length > 0) throw alikeSince(fresh);
  };
  return (step) => ({
    ...step,
    warnings: [...(step.warnings ?? []), ...before.lines],
    ...(before.found && { again }),
  });
}
