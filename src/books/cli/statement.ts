/** A statement tells what a balance was, what moved it, and what it is then: from the books, without the service. */
import { setFlagsFromString } from 'node:v8';
import type { Hint } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import { type ExitCode, exitCodes, exitOfEnding } from '../../frame/exit-codes.ts';
import { readCurrency } from '../../frame/flags/currency.ts';
import { flags, type Input } from '../../frame/flags/flag.ts';
import { parseTextFile, readTextFile } from '../../frame/flags/text-file.ts';
import { documentOut } from '../../frame/output/stream-out.ts';
import { defineCommand, type OptionsOf } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { listFlags, readLimits } from '../../payments/cli/flags/listing.ts';
import { periodFlags, readPeriod } from '../../payments/cli/flags/when.ts';
import { limitsOf } from '../../payments/cli/output/limits.ts';
import { printKept } from '../../payments/cli/output/show-list.ts';
import { type Result, wholeList } from '../../payments/cli/result.ts';
import { unknownMargins } from '../../payments/cost.ts';
import { periodOf } from '../../payments/lists/statement-period.ts';
import { storeAccountOf } from '../../payments/shared-store.ts';
import { closedNotes } from '../closings.ts';
import { JOURNAL_FORMATS, type JournalName } from '../journal/formats.ts';
import { booksThatAre, type OpenedBooks } from '../open-books.ts';
import { reachOf } from '../reach.ts';
import { statementLines } from '../statement/lines.ts';
import { type Statement, statementOf } from '../statement/statement.ts';
import { endingOf, statementNotes, totalNote } from '../statement/told.ts';
import { lineView, totalsView } from './views/statement.ts';

type StatementOptions = OptionsOf<typeof command>;

const statementFlags = flags({
  currency: { value: 'currency', summary: 'only this balance' },
  ...periodFlags,
  fromFirstSeen: { summary: 'begin where each balance was first seen, if that is later' },
  totals: { summary: 'what the lines come to, a row for each balance' },
  camt053: { summary: 'print it as ISO 20022 camt.053.001.08, in XML' },
  journal: {
    value: 'format',
    choices: [...JOURNAL_FORMATS],
    summary: 'print it as a journal in double entry, for this program',
  },
  columns: {
    value: 'file',
    summary: 'print it as a table for another program, in the columns of this YAML or JSON file',
  },
  accounts: {
    value: 'file',
    summary: 'the names of your accounts, in YAML or JSON, for --journal and --columns',
  },
  opening: { summary: 'begin the journal with the opening balances: for the first file of a ledger' },
  unproved: { summary: 'print the journal though the statement does not prove itself' },
  ...listFlags,
});

export const command = defineCommand({
  description: `The opening balance, every debit, refund and collection, what no payment explains (such as a top-up), and the closing balance; from the books on this machine (remit books sync), so the service is asked for nothing. Days are those of your time zone, which is printed. It ends with 10 where the movements do not lead from the opening to the closing balance, where money left that no payment explains, or where nobody saw the opening balance since the books began later, and with 8 where the books do not reach the end of the time.

--camt053 prints it as ISO 20022 camt.053.001.08. --journal prints it as entries in double entry, for ${JOURNAL_FORMATS.join(', ')}, and --columns as a table that another program imports (docs/journal.md). The same books give the same bytes.`,
  flags: statementFlags,
  shows: [lineView, totalsView],
  isTabular: true,
  exits: [exitCodes.check, exitCodes.pending],
  examples: [
    'remit statement --month 2026-10 --currency EUR',
    'remit statement --since 2026-10-01 --until 2026-10-15 -o csv > october.csv',
    'remit statement --month 2026-10 --totals --zone Europe/Lisbon',
    'remit statement --month 2026-10 -o xlsx > october.xlsx',
    'remit statement --month 2026-10 --camt053 > october.xml',
    'remit statement --month 2026-10 --journal hledger --accounts accounts.yaml > october.journal',
    'remit statement --month 2026-10 --currency EUR --columns xero-bank.yaml > october.csv',
  ],
  read(input) {
    const currency = input.flags.currency;
    return {
      currency: currency === undefined ? undefined : readCurrency(currency),
      period: readPeriod(input),
      totals: input.flags.totals,
      fromFirstSeen: input.flags.fromFirstSeen,
      camt: input.flags.camt053,
      ...readJournal(input),
      limits: readLimits(input),
    };
  },
  async run(context, options): Promise<Result> {
    const { currency, period, totals, fromFirstSeen, camt, limits: asked } = options;
    keepSmall();
    const { books } = await booksThatAre(context);
    const { zone } = context;
    const time = periodOf(period, { now: (await reachOf(books)).known, zone });
    const made = await statementOf(books, { ...time, currency, fromFirstSeen, withCosts: totals });
    const exit = exitOfEnding(endingOf(context, made));
    const notes = [...statementNotes(context, made), ...(await closedNotes(books, made.closings, made))];
    if (totals)
      return wholeList(
        totalsView,
        made.accounts.map((one) => one.totals),
        {
          exit,
          notes: [
            ...notes,
            ...unknownMargins(made.accounts.reduce((all, one) => all + one.totals.margin_unknown, 0)),
          ],
        },
      );
    const pages = statementLines(books, made, context.mask);
    if (options.journal ?? options.columns)
      return printJournal(context, { books, made, options, exit, notes });
    if (camt) return printCamt(context, made, { lines: pages, exit, notes });
    const limits = limitsOf(context, asked);
    const total = made.accounts.reduce((sum, { totals: own }) => sum + own.movements + 2, 0);
    const printed = await printKept(context, limits, {
      view: lineView,
      what: 'lines',
      pages,
      total,
      notes: [...made.accounts.map(totalNote), ...notes],
      totals: { view: totalsView, rows: made.accounts.map((one) => one.totals) },
    });
    return { ...printed, exit: printed.exit ?? exit };
  },
});

