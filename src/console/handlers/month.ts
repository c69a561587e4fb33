/** A month, from the books alone: the service is asked for nothing. */
import { isoTime } from '../../core/clock.ts';
import type { Books } from '../../core/ports/books.ts';
import { dayAfter, wallTime } from '../../core/zone.ts';
import { closedNotes } from '../../desk/books/closings.ts';
import { booksIfAny, booksThatAre } from '../../desk/books/open-books.ts';
import { reachOf } from '../../desk/books/reach.ts';
import { dayEnds } from '../../desk/statement/days.ts';
import { type Line, linesOf } from '../../desk/statement/lines.ts';
import { endOf, periodOf, readMonth } from '../../desk/statement/period.ts';
import { type Account, type Statement, statementOf } from '../../desk/statement/statement.ts';
import { endingOf, kindWords, notesOf, proofOf, proofWords } from '../../desk/statement/told.ts';
import { inFlightOf } from '../../desk/summary/in-flight.ts';
import { NONE_IN_FLIGHT, notesOfDay } from '../../desk/summary/in-flight-told.ts';
import { type SummaryRow, summaryOf } from '../../desk/summary/summary.ts';
import { groupName, NO_PAYMENT, summaryNotes } from '../../desk/summary/told.ts';
import { counted, percent, span, thousands } from '../../desk/words/amount.ts';
import { spoken } from '../../desk/words/questions.ts';
import type { Call } from '../call.ts';
import type { AnswerOf, Month } from '../wire.ts';

/** Lines of one statement on a page; the others are in the terminal. */
const MOST_LINES = 200;
const LOOKS = { done: 'good', check: 'bad', pending: 'waiting' } as const;
const NOT_SEEN = 'not seen';

const amountIn = (currency: string | null, amount: string | null): string =>
  amount === null ? NOT_SEEN : spoken(amount, currency);
const inWords = (name: string): string => name.replaceAll('_', ' ');

type Asked = Record<'month' | 'currency', string | null>;

export async function month(call: Call, { month: asked, currency }: Asked): Promise<AnswerOf<'month'>> {
  const opened = await booksIfAny(call.desk);
  if (opened === undefined)
    return { made: null, notes: ['This machine has no books, so no month can be shown.'] };
  const { books } = opened;
  const time = await timeOf(call, books, asked);
  const made = await statementOf(books, { ...time, currency: undefined });
  const [busiest] = [...made.accounts].sort((a, b) => b.totals.movements - a.totals.movements);
  const chosen =
    currency === null
      ? busiest
      : (made.accounts.find((one) => one.currency === currency) ??
        (await statementOf(books, { ...time, currency })).accounts[0]);
  return {
    notes: [],
    made: {
      month: time.month,
      before: dayAfter(`${time.month}-01`, -1).slice(0, 7),
      after: time.to > time.known ? null : dayAfter(`${time.month}-01`, 31).slice(0, 7),
      syncedAt: isoTime(made.completeAt),
      balances: made.accounts.map(({ currency: name, totals: { opening, closing, movements } }) => ({
        currency: name,
        opening: amountIn(name, opening),
        closing: amountIn(name, closing),
        movements: thousands(movements),
      })),
      statement: chosen === undefined ? null : await statementIn(call, books, { made, chosen, ...time }),
      reconcile: call.spell({ do: 'reconcile_month', month: time.month }),
    },
  };
}

/** The month in which the books end is the one that is shown where none is named, as in the terminal. */
async function timeOf({ desk: { zone } }: Call, books: Books, asked: string | null) {
  const { known, completeAt } = await reachOf(books);
  const named = asked === null ? wallTime(known, zone).day.slice(0, 7) : readMonth(asked);
  const period = periodOf({ month: named, since: undefined, until: undefined }, { now: known, zone });
  return { ...period, month: named, known, syncedAt: isoTime(completeAt) };
}

