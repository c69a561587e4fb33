import { resolve } from 'node:path';
import { counted } from '../../../core/amount-words.ts';
import { hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result, wholeList } from '../../../payments/cli/result.ts';
import { readMonth } from '../../../payments/lists/statement-period.ts';
import { closeMonth, finishClosing } from '../../closing/close.ts';
import { examineMonth } from '../../closing/examine.ts';
import { closingManifestShape } from '../../closing/shapes.ts';
import { booksThatAre } from '../../open-books.ts';
import { comparisonFlags, readComparison } from '../flags/reconcile.ts';
import { papersOf, Sources } from '../reconcile/closing-papers.ts';
import { decisionsIn, reconcileRequest, rulesIn } from '../reconcile/request.ts';
import { monthClosedView, openPointView } from '../views/closing.ts';

export const command = defineCommand({
  description: `Writes the papers of a month into a new folder: its statement, its summary, what was in flight at its end, the comparison of your ledger with the bank and the books, what people decided, copies of the files that were compared, and a manifest with the digest of each. From then on the books date nothing into that month: what changes it is a correction in the month in which it comes, and remit books sync, remit books status and remit statement say so. Nothing is locked at the service: a payment can still be refunded there.

Differences that nobody explained are listed, and nothing is closed (10). --with-open closes all the same, and lists them in the folder. A month that is not over, or is closed, is refused (2); books that do not reach its end are too early (8).`,
  args: [{ name: 'MONTH', summary: 'such as 2026-10, in your time zone' }],
  flags: {
    ledger: { value: 'file', summary: 'your ledger, a CSV file; it is needed; - reads standard input' },
    ...comparisonFlags,
    withOpen: { summary: 'close though differences are open, and list them' },
    again: { summary: 'the month is closed: write its papers again; the books keep the new manifest' },
    folder: { value: 'folder', summary: 'a new folder for the papers; books-MONTH here if you do not say' },
  },
  shows: [monthClosedView, openPointView],
  tells: [closingManifestShape],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.check, exitCodes.pending],
  examples: [
    'remit books close 2026-10 --ledger ledger.csv --against bank.xml',
    'remit books close 2026-10 --ledger ledger.csv --against books --against bank.xml --rules rules.yaml',
    'remit books close 2026-10 --ledger ledger.csv --against bank.xml --with-open --folder closed/2026-10',
  ],
  read(input) {
    const month = readMonth(input.args[0] ?? '');
    const { ledger, folder = `books-${month}`, withOpen, again } = input.flags;
    if (ledger === undefined) throw usage('--ledger is needed', 'such as --ledger ledger.csv');
    return { month, folder, withOpen, again, comparison: readComparison(input, ledger, 'books') };
  },
  async run(context, { month, folder: name, withOpen, again, comparison }) {
    const { books } = await booksThatAre(context);
    const folder = resolve(context.process.cwd, name);
    const finished = await finishClosing(books, month, folder);
    if (finished !== undefined)
      return result(monthClosedView, finished, {
        notes: [`${month} was closed already, and its folder was not finished: it is now.`],
      });
    const sources = new Sources(context);
    const rules = await rulesIn(context, comparison.rules, { bytesOf: sources.of('your rules') });
    const decisions = await decisionsIn(
      context,
      comparison.decisions,
      rules,
      sources.of('decisions that were read'),
    );
    const [ledger, bank] = [sources.of('your ledger'), sources.of('the statement of a bank')];
    const reconciliation = await reconcileRequest(context, comparison, rules, (file) =>
      file === comparison.file ? ledger(file) : bank(file),
    );
    const made = await examineMonth(context, books, { month, reconciliation, decisions, again });
    if (made.open.length > 0 && !withOpen)
      return wholeList(openPointView, made.open, {
        exit: exitCodes.check,
        notes: [
          hint`${month} is not closed: ${counted(made.open.length, 'difference')} ${made.open.length === 1 ? 'is' : 'are'} open. ${{ give: 'with_open' }} closes it all the same, and lists them.`,
        ],
      });
    const papers = await papersOf(context, books, made, sources);
    const closed = await closeMonth(context, books, made, { folder, papers, withOpen, again });
    return result(monthClosedView, closed, {
      notes: [
        hint`Nothing is locked at the service. Keep the digest of the manifest apart from the folder. Read it back: ${{ do: 'verify_closing', folder: name }}`,
      ],
    });
  },
});
