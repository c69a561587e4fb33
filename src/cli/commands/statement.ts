/** A statement tells what a balance was, what moved it, and what it is then: from the books, without the service. */
import { isoTime } from '../../core/clock.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { isZero } from '../../core/money.ts';
import { type Said, said } from '../../core/next.ts';
import type { Books } from '../../core/ports/books.ts';
import { booksThatAre } from '../../desk/books/open-books.ts';
import { reachOf } from '../../desk/books/reach.ts';
import { linesOf } from '../../desk/statement/lines.ts';
import { type AskedPeriod, isShort, periodOf, periodWords } from '../../desk/statement/period.ts';
import {
  type Account,
  lost,
  type Statement,
  type Step,
  statementOf,
} from '../../desk/statement/statement.ts';
import { accountOf, type StoreChoice } from '../../desk/webhooks/open-inbox.ts';
import { counted, money } from '../../desk/words/amount.ts';
import { booksPlace } from '../ask/password.ts';
import { command, type Result, wholeList } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { readCurrency } from '../flags/currency.ts';
import { type AskedLimit, listFlags, readLimits } from '../flags/listing.ts';
import { periodFlags, readPeriod } from '../flags/period.ts';
import { readStore, sharedStoreFlags } from '../flags/store.ts';
import { keepSmall } from '../output/keep-small.ts';
import { limitsOf } from '../output/limits.ts';
import { printKept } from '../output/show-list.ts';
import { documentOut } from '../output/stream-out.ts';
import { lineView, totalsView } from '../views/statement.ts';

interface StatementOptions {
  currency: string | undefined;
  period: AskedPeriod;
  totals: boolean;
  fromFirstSeen: boolean;
  camt: boolean;
  limits: AskedLimit;
  store: StoreChoice;
}

export { statement as command };

const statement = command({
  description: `The opening balance, every debit, refund and collection, what no payment explains (such as a top-up), and the closing balance; from the books on this machine (remit books sync), so the service is asked for nothing. Days are those of your time zone, which is printed. It ends with 10 where the movements do not lead from the opening to the closing balance, where money left that no payment explains, or where nobody saw the opening balance since the books began later, and with 8 where the books do not reach the end of the time.

--camt053 prints it as ISO 20022 camt.053.001.08. The same books give the same bytes.`,
  flags: {
    currency: { value: 'currency', summary: 'only this balance' },
    ...periodFlags,
    fromFirstSeen: { summary: 'begin where each balance was first seen, if that is later' },
    totals: { summary: 'what the lines come to, a row for each balance' },
    camt053: { summary: 'print it as ISO 20022 camt.053.001.08, in XML' },
    ...listFlags,
    ...sharedStoreFlags,
  },
  shows: [lineView, totalsView],
  exits: [exitCodes.check, exitCodes.pending],
  examples: [
    'remit statement --month 2026-10 --currency EUR',
    'remit statement --since 2026-10-01 --until 2026-10-15 -o csv > october.csv',
    'remit statement --month 2026-10 --totals --zone Europe/Lisbon',
    'remit statement --month 2026-10 --camt053 > october.xml',
  ],
  read(input): StatementOptions {
    const currency = input.flags.currency;
    return {
      currency: currency === undefined ? undefined : readCurrency(currency),
      period: readPeriod(input),
      totals: input.flags.totals,
      fromFirstSeen: input.flags.fromFirstSeen,
      camt: input.flags.camt053,
      limits: readLimits(input),
      store: readStore(input),
    };
  },
  async run(context, { currency, period, totals, fromFirstSeen, camt, limits: asked, store }) {
    keepSmall();
    const { books } = await booksThatAre(context, booksPlace(context, store));
    const { zone } = context;
    const time = periodOf(period, { now: (await reachOf(books)).known, zone });
    const made = await statementOf(books, { ...time, currency, fromFirstSeen });
    const exit = exitOf(context, made);
    const notes = notesOf(context, made);
    if (totals)
      return wholeList(
        totalsView,
        made.accounts.map((one) => one.totals),
        { exit, notes },
      );
    if (camt) return printCamt(context, books, { made, exit, notes });
    const limits = limitsOf(context, asked);
    const lines = made.accounts.reduce((sum, { totals: own }) => sum + own.movements + 2, 0);
    const printed = await printKept(context, limits, {
      view: lineView,
      what: 'lines',
      pages: linesOf(books, made, context.mask),
      total: lines,
      notes: [...made.accounts.map(totalNote), ...notes],
    });
    return { ...printed, exit: printed.exit ?? exit };
  },
});

