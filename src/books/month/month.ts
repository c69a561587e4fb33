/** The balances of a month, one of them by day, and its statement: from the books, without the service. */

import { counted, thousands } from '../../core/amount-words.ts';
import { type Hint, hint } from '../../core/next.ts';
import { dayAfter, startOfDay, wallTime } from '../../core/zone.ts';
import type { Desk } from '../../payments/desk.ts';
import type { Period } from '../../payments/lists/statement-period.ts';
import type { TextCell } from '../../payments/shapes/told.ts';
import { spoken } from '../../payments/words/questions.ts';
import { closedNotes } from '../closings.ts';
import { type Line, statementLines } from '../statement/lines.ts';
import { balanceAt, type Statement, type StatementAccount, statementOf } from '../statement/statement.ts';
import { endingOf, kindWords, proofWords, statementNotes, totalProof } from '../statement/told.ts';
import type { Books } from '../store/port.ts';
import { EMPTY, inWords, type MonthTime, type Part, seenAmount, timeOf } from './part.ts';

/** A balance at the end of each day of a time: from the books, without the service. */
interface DayEnd {
  /** Such as 2026-10-31, in the zone that was given. */
  day: string;
  /** Null where the balance was not yet seen. */
  balance: string | null;
  /** False for the day that the books do not know to its end. */
  isOver: boolean;
}

/** The days that the books reach, oldest first. @param of `knownUntil`: by the service's clock */
async function dayEnds(
  books: Books,
  { currency, from, to, knownUntil }: Period & { currency: string; knownUntil: number },
  zone: string,
): Promise<DayEnd[]> {
  const seen = (await books.seenBalances()).filter((one) => one.currency === currency);
  const [first] = seen;
  const ends: DayEnd[] = [];
  for (let { day } = wallTime(from, zone); ; day = dayAfter(day, 1)) {
    const begins = startOfDay(day, zone);
    if (first === undefined || begins >= to || begins > knownUntil) return ends;
    const end = Math.min(startOfDay(dayAfter(day, 1), zone), to);
    const balance = first.firstAt > end ? null : await balanceAt(books, seen, end);
    ends.push({ day, balance, isOver: end <= knownUntil });
  }
}

/** Lines of one statement on a page; the others are in the terminal. */
const MOST_LINES = 200;
const LOOKS = { done: 'good', check: 'bad', pending: 'waiting' } as const;

export interface BookMonth {
  /** Such as 2026-10, and the months beside it: null for one that has not begun. */
  month: string;
  before: string;
  after: string | null;
  parts: Part[];
}

/** @param asked null for the latest month, and for the balance that moved most. @throws Problem where there is no such balance */
export async function bookMonth(
  desk: Desk,
  books: Books,
  asked: { month: string | null; currency: string | null },
): Promise<BookMonth> {
  const time = await timeOf(desk, books, asked.month);
  const all = await statementOf(books, { ...time, currency: undefined });
  const [busiest] = [...all.accounts].sort((a, b) => b.totals.movements - a.totals.movements);
  const currency = asked.currency ?? busiest?.currency;
  const made = currency === undefined ? undefined : await statementOf(books, { ...time, currency });
  const [chosen] = made?.accounts ?? [];
  return {
    month: time.name,
    before: dayAfter(`${time.name}-01`, -1).slice(0, 7),
    after: time.to > time.known ? null : dayAfter(`${time.name}-01`, 31).slice(0, 7),
    parts: [
      balances(all, time.syncedAt),
      ...(made && chosen
        ? [await days(desk, books, { made, chosen }), await lines(desk, books, { made, chosen, time })]
        : []),
      {
        ...EMPTY,
        title: 'Reconciliation',
        none: 'Open differences are found against your ledger, which the books do not hold.',
        command: { do: 'reconcile_month', month: time.name },
      },
    ],
  };
}

const balances = ({ accounts }: Statement, syncedAt: string): Part => ({
  ...EMPTY,
  title: 'Balances',
  syncedAt,
  none: 'No balance stood or moved in this month.',
  heads: ['Currency', '>Opening', '>Closing', '>Movements'],
  rows: accounts.map(({ currency, totals: { opening, closing, movements } }) => [
    { text: currency, to: 'currency', of: currency },
    seenAmount(currency, opening),
    seenAmount(currency, closing),
    thousands(movements),
  ]),
});

interface One {
  made: Statement;
  chosen: StatementAccount;
}

async function days(desk: Desk, books: Books, { made, chosen: { currency } }: One): Promise<Part> {
  const points = (await dayEnds(books, { ...made, currency }, desk.zone)).map(({ day, balance, isOver }) => ({
    label: isOver ? day : `${day}, so far`,
    place: balance === null ? null : Number(balance),
    text: seenAmount(currency, balance),
  }));
  const label = `Balance in ${currency} at the end of each day`;
  const isSeen = points.some(({ place }) => place !== null);
  return {
    ...EMPTY,
    title: `${currency} over time`,
    none: 'Nobody had seen this balance by then.',
    plot: isSeen ? { as: 'steps', label, points } : null,
    heads: ['Day', '>Balance at its end'],
    rows: isSeen ? points.map((one) => [one.label, one.text]) : [],
    folded: 'The same figures as a table',
  };
}

async function lines(
  desk: Desk,
  books: Books,
  { made, chosen, time }: One & { time: MonthTime },
): Promise<Part> {
  const { currency, totals } = chosen;
  const ending = endingOf(desk, made);
  const read: Line[] = [];
  for await (const page of statementLines(books, made, desk.mask)) if (read.push(...page) > MOST_LINES) break;
  const shown = read.slice(0, MOST_LINES);
  const left = totals.movements + 2 - shown.length;
  const command = { do: 'show_statement', month: time.name, currency } as const;
  const notes: Hint[] = [...statementNotes(desk, made), ...(await closedNotes(books, made.closings, made))];
  return {
    ...EMPTY,
    title: `Statement of ${currency}`,
    syncedAt: time.syncedAt,
    proved: { word: proofWords(ending, chosen), look: LOOKS[ending] },
    proof: totalProof(chosen).map(({ label, amount }) => ({ label, text: seenAmount(currency, amount) })),
    heads: ['Time', 'Kind', 'To', 'Reference', '>Amount', '>Balance'],
    rows: shown.map((line) => [
      line.at,
      inWords(kindWords(line)),
      whom(line),
      line.external_id ?? '',
      line.amount === null ? '' : spoken(line.amount, currency),
      seenAmount(currency, line.balance),
    ]),
    folded: counted(shown.length, 'line'),
    notes: [...(left > 0 ? [hint`${counted(left, 'more line')}: ${command}`] : []), ...notes],
    command,
  };
}

/** A debit may pay several: then a search for its payment shows them. */
function whom({ name, recipient_id: payout, transaction_id: payment }: Line): TextCell {
  if (payment === null) return '';
  const words = name || payment.slice(0, 8);
  return payout === null
    ? { text: words, to: 'search', of: payment }
    : { text: words, to: 'payout', of: payout };
}
