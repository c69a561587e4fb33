/** Tools that read the books: search, statements and summaries. */
import * as z from 'zod';
import { unsent } from '../../core/problem.ts';
import type { ToolCall } from '../call.ts';
import {
  amountField,
  asAmount,
  asCurrency,
  asTime,
  currencyField,
  theirs,
  theirsOrNull,
  timeField,
} from '../text.ts';
import { given, tool } from '../tool.ts';
import { MOST, notes, payoutCount, payoutOutput, shownPayout, toolNotes } from '../tools/look.ts';

const amountOrNull = (description: string) => amountField(description).nullable();

export const searchTool = tool({
  name: 'search',
  title: 'Search payouts',
  description:
    'Finds payouts by what somebody can read out: a name, the end of an account or phone number, an amount, an id, a reference. Looks in the books of this machine; without books, through the newest payments of the service.',
  input: {
    words: given.text('Words that all have to fit, such as: obi 6789'),
    since: given.text('The first day of creation, such as 2026-10-01').optional(),
    until: given.text('The last day of creation').optional(),
  },
  output: { payouts: z.array(payoutOutput), notes },
  async run(call, { words, since, until }) {
    const { lookFor } = await import('../../books/look-for.ts');
    const found = await lookFor(call.desk, { words, since, until, limit: MOST });
    return {
      says: `Found ${payoutCount(found.rows.length)}.`,
      data: {
        payouts: found.rows.map(({ row, why }) => shownPayout(call, row, why)),
        notes: toolNotes(call, found.notes),
      },
    };
  },
});

const period = {
  month: given.text('A month, such as 2026-10; this month where no time is said').optional(),
  since: given.text('The first day, such as 2026-10-01').optional(),
  until: given.text('The last day').optional(),
};

async function periodIn(
  call: ToolCall,
  { month, since, until }: { [Name in keyof typeof period]?: string | undefined },
) {
  const [{ whenOf }, { periodOf }, { booksThatAre }, { reachOf }] = await Promise.all([
    import('../../payments/lists/period.ts'),
    import('../../payments/lists/statement-period.ts'),
    import('../../books/open-books.ts'),
    import('../../books/reach.ts'),
  ]);
  const { books } = await booksThatAre(call.desk);
  const [from, to] = [since, until].map((text) => {
    const when = text === undefined ? undefined : whenOf(text);
    if (text !== undefined && when === undefined)
      throw unsent('usage', 'bad_time', 'this is no day, month or time', 'such as 2026-10-01 or 2026-10');
    return when;
  });
  if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw unsent('usage', 'bad_time', 'this is no month', 'such as 2026-10');
  const { zone } = call.desk;
  const time = periodOf({ month, since: from, until: to }, { now: (await reachOf(books)).known, zone });
  return { books, time };
}

export const statementTool = tool({
  name: 'statement',
  title: 'What moved a balance',
  description:
    'Adds up what moved each balance in a time: opening, paid, refunded, collected, unexplained, closing. From the books of this machine: the service is asked for nothing.',
  input: { ...period, currency: given.text('Only this balance, such as EUR').optional() },
  output: {
    balances: z.array(
      z.strictObject({
        currency: currencyField('Of the balance.').nullable(),
        opening: amountOrNull('At the beginning; null where nobody saw it.'),
        paid: amountOrNull('Paid from the balance.'),
        refunded: amountOrNull('Came back.'),
        collected: amountOrNull('Came in by collections.'),
        unexplained: amountOrNull('Moved, and no payment explains it.'),
        closing: amountOrNull('At the end; null where nobody saw it.'),
        difference: amountOrNull('Anything but 0 is an error in the books.'),
        first_seen: timeField(
          'When the balance was first seen, where that is later than the beginning.',
        ).nullable(),
      }),
    ),
    notes,
  },
  async run(call, { currency: code, ...asked }) {
    const [{ statementOf }, { statementNotes: told, endingOf }] = await Promise.all([
      import('../../books/statement/statement.ts'),
      import('../../books/statement/told.ts'),
    ]);
    const { books, time } = await periodIn(call, asked);
    const made = await statementOf(books, { ...time, currency: code?.toUpperCase() });
    const SAYS = {
      done: 'The lines prove the closing balances.',
      check: 'The statement does not prove itself.',
      pending: 'The books do not reach the end of this time.',
    };
    return {
      says: SAYS[endingOf(call.desk, made)],
      data: {
        balances: made.accounts.map(({ totals }) => ({
          currency: asCurrency(totals.currency),
          opening: asAmount(totals.opening),
          paid: asAmount(totals.gross),
          refunded: asAmount(totals.refunded),
          collected: asAmount(totals.collected),
          unexplained: asAmount(totals.unexplained),
          closing: asAmount(totals.closing),
          difference: asAmount(totals.difference),
          first_seen: asTime(totals.first_seen),
        })),
        notes: toolNotes(call, told(call.desk, made)),
      },
    };
  },
});

export const summaryTool = tool({
  name: 'summary',
  title: 'Payouts in groups',
  description:
    'Counts and adds up payouts of a time in groups. From the books of this machine: the service is asked for nothing.',
  input: { ...period, by: z.enum(['corridor', 'day', 'month', 'state', 'reason']).optional() },
  output: {
    groups: z.array(
      z.strictObject({
        group: theirs('The corridor, the day, the state, the reason.').nullable(),
        input_currency: currencyField('Paid in this.').nullable(),
        output_currency: currencyField('Arrives in this.').nullable(),
        payouts: z.number().int().min(0),
        paid: z.number().int().min(0),
        input_amount: amountOrNull('Paid.'),
        output_amount: amountOrNull('Arrived.'),
        refunded: amountOrNull('Came back.'),
      }),
    ),
    notes,
  },
  async run(call, { by = 'corridor', ...asked }) {
    const [{ summaryOf }, { summaryNotes }] = await Promise.all([
      import('../../books/summary/summary.ts'),
      import('../../books/summary/told.ts'),
    ]);
    const { books, time } = await periodIn(call, asked);
    const made = await summaryOf(call.desk, books, { ...time, by });
    return {
      says: `${made.rows.length} groups.`,
      data: {
        groups: made.rows.slice(0, 100).map((row) => ({
          group: theirsOrNull(row.group),
          input_currency: asCurrency(row.input_currency),
          output_currency: asCurrency(row.output_currency),
          payouts: row.payouts,
          paid: row.paid,
          input_amount: asAmount(row.input_amount),
          output_amount: asAmount(row.output_amount),
          refunded: asAmount(row.refunded),
        })),
        notes: toolNotes(call, summaryNotes(call.desk, made)),
      },
    };
  },
});