/**
 * Keeps the memory of this process, which is ours, small: from now on garbage is taken out sooner. A statement is written as it is read,
 * and what is done with is garbage at once; by default V8 lets that grow to ten times of what is in use before it looks. A statement of
 * 100,000 lines has 150 MB that way, and 95 MB so.
 */
function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
}

/** @throws Problem (usage) where flags are given that go with a journal alone */
function readJournal({
  flags: { journal, columns, accounts, opening, unproved, camt053, totals },
}: Input<typeof statementFlags>) {
  const isJournal = journal !== undefined || columns !== undefined;
  if (!isJournal && (accounts !== undefined || opening || unproved))
    throw usage('--accounts, --opening and --unproved go with --journal or --columns');
  if (isJournal && (camt053 || totals))
    throw usage('a journal, --camt053 and --totals print different things: take one of them');
  if (journal !== undefined && columns !== undefined)
    throw usage('--journal and --columns print different things: take one of them');
  return { journal: journal as JournalName | undefined, columns, accounts, opening, unproved };
}

async function printJournal(
  context: Context,
  {
    books,
    made,
    options: { journal = 'csv', columns, accounts, opening, unproved },
    exit,
    notes,
  }: {
    books: OpenedBooks['books'];
    made: Statement;
    options: StatementOptions;
    exit: ExitCode;
    notes: readonly Hint[];
  },
): Promise<Result> {
  const [{ journalOf }, { readAccounts }, { readColumns }] = await Promise.all([
    import('../journal/journal.ts'),
    import('../journal/accounts.ts'),
    import('../journal/columns.ts'),
  ]);
  const readFrom = async <T>(
    file: string | undefined,
    read: (content: Record<string, unknown>, file: string) => T,
  ) =>
    file === undefined
      ? undefined
      : read(await parseTextFile(await readTextFile(context.process, file), file), file);
  const {
    pieces,
    isLatin,
    notes: own,
  } = await journalOf(context, books, made, {
    ...{ format: journal, opening, unproved },
    columns: await readFrom(columns, readColumns),
    accounts: await readFrom(accounts, readAccounts),
  });
  const out = documentOut(context, isLatin ? 'latin1' : 'utf8');
  for await (const text of pieces) if (!(await out(text))) break;
  for (const note of [...notes, ...own()]) context.note(note);
  return { done: true, exit };
}

type StatementLines = ReturnType<typeof statementLines>;

async function printCamt(
  context: Context,
  made: Statement,
  { lines, exit, notes }: { lines: StatementLines; exit: ExitCode; notes: readonly Hint[] },
): Promise<Result> {
  const { camt053 } = await import('../statement/camt.ts');
  const account = storeAccountOf(await context.connection()).short;
  const out = documentOut(context);
  for await (const text of camt053(made, lines, { account, zone: context.zone }))
    if (!(await out(text))) break;
  for (const note of notes) context.note(note);
  return { done: true, exit };
}
