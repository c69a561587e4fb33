/**
 * A journal in double entry, made of a statement from the books. It is refused where the statement does not prove itself, and where an
 * account is missing: both before the first byte, so that no half of a journal is ever taken for the whole.
 */

import { thousands } from '../../core/amount-words.ts';
import { type Hint, hint } from '../../core/next.ts';
import { type Problem, refuse, usage } from '../../core/problem.ts';
import { wallTime } from '../../core/zone.ts';
import type { Desk } from '../../payments/desk.ts';
import { linesByTime } from '../statement/lines.ts';
import type { Statement } from '../statement/statement.ts';
import { endingOf } from '../statement/statement-notes.ts';
import type { Books } from '../store/port.ts';
import { type Accounts, accountForRole, hasEveryAccount, UsedAccounts } from './accounts.ts';
import { type JournalColumns, needsOneBalance, PLAIN_COLUMNS, tableFormat } from './columns.ts';
import { type JournalEntry, journalEntryOf } from './entries.ts';
import type { JournalFormat, JournalHead, JournalName } from './formats.ts';
import { beancount, hledger } from './plain-text.ts';

/** A journal that is printed whole or not at all, where its program takes a file of so many lines alone. */
const AT_ONCE = 16_384;

export interface JournalWish {
  format: JournalName;
  /** The columns of a table; our own where undefined. */
  columns: JournalColumns | undefined;
  /** Undefined for movements of a bank account, which have no other account. */
  accounts: Accounts | undefined;
  opening: boolean;
  /** Makes a journal though the statement does not prove itself. */
  unproved: boolean;
}

export interface Journal {
  pieces: AsyncIterable<string>;
  /** Each character is a byte of Windows-1252. */
  isLatin: boolean;
  /** To be asked for behind the last piece. */
  notes(): Hint[];
}

/**
 * Makes the journal in pieces of text.
 *
 * @throws Problem (check) for a statement that does not prove itself, (usage) where an account or a setting is missing, or where the
 * format wants one balance alone
 */
export async function journalOf(
  desk: Desk,
  books: Books,
  made: Statement,
  wish: JournalWish,
): Promise<Journal> {
  const ending = endingOf(desk, made);
  if (ending !== 'done' && !wish.unproved) throw notProved(ending);
  const columns = wish.format === 'csv' ? (wish.columns ?? PLAIN_COLUMNS) : undefined;
  const isOfOne = columns !== undefined && needsOneBalance(columns);
  const only = made.accounts.length === 1 ? made.accounts[0]?.currency : undefined;
  if (isOfOne && only === undefined)
    throw usage(
      'these columns take one balance a file',
      hint`name it: ${{ give: 'currency', value: 'EUR' }}`,
    );
  const format = columns ? tableFormat(columns, only) : wish.format === 'hledger' ? hledger : beancount;
  if (format.accounts && wish.accounts === undefined)
    throw usage(
      `${wish.columns ? 'this table' : wish.format} needs the names of your accounts`,
      hint`${{ give: 'accounts', value: 'FILE' }} names them; see docs/journal.md`,
    );
  const entries = (): AsyncGenerator<JournalEntry> => entriesOf(desk, books, made, wish);
  if (wish.accounts && format.accounts && !hasEveryAccount(wish.accounts, format.accounts))
    (await usedBy(entries(), isOfOne ? only : undefined)).names(wish.accounts, format.accounts);
  const whole = columns?.most_lines !== undefined;
  const day = (at: number): string => wallTime(at, desk.zone).day;
  const head = {
    opening: wish.opening,
    firstDay: day(Math.min(...made.accounts.map(({ from }) => from))),
    lastDay: day(made.to - 1),
  };
  const tally = { entries: 0, withoutMargin: 0 };
  const pieces = written(format, head, counted(entries(), tally), wish.accounts);
  return {
    pieces: whole ? await collected(pieces) : pieces,
    isLatin: columns?.encoding === 'windows-1252',
    notes: () => [...emptyNotes(tally), ...(format.accounts ? marginNotes(tally) : [])],
  };
}

async function* entriesOf(
  desk: Desk,
  books: Books,
  made: Statement,
  { opening }: JournalWish,
): AsyncGenerator<JournalEntry> {
  for await (const line of linesByTime(books, made, desk.mask)) {
    const entry = journalEntryOf(line, { zone: desk.zone, opening });
    if (entry) yield entry;
  }
}

async function usedBy(entries: AsyncIterable<JournalEntry>, only: string | undefined): Promise<UsedAccounts> {
  const used = new UsedAccounts();
  for await (const { legs } of entries)
    used.note(only === undefined ? legs : legs.filter(({ currency }) => currency === only));
  return used;
}

interface Tally {
  entries: number;
  withoutMargin: number;
}

async function* counted(entries: AsyncIterable<JournalEntry>, tally: Tally): AsyncGenerator<JournalEntry> {
  for await (const entry of entries) {
    tally.entries++;
    if (entry.isMarginUnknown) tally.withoutMargin++;
    yield entry;
  }
}

const emptyNotes = ({ entries }: Tally): Hint[] =>
  entries === 0 ? ['Nothing moved in this time: the journal has no entry.'] : [];

const marginNotes = ({ withoutMargin: count }: Tally): Hint[] =>
  count === 0
    ? []
    : [
        `${thousands(count)} ${count === 1 ? 'entry has' : 'entries have'} no margin, which is in the conversion: the books did not see the rate of that day.`,
      ];

async function* written(
  format: JournalFormat,
  head: JournalHead,
  entries: AsyncIterable<JournalEntry>,
  accounts: Accounts | undefined,
): AsyncGenerator<string> {
  const used = new UsedAccounts();
  let text = format.head?.(head) ?? '';
  for await (const entry of entries) {
    used.note(entry.legs);
    const legs = entry.legs.map(({ role, amount, currency }) => ({
      account: (accounts && accountForRole(accounts, role, currency)) ?? '',
      amount,
      currency,
    }));
    text += format.entry({ entry, legs });
    if (text.length < AT_ONCE) continue;
    yield text;
    text = '';
  }
  yield text;
  if (used.some && format.tail && format.accounts && accounts)
    yield format.tail(used.names(accounts, format.accounts), head);
}

async function collected(pieces: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return (async function* () {
    yield* all;
  })();
}

const notProved = (ending: 'check' | 'pending'): Problem =>
  refuse(
    ending,
    'not_proved',
    ending === 'check'
      ? 'the statement of this time does not prove itself, so no journal is made of it'
      : 'the books do not reach the end of this time, so no journal is made of it',
    { hint: hint`the statement itself says why; ${{ give: 'unproved' }} makes the journal all the same` },
  );