async function printCamt(
  context: Context,
  books: Books,
  { made, exit, notes }: { made: Statement; exit: ExitCode; notes: readonly Said[] },
): Promise<Result> {
  const { camt053 } = await import('../../desk/statement/camt.ts');
  const account = accountOf(await context.connection()).short;
  const out = documentOut(context);
  for await (const text of camt053(made, linesOf(books, made, context.mask), { account, zone: context.zone }))
    if (!(await out(text))) break;
  for (const note of notes) context.note(note);
  return { done: true, exit };
}

/** Wrong sums are worse than a time that is not over. */
function exitOf(context: Context, made: Statement): ExitCode {
  const isWrong = made.accounts.some(
    (one) => !isZero(one.totals.difference) || lost(one).length > 0 || one.firstSeen !== undefined,
  );
  if (isWrong) return exitCodes.check;
  return isShort(context, made) ? exitCodes.pending : exitCodes.ok;
}

/** `EUR: 1,000.00 - paid 500.00 + refunded 20.00 …`: each part once, so that it can be added up by hand. */
function totalNote({ currency, totals }: Account): string {
  const { opening, gross, refunded, net, collected, unexplained, closing } = totals;
  const of = (amount: string): string => money(amount, currency) ?? '';
  const parts = [
    opening === null ? 'opening not seen' : `opening ${of(opening)}`,
    `paid ${of(gross)}`,
    `refunded ${of(refunded)} (net ${of(net)})`,
    ...(isZero(collected) ? [] : [`collected ${of(collected)}`]),
    ...(isZero(unexplained) ? [] : [`unexplained ${of(unexplained)}`]),
    closing === null ? 'closing not seen' : `closing ${of(closing)}`,
  ];
  return `${currency}: ${parts.join(', ')}.`;
}

function notesOf({ zone }: Context, made: Statement): Said[] {
  const { accounts, knownUntil: known, to } = made;
  const near = accounts.reduce((sum, { nearAnEnd }) => sum + nearAnEnd, 0);
  return [
    `Movements from ${periodWords(made, zone)}, in the time zone ${zone}, each on its own day. A summary counts payments by the day of their creation.`,
    ...(known < to
      ? [
          said`The books are complete until ${isoTime(known)}: the closing balance is the balance at that time. What is newer: ${{ do: 'sync_books' }}`,
        ]
      : []),
    ...accounts.flatMap(accountNotes),
    ...firstSeenNotes(accounts),
    ...(near === 0
      ? []
      : [
          `${counted(near, 'debit')} may belong to the time before or after: created within the last hour before the beginning or the end of this time, funded at a moment that the service does not say.`,
        ]),
  ];
}

function accountNotes(account: Account): string[] {
  const { currency, totals, steps, later } = account;
  return [
    ...(isZero(totals.difference)
      ? []
      : [`The lines of ${currency} do not add up: ${money(totals.difference, currency)} are left over.`]),
    ...steps.map(
      (step) => `${stepWords(step)} It happened between ${isoTime(step.after)} and ${isoTime(step.at)}.`,
    ),
    ...(later === undefined
      ? []
      : [
          `${stepWords(later)} It happened between ${isoTime(later.after)} and ${isoTime(later.at)}, perhaps within this time.`,
        ]),
  ];
}

/** They are looked at together, so most often it is one moment for all. */
function firstSeenNotes(accounts: readonly Account[]): Said[] {
  return [...groupedBy(accounts, ({ firstSeen }) => firstSeen)].map(([at, all]) => {
    const names = all.map(({ currency }) => currency);
    const whose = names.length === 1 ? `balance in ${names[0]} was` : `balances in ${names.join(', ')} were`;
    return said`The ${whose} first seen at ${isoTime(at)}: nobody saw the opening balance, and a top-up before that would not be found. From then on the lines prove themselves: ${{ give: 'from_first_seen' }} prints those alone.`;
  });
}

const stepWords = ({ currency, amount }: Step): string =>
  amount.startsWith('-')
    ? `${money(amount.slice(1), currency)} left, and no payment explains it: ask the operator.`
    : `${money(amount, currency)} came in, and no payment explains it: perhaps a top-up.`;
