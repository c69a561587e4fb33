/** A summary adds up payouts in groups: from the books, without the service. */
import { resolve } from 'node:path';
import { isoTime } from '../../core/clock.ts';
import { usage } from '../../core/problem.ts';
import { exitCodes, exitOfEnding } from '../../frame/exit-codes.ts';
import { flags } from '../../frame/flags/flag.ts';
import { isScreen } from '../../frame/terminal/rendering.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { listFlags, readLimits } from '../../payments/cli/flags/listing.ts';
import { periodFlags, readPeriod, readWhen } from '../../payments/cli/flags/when.ts';
import { limitsOf } from '../../payments/cli/output/limits.ts';
import { printKept, rowsAtOnce } from '../../payments/cli/output/show-list.ts';
import { type Result, wholeList } from '../../payments/cli/result.ts';
import { endOf, isShort, periodOf, periodWords } from '../../payments/lists/statement-period.ts';
import { closedNotes } from '../closings.ts';
import { booksThatAre } from '../open-books.ts';
import { reachOf } from '../reach.ts';
import { GROUPINGS, type Grouping } from '../summary/groups.ts';
import { inFlightOf } from '../summary/in-flight.ts';
import { endingOfDay, notesOfDay } from '../summary/in-flight-told.ts';
import { type Summary, summaryOf } from '../summary/summary.ts';
import { summaryNotes } from '../summary/told.ts';
import { dayBalanceView, inFlightView } from './views/in-flight.ts';
import { barView, summaryView } from './views/summary.ts';

export const command = defineCommand({
  description: `Counts and adds up the payouts of the payments that were created in this time, from the books on this machine (remit books sync): the service is asked for nothing. Days are those of your time zone. Amounts of two currencies are never added: each group has a row for each pair of currencies. Collections and payouts are not added either: each row says its direction. Costs and refunds are of payments that were funded, and what arrived is of payouts that were paid. It ends with 8 where the time is over and the books do not reach its end.

first_try is, of the payouts that were paid or refused, the part that was paid and never refused; the median is the time from creation until it was paid. For both the books know what a sync saw. rate is what arrives by what was paid in, of payments that were funded and did not come back; margin_amount is what that cost against the mid-market rate of each day, as far as the books saw the rates; fee_amount is what the service says, in the currency that was paid in.

--as-of counts the money in flight at the end of a day, by currency and age: payouts that were funded and not paid, refunds due, collections not credited. A payment that was paid after the day counts. For each balance it adds up what came in, was paid out and is in flight, and compares that with the balance of that day: where they differ, or where nobody had seen the balance yet, it ends with 10.`,
  flags: flags({
    by: { value: 'what', summary: 'what to count by; the corridor if you do not say', choices: GROUPINGS },
    ...periodFlags,
    asOf: {
      value: 'date',
      summary: 'money in flight at the end of this day instead: funded, neither paid out nor back',
    },
    totals: { summary: 'with --as-of: a row for each balance, and what proves it' },
    svg: { value: 'file', summary: 'write a picture of it to a new file' },
    ...listFlags,
  }),
  shows: [summaryView, inFlightView, dayBalanceView],
  isTabular: true,
  exits: [exitCodes.check, exitCodes.pending],
  examples: [
    'remit summary --month 2026-10',
    'remit summary --by day --since 2026-10-01 --until 2026-10-15 -o csv',
    'remit summary --by corridor-month --since 2026-01 --until 2026-10',
    'remit summary --by reason --month 2026-10 --svg reasons.svg',
    'remit summary --as-of 2026-10-31',
  ],
  read: (input) => ({
    ...readAsOf(input.flags),
    by: (input.flags.by ?? 'corridor') as Grouping,
    period: readPeriod(input),
    svg: input.flags.svg,
    limits: readLimits(input),
  }),
  async run(context, { asOf, totals, by, period, svg, limits: asked }) {
    const { books } = await booksThatAre(context);
    const { zone, process, globals } = context;
    const now = (await reachOf(books)).known;
    if (asOf !== undefined) return showDay(context, books, { to: endOf(asOf, { now, zone }), totals });
    const time = periodOf(period, { now, zone });
    const made = await summaryOf(context, books, { ...time, by });
    if (svg !== undefined) await writeSvg(context, svg, made);
    const { rows } = made;
    const limits = limitsOf(context, asked);
    const printed = await printKept(context, limits, {
      view: isScreen(process, globals) ? barView(made) : summaryView,
      what: 'rows',
      pages: rowsAtOnce(rows),
      total: rows.length,
      notes: [...summaryNotes(context, made), ...(await closedNotes(books, await books.closings(), made))],
    });
    const exit = isShort(context, made) ? exitCodes.pending : exitCodes.ok;
    return { ...printed, exit: printed.exit ?? exit };
  },
});

/** @throws Problem (usage) where a time is given beside the day */
function readAsOf({
  asOf,
  totals,
  by,
  svg,
  ...time
}: Record<'asOf' | 'by' | 'svg' | 'month' | 'since' | 'until', string | undefined> & {
  totals: boolean;
}) {
  if (asOf === undefined && totals) throw usage('--totals goes with --as-of');
  const { month, since, until } = time;
  if (asOf !== undefined && [by, svg, month, since, until].some((one) => one !== undefined))
    throw usage(
      '--as-of counts by currency and age at one moment',
      'leave --by, --svg and the other times out',
    );
  return { asOf: asOf === undefined ? undefined : readWhen(asOf, 'as-of'), totals };
}

async function showDay(
  context: Context,
  books: Parameters<typeof inFlightOf>[1],
  { to, totals }: { to: number; totals: boolean },
): Promise<Result> {
  const made = await inFlightOf(context, books, { to });
  const exit = exitOfEnding(endingOfDay(context, made));
  const notes = notesOfDay(context, made);
  return totals
    ? wholeList(dayBalanceView, made.balances, { exit, notes })
    : wholeList(inFlightView, made.rows, { exit, notes });
}

/** @throws Problem (usage) where there is one of this name */
async function writeSvg(context: Context, path: string, made: Summary): Promise<void> {
  const [{ makeOwnFile }, { summarySvg }] = await Promise.all([
    import('../../disk/own-file.ts'),
    import('./views/summary-svg.ts'),
  ]);
  const { zone, process } = context;
  const picture = summarySvg(context.masked(made.rows), {
    title: `Payouts by ${made.by}`,
    below: `${periodWords(made, zone)}, time zone ${zone}; the books are complete until ${isoTime(made.knownUntil).slice(0, 16).replace('T', ' ')} UTC`,
  });
  const whole = resolve(process.cwd, path);
  if (!makeOwnFile(whole, Buffer.from(picture), { draft: `${whole}.${context.newId()}.part` }))
    throw usage(`${path} is there already`, 'choose another name, or remove it');
  context.note(`The picture is in ${path}.`);
}
