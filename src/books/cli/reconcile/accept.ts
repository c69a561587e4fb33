/**
 * Decisions that are added to the file of rules: suggestions that the user accepts, one by one on a terminal or by their exact number, and what
 * was decided in a table. On a terminal each answer is kept at once: if the process dies, what was answered stands, and the rest is asked again.
 */
import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { counted } from '../../../core/amount-words.ts';
import { hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { replaceOwnFile } from '../../../disk/own-file.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { sideWords } from '../../reconcile/cases.ts';
import { dayIn, dayText } from '../../reconcile/days.ts';
import type { Decisions } from '../../reconcile/decisions.ts';
import { isDifference } from '../../reconcile/endings.ts';
import type { Reconciled } from '../../reconcile/reconcile.ts';
import { type RuledDecision, withDecisions } from '../../reconcile/rules.ts';
import { openSuggestions, type ShownCase, shownCases } from '../../reconcile/shown.ts';

/** A comparison, the decisions so far, and the file of rules. */
interface Decided {
  reconciled: Reconciled;
  decisions: Decisions;
  file: string;
}

/** @throws Problem (usage) where there are more or fewer than the user saw */
export async function acceptNumber(
  context: Context,
  decided: Decided,
  { accept, because }: { accept: number; because: string | undefined },
): Promise<void> {
  const open = openSuggestions(decided.reconciled, decided.decisions);
  if (open.length !== accept)
    throw usage(
      `there ${open.length === 1 ? 'is' : 'are'} ${counted(open.length, 'suggestion')} to accept, and not ${accept}: nothing was accepted`,
      hint`look at them; ${{ give: 'accept', value: String(open.length) }} accepts so many`,
    );
  await keep(
    context,
    decided,
    open.map((one) => acceptanceOf(context, one, because)),
  );
}

export async function askEach(context: Context, decided: Decided): Promise<void> {
  const { askConfirm } = await import('../../../frame/terminal/prompt.ts');
  for (const one of openSuggestions(decided.reconciled, decided.decisions))
    if (await askConfirm(context, questionOf(one)))
      await keep(context, decided, [acceptanceOf(context, one)]);
}

/** Adds what was decided in a table to the rules, where a difference of this run has it and the rules say nothing of it. */
export async function takeOver(context: Context, decided: Decided, table: string): Promise<void> {
  const found = [...shownCases(decided.reconciled, decided.decisions, isDifference)].filter(
    ({ decision, decided_by: by }) => decision === 'accept' && by === null,
  );
  await keep(
    context,
    decided,
    found.map((one) => signed(context, one.case, one.note || `decided in ${table}`)),
  );
  if (found.length > 0)
    context.note(
      `${counted(found.length, 'decision')} of ${table} ${found.length === 1 ? 'was' : 'were'} added to ${decided.file}.`,
    );
}

const signed = ({ by, clock, zone }: Context, id: string, why: string): RuledDecision => {
  const when = dayText(dayIn(zone)(clock.now())) ?? '';
  return { id, what: 'accept', who: by.user ?? 'somebody', when, why: why.slice(0, 500) };
};

const acceptanceOf = (
  context: Context,
  { suggestion }: ShownCase,
  because = `${suggestion?.rule}: ${suggestion?.words}`,
): RuledDecision => signed(context, suggestion?.id ?? '', because);

function questionOf({ ledger, other, suggestion }: ShownCase): string {
  const sides = [ledger, other].flatMap((one) => (one === null ? [] : [sideWords(one)]));
  return `${sides.join(' and ')}: ${suggestion?.words} (${suggestion?.rule}). Accept it?`;
}

async function keep(
  context: Context,
  { decisions, file }: Decided,
  added: readonly RuledDecision[],
): Promise<void> {
  if (added.length === 0) return;
  const given = resolve(context.process.cwd, file);
  // A link stays one: the file that it names is replaced.
  const path = await realpath(given).catch(() => given);
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  replaceOwnFile(path, await withDecisions(before, added, file));
  for (const { id, what, why, who, when } of added)
    decisions.set(id, { decision: what, note: why, by: who, on: when });
}
