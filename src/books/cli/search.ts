/** Support is told "an account that ends in 4471, about two hundred euros": it is found on this machine, without the service. */

import { thousands } from '../../core/amount-words.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { isScreen } from '../../frame/terminal/rendering.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { listFlags, readListLimit } from '../../payments/cli/flags/listing.ts';
import { result } from '../../payments/cli/result.ts';
import { doneView } from '../../payments/cli/views/triage.ts';
import { seenIn } from '../../payments/lookup/transaction.ts';
import { ageNote, foundRow } from '../found.ts';
import { booksThatAre } from '../open-books.ts';
import { searchBooks } from '../search.ts';
import { foundView, foundViewOf } from './views/search.ts';

const MOST = 20;

export const command = defineCommand({
  description: `Looks in the books on this machine (remit books sync), and asks the service for nothing. Every word must fit: the last digits of an account or a phone number, a part of a name (capitals and accents do not matter), an e-mail address, an id or a reference, an amount, a currency, a day such as 2026-11-20. Each recipient that fits has a row with its own name, account, amount and state; where a word fits the sender alone the row says so. What fits best is first.
On a terminal: choose one, and go on as in remit recipient triage. The service is asked how it stands now; then you see it explained, correct it or cancel it. With -o or --no-input nothing is asked.`,
  args: [{ name: 'TEXT', summary: 'what the customer can read out', many: true }],
  flags: { limit: listFlags.limit },
  shows: [foundView, doneView],
  isTabular: true,
  // The work that one goes on to, on a terminal, is that of the command that is printed then.
  exits: [exitCodes.pending, exitCodes.check, exitCodes.validation, exitCodes.unknown],
  examples: ['remit search 4471 EUR', 'remit search zoe 2026-11-20', 'remit search INV-2044 -o json'],
  read: (input) => ({ words: input.args, limits: readListLimit(input) }),
  async run(context, { words, limits }) {
    const opened = await booksThatAre(context);
    const { books } = opened;
    const limit = limits.limit ?? MOST;
    const { hits, isCut } = await searchBooks(books, {
      words,
      limit: limit + 1,
      zone: context.zone,
      hider: opened.hider?.(),
    });
    const { transactions } = await books.counts();
    const listed = hits.slice(0, limit);
    // The table has short ids: other commands know what they stand for.
    await context.remember(listed.flatMap(({ transaction }) => seenIn(transaction)));
    const shown = listed.map((hit) => context.masked(foundRow(hit)));
    const isWhole = hits.length <= limit && !isCut;
    const more = isWhole ? [] : [`More fit: name another word, or --limit more than ${thousands(limit)}.`];
    return result(foundViewOf(shown, isScreen(context.process, context.globals)), shown, {
      meta: { complete: isWhole, looked_at: transactions, total: null },
      notes: [await ageNote(books), ...(opened.hider === undefined ? [] : [WHOLE_WORDS]), ...more],
      goOn: listed.length > 0 && isAttended(context) ? () => context.attend(listed) : undefined,
    });
  },
});

/** True where a user at a terminal can answer. */
const isAttended = ({ interactive, globals, process }: Context): boolean =>
  interactive && globals.output === undefined && globals.fields === undefined && isScreen(process, globals);

const WHOLE_WORDS =
  'The books are kept without names: a name, an account, a phone number or an e-mail address is found by the whole of it alone.';
