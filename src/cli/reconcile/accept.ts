/**
 * Pairs that perhaps go together, asked about one by one on a terminal. What is accepted is added to the file of decisions at once, a line for each
 * of the two rows: if the process dies, what was answered stands, and the rest is asked again.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { delimiterOf } from '../../desk/payruns/files/csv-lines.ts';
import type { Decisions } from '../../desk/reconcile/decisions.ts';
import { isDifference } from '../../desk/reconcile/endings.ts';
import type { Reconciled } from '../../desk/reconcile/reconcile.ts';
import { money } from '../../desk/words/amount.ts';
import type { Context } from '../context.ts';
import type { ShownCase } from '../views/reconcile.ts';
import { shownCases } from './rows.ts';

/** Two lines, of the ledger and of the statement, that may be one payment. */
interface Pair {
  mine: ShownCase;
  theirs: ShownCase;
}

/** Where nobody decided about them yet. */
export function openPairs(reconciled: Reconciled, decisions: Decisions): Pair[] {
  const waiting = new Map<string, ShownCase>();
  const pairs: Pair[] = [];
  for (const one of shownCases(reconciled, decisions, isDifference)) {
    if (one.perhaps === null || one.decision === 'accept') continue;
    if (one.ledger !== null) waiting.set(`${one.against} ${one.perhaps.line}`, one);
    const mine = one.ledger === null ? waiting.get(`${one.against} ${one.other?.line}`) : undefined;
    if (mine !== undefined) pairs.push({ mine, theirs: one });
  }
  return pairs;
}

/** `decisions` has what was accepted too. */
export async function acceptPairs(
  context: Context,
  { pairs, decisions, file }: { pairs: readonly Pair[]; decisions: Decisions; file: string },
): Promise<void> {
  const { askConfirm } = await import('../terminal/prompt.ts');
  for (const pair of pairs) {
    if (!(await askConfirm(context, questionOf(pair)))) continue;
    const note = `line ${pair.mine.ledger?.line} of the ledger is line ${pair.theirs.other?.line} of ${pair.theirs.against}`;
    const cases = [pair.mine.case, pair.theirs.case];
    await append(resolve(context.world.cwd, file), cases, note);
    for (const name of cases) decisions.set(name, { decision: 'accept', note });
  }
}

function questionOf({ mine, theirs }: Pair): string {
  const { ledger } = mine;
  const { other } = theirs;
  return `${money(ledger?.amount, ledger?.currency)}: ${ledger?.reference ?? ledger?.id} of ${ledger?.day} (line ${ledger?.line}), and "${other?.reference}" of ${other?.day} (line ${other?.line} of ${theirs.against}). The same payment?`;
}

/** By the columns that the file has; a new one has three. The note has no mark that a spreadsheet or a reader of CSV would take for more. */
async function append(path: string, cases: readonly string[], note: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [header = ''] = before.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const begun = before === '' ? 'case,decision,note\n' : /\n$/.test(before) ? '' : '\n';
  const delimiter = delimiterOf(header);
  const names = (header === '' ? 'case,decision,note' : header)
    .split(delimiter)
    .map((one) => one.trim().toLowerCase());
  const lines = cases.map((name) => {
    const cells: Readonly<Record<string, string>> = {
      case: name,
      decision: 'accept',
      note: `"${note.replaceAll('"', '""')}"`,
    };
    return names.map((one) => cells[one.replaceAll('"', '')] ?? '').join(delimiter);
  });
  await appendFile(path, `${begun}${lines.join('\n')}\n`, { mode: 0o600 });
}
