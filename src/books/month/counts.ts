/** Payouts of a month by corridor, and money in flight at its end: each reads every payment of its time. */

import { counted, percent, span, thousands } from '../../core/amount-words.ts';
import { wallTime } from '../../core/zone.ts';
import type { Desk } from '../../payments/desk.ts';
import { endOf } from '../../payments/lists/statement-period.ts';
import { spoken } from '../../payments/words/questions.ts';
import { closedNotes } from '../closings.ts';
import type { Books } from '../store/port.ts';
import { inFlightOf } from '../summary/in-flight.ts';
import { NONE_IN_FLIGHT, notesOfDay } from '../summary/in-flight-notes.ts';
import { type SummaryRow, summaryOf } from '../summary/summary.ts';
import { groupName, NO_PAYMENT, summaryNotes } from '../summary/summary-notes.ts';
import { EMPTY, inWords, type Part, timeOf } from './part.ts';

export async function corridorsOf(desk: Desk, books: Books, month: string): Promise<Part> {
  const time = await timeOf(desk, books, month);
  const made = await summaryOf(desk, books, { ...time, by: 'corridor' });
  const closed = await closedNotes(books, await books.closings(), made);
  const labels = made.rows.map((row) => labelOf(row, made.rows));
  const points = made.rows.map(({ payouts, direction }, at) => ({
    label: labels[at] ?? '',
    place: payouts,
    text: counted(payouts, direction),
  }));
  return {
    ...EMPTY,
    title: 'Payouts by corridor',
    syncedAt: time.syncedAt,
    none: NO_PAYMENT,
    plot: points.length === 0 ? null : { as: 'bars', label: 'Payouts by corridor', points },
    heads: [
      'Corridor',
      '>Payouts',
      '>Paid',
      '>Refused',
      '>Cost',
      '>Refunded',
      '>Arrived',
      '>First try',
      '>Median time',
    ],
    rows: made.rows.map((row, at) => [
      labels[at] ?? '',
      thousands(row.payouts),
      thousands(row.paid),
      thousands(row.refused),
      spoken(row.input_amount, row.input_currency),
      spoken(row.refunded, row.input_currency),
      row.output_currency === null ? '' : spoken(row.output_amount, row.output_currency),
      percent(row.first_try) ?? '',
      row.median_seconds === null ? '' : span(row.median_seconds * 1_000),
    ]),
    notes: [...summaryNotes(desk, made), ...closed],
    command: { do: 'show_summary', month: time.name },
  };
}

/** A corridor has a row for each direction and pair of currencies: what differs is named. */
function labelOf(row: SummaryRow, rows: readonly SummaryRow[]): string {
  const isAlone = rows.filter(({ group }) => group === row.group).length === 1;
  const from = isAlone ? '' : ` from ${row.input_currency ?? 'nothing yet'}`;
  return `${groupName(row)}${from}${row.direction === 'payout' ? '' : ` (${row.direction})`}`;
}

/** At the end of the month, or of the last day that the books reach. */
export async function flyingIn(desk: Desk, books: Books, month: string): Promise<Part> {
  const time = await timeOf(desk, books, month);
  const { known: now, syncedAt } = time;
  const { day } = wallTime(Math.min(time.to - 1, now), desk.zone);
  const made = await inFlightOf(desk, books, { to: endOf({ day }, { now, zone: desk.zone }) });
  return {
    ...EMPTY,
    title: `In flight at the end of ${day}`,
    syncedAt,
    none: NONE_IN_FLIGHT,
    heads: ['Kind', 'From', 'Age', 'Oldest', '>Payouts', '>Amount'],
    rows: made.rows.map(({ kind, source, age, payouts, amount, currency, oldest_at: oldest }) => [
      inWords(kind),
      source,
      inWords(age),
      oldest,
      thousands(payouts),
      spoken(amount, currency),
    ]),
    notes: notesOfDay(desk, made),
    command: { do: 'show_in_flight', day },
  };
}