async function statementIn(
  { desk, text, spell, showing }: Call,
  books: Books,
  { made: all, chosen, month: name }: { made: Statement; chosen: Account; month: string },
): Promise<Month['statement']> {
  const { currency, totals } = chosen;
  const corrections = all.corrections.filter((one) => one.currency === currency);
  const made = { ...all, accounts: [chosen], corrections };
  const ending = endingOf(desk, made);
  const lines: Line[] = [];
  for await (const page of linesOf(books, made, showing.mask)) {
    lines.push(...page);
    if (lines.length > MOST_LINES) break;
  }
  const shown = lines.slice(0, MOST_LINES);
  const left = totals.movements + 2 - shown.length;
  const command = spell({ do: 'show_statement', month: name, currency });
  const days = await dayEnds(books, { ...made, currency }, desk.zone);
  return {
    currency,
    days: days.map(({ day, balance, isOver }) => ({
      label: isOver ? day : `${day}, so far`,
      place: balance === null ? null : Number(balance),
      text: amountIn(currency, balance),
    })),
    proof: proofOf(chosen).map(({ label, amount }) => ({ label, text: amountIn(currency, amount) })),
    proved: { word: proofWords[ending], look: LOOKS[ending] },
    lines: shown.map((one) => lineIn(one)),
    more: left > 0 ? `${counted(left, 'line')} more: ${command}` : null,
    notes: [...notesOf(desk, made), ...(await closedNotes(books, all.closings, all))].map(text),
    command,
  };
}

const lineIn = (line: Line): NonNullable<Month['statement']>['lines'][number] => ({
  at: line.at,
  kind: inWords(kindWords(line)),
  payout: line.recipient_id,
  payment: line.transaction_id,
  name: line.name,
  reference: line.external_id,
  amount: line.amount === null ? '' : spoken(line.amount, line.currency),
  balance: amountIn(line.currency, line.balance),
});

export async function summary(call: Call, { month: asked }: { month: string }): Promise<AnswerOf<'summary'>> {
  const { desk, text, spell } = call;
  const { books } = await booksThatAre(desk);
  const { month: name, syncedAt, ...time } = await timeOf(call, books, asked);
  const made = await summaryOf(desk, books, { ...time, by: 'corridor' });
  const closed = await closedNotes(books, await books.closings(), made);
  return {
    syncedAt,
    none: NO_PAYMENT,
    notes: [...summaryNotes(desk, made), ...closed].map(text),
    command: spell({ do: 'show_summary', month: name }),
    plot: made.rows.map((row) => ({
      label: labelOf(row, made.rows),
      place: row.payouts,
      text: counted(row.payouts, row.direction),
    })),
    rows: made.rows.map((row) => ({
      group: labelOf(row, made.rows),
      direction: row.direction,
      payouts: thousands(row.payouts),
      paid: thousands(row.paid),
      refused: thousands(row.refused),
      cost: spoken(row.input_amount, row.input_currency),
      refunded: spoken(row.refunded, row.input_currency),
      arrived: row.output_currency === null ? '' : spoken(row.output_amount, row.output_currency),
      firstTry: percent(row.first_try) ?? '',
      median: row.median_seconds === null ? '' : span(row.median_seconds * 1_000),
    })),
  };
}

/** One corridor has a row for each pair of currencies: then the pair is named too. */
function labelOf(row: SummaryRow, rows: readonly SummaryRow[]): string {
  const isAlone = rows.filter(({ group }) => group === row.group).length === 1;
  return isAlone ? groupName(row) : `${groupName(row)} from ${row.input_currency ?? 'nothing yet'}`;
}

/** At the end of the month, or of the last day that the books reach. */
export async function inFlight(
  call: Call,
  { month: asked }: { month: string },
): Promise<AnswerOf<'inFlight'>> {
  const { desk, text, spell } = call;
  const { books } = await booksThatAre(desk);
  const { to, known, syncedAt } = await timeOf(call, books, asked);
  const { day } = wallTime(Math.min(to - 1, known), desk.zone);
  const made = await inFlightOf(desk, books, { to: endOf({ day }, { now: known, zone: desk.zone }) });
  return {
    syncedAt,
    none: NONE_IN_FLIGHT,
    notes: notesOfDay(desk, made).map(text),
    command: spell({ do: 'show_in_flight', day }),
    day,
    rows: made.rows.map(({ kind, source, age, payouts, amount, currency, oldest_at: oldest }) => ({
      kind: inWords(kind),
      source,
      age: inWords(age),
      payouts: thousands(payouts),
      amount: spoken(amount, currency),
      oldest,
    })),
  };
}
