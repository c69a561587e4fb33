import { counted, money } from '../../core/amount-words.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { type Hint, hint } from '../../core/next.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { isScreen } from '../../frame/terminal/rendering.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { limitsOf } from '../../payments/cli/output/limits.ts';
import { printKept } from '../../payments/cli/output/show-list.ts';
import { type Result, wholeList } from '../../payments/cli/result.ts';
import { accountWords } from '../reconcile/accounts.ts';
import { dayText } from '../reconcile/days.ts';
import type { Decisions } from '../reconcile/decisions.ts';
import { isDifference, type RowEnding } from '../reconcile/endings.ts';
import type { Reconciled } from '../reconcile/reconcile.ts';
import { chargesOf, countCases, type LineCounts, openSuggestions, shownCases } from '../reconcile/shown.ts';
import type { ReconciledTotal } from '../reconcile/totals.ts';
import { type ReconcileFlags, readReconcile, reconcileFlags } from './flags/reconcile.ts';
import { decisionsIn, reconcileRequest, rulesIn } from './reconcile/request.ts';
import { pagesOf, writeExceptions } from './reconcile/rows.ts';
import { bankAccountView, caseView, totalView } from './views/reconcile.ts';

export const command = defineCommand({
  description: `Compares a ledger (CSV) with the service, or with bank statements, and lists what differs. Payments are matched by their ids, then by reference, amount, currency and date; never by the amount alone. Every row of each side ends in exactly one way, and the totals of both sides are the sums of these endings. It ends with 0 where nothing differs or all differences are accepted, and with 10 where something does.`,
  args: [{ name: 'LEDGER', summary: 'the ledger, a CSV file; - reads standard input' }],
  flags: reconcileFlags,
  shows: [caseView, totalView, bankAccountView],
  isTabular: true,
  effect: 'read',
  exits: [exitCodes.check],
  examples: [
    'remit reconcile ledger.csv --month 2026-11',
    'remit reconcile ledger.csv --against reports --against bank.xml --totals',
    'remit reconcile ledger.csv --exceptions open.csv',
    'remit reconcile ledger.csv --decisions decided.csv -o csv',
    'remit reconcile ledger.csv --against bank.xml --rules rules.yaml',
    'remit reconcile ledger.csv --against bank.xml --rules rules.yaml --accept 1 --because "the rent of January"',
  ],
  read: readReconcile,
  async run(context, options) {
    // The file of rules is made by the first suggestion that is accepted.
    const mayBeNew = context.interactive || options.accept !== undefined;
    const rules = await rulesIn(context, options.rules, { mayBeNew });
    const decisions = await decisionsIn(context, options.decisions, rules);
    const { reconcile: compare } = await import('../reconcile/reconcile.ts');
    const request = await reconcileRequest(context, options, rules);
    const reconciled = await compare(context, { ...request, month: options.month });
    await keepDecisions(context, options, { reconciled, decisions });
    const { endings, exceptions } = options;
    const wanted = (ending: RowEnding): boolean =>
      endings.length === 0 ? isDifference(ending) : endings.includes(ending);
    const counts = countCases(reconciled, decisions, wanted);
    if (exceptions !== undefined)
      await writeExceptions(context, exceptions, shownCases(reconciled, decisions, isDifference));
    const { totalsOf } = await import('../reconcile/totals.ts');
    const totals = reconciled.found.flatMap(totalsOf);
    const exit = counts.open > 0 ? exitCodes.check : exitCodes.ok;
    const notes = notesOf(context, { reconciled, decisions }, counts);
    if (options.totals) return wholeList(totalView, totals, { exit, notes });
    if (options.balances) return wholeList(bankAccountView, [...reconciled.accounts], { exit, notes });
    const limits = limitsOf(context, options.limits);
    // The screen shows the open cases; a file has all, with the decisions.
    const isOpenOnly = endings.length === 0 && isScreen(context.process, context.globals);
    const printed = await printKept(context, limits, {
      view: caseView,
      what: 'rows',
      pages: pagesOf(shownCases(reconciled, decisions, wanted, isOpenOnly)),
      total: isOpenOnly ? counts.open : counts.wanted,
      notes: [...totalNotes(totals), ...notes],
      totals: { view: totalView, rows: totals },
    });
    const shown = printed.exit === undefined ? { ...printed, exit } : printed;
    const ask =
      isOpenOnly && context.interactive
        ? await suggestionsToAsk(context, options, { reconciled, decisions })
        : undefined;
    if (ask === undefined) return shown;
    return 'done' in shown ? ask() : { ...shown, goOn: ask };
  },
});

interface Compared {
  reconciled: Reconciled;
  decisions: Decisions;
}

/** On a terminal each suggestion is asked about. Undefined where there is none, or no file to keep the answers. */
async function suggestionsToAsk(
  context: Context,
  { rules: file }: ReconcileFlags,
  { reconciled, decisions }: Compared,
): Promise<(() => Promise<Result>) | undefined> {
  if (file === undefined) return undefined;
  if (openSuggestions(reconciled, decisions).length === 0) return undefined;
  const { askEach } = await import('./reconcile/accept.ts');
  return async () => {
    let counts: LineCounts;
    try {
      await askEach(context, { reconciled, decisions, file });
    } finally {
      // Suggestions that the user accepted before stopping are kept.
      counts = countCases(reconciled, decisions, isDifference);
      for (const note of notesOf(context, { reconciled, decisions }, counts)) context.note(note);
    }
    return { done: true, exit: counts.open > 0 ? exitCodes.check : exitCodes.ok };
  };
}

/** Adds to the rules what was decided in a table, and the suggestions that are accepted by their number. */
async function keepDecisions(
  context: Context,
  { rules: file, decisions: table, accept, because }: ReconcileFlags,
  compared: Compared,
): Promise<void> {
  if (file === undefined || (table === undefined && accept === undefined)) return;
  const { acceptNumber, takeOver } = await import('./reconcile/accept.ts');
  if (accept !== undefined) await acceptNumber(context, { ...compared, file }, { accept, because });
  if (table !== undefined) await takeOver(context, { ...compared, file }, table);
}

/** `ledger EUR: matched 41.20 (3) + only in ledger 5.00 (1) = 46.20 (4)`. */
function totalNotes(totals: readonly ReconciledTotal[]): string[] {
  const lines = new Map<string, string>();
  const parts = new Map<string, string[]>();
  for (const { against, side, currency, ending, rows, amount } of totals) {
    const name = `${side === 'ledger' ? `ledger, against ${against}` : against}`;
    const key = `${name} ${currency}`;
    const words = `${money(amount, currency)} (${rows})`;
    if (ending !== null)
      parts.set(key, [...(parts.get(key) ?? []), `${ending.replaceAll('_', ' ')} ${words}`]);
    else lines.set(key, `${name}: ${parts.get(key)?.join(' + ')} = ${words}`);
  }
  return [...lines.values()];
}

function notesOf(context: Context, { reconciled, decisions }: Compared, counts: LineCounts): Hint[] {
  const { period, found } = reconciled;
  const accepted = counts.differences - counts.open;
  return [
    period === undefined
      ? 'The ledger has no dates: all of its rows were compared.'
      : `Compared from ${dayText(period.first)} to ${dayText(period.last)}; days are those of the time zone ${context.zone}.`,
    ...(counts.edges === 0
      ? []
      : [
          `${counted(counts.edges, 'row')} ${counts.edges === 1 ? 'is' : 'are'} at an end of this time: another time zone, or a day more, may bring the other half.`,
        ]),
    ...(counts.justOutside === 0
      ? []
      : [
          `${counted(counts.justOutside, 'row')} just outside of this time ${counts.justOutside === 1 ? 'is' : 'are'} left out, and another time zone would have ${counts.justOutside === 1 ? 'it' : 'them'} in it.`,
        ]),
    ...(accepted === 0
      ? []
      : [`${counted(accepted, 'difference')} ${accepted === 1 ? 'is' : 'are'} accepted.`]),
    ...(counts.strange === 0
      ? []
      : [
          `${counted(counts.strange, 'decision')} ${counts.strange === 1 ? 'fits' : 'fit'} no difference any more.`,
        ]),
    ...reconciled.accounts.map(accountWords),
    ...chargeNotes(found),
    ...suggestionNote(reconciled, decisions),
    counts.open === 0
      ? `Nothing is left to look at${found.length === 0 ? '' : ` against ${found.map(({ right }) => right.side.name).join(' and ')}`}.`
      : `${counted(counts.open, 'difference')} to look at.`,
  ];
}

/** Bank charges that a tolerance allows, by currency, accepted or not: they cost money all the same. */
function chargeNotes(found: Reconciled['found']): string[] {
  const sums = chargesOf(found);
  if (sums.length === 0) return [];
  const words = sums.map(({ currency, amount, rows }) => `${money(amount, currency)} (${rows})`);
  return [`Bank charges within the tolerances: ${words.join(', ')}.`];
}

/** Suggestions are not decisions: they stay differences until the user accepts them. */
function suggestionNote(reconciled: Reconciled, decisions: Decisions): Hint[] {
  const open = openSuggestions(reconciled, decisions);
  const count = open.length;
  if (count === 0) return [];
  const byRule = groupedBy(open, ({ suggestion }) => suggestion?.rule);
  const rules = [...byRule].map(([rule, { length }]) => `${length} by ${rule}`).join(', ');
  return [
    hint`${counted(count, 'suggestion')} (${rules}), which count${count === 1 ? 's' : ''} for nothing until you accept ${count === 1 ? 'it' : 'them'}. On a terminal ${{ give: 'rules', value: 'FILE' }} asks about each; ${{ give: 'accept', value: String(count) }} accepts ${count === 1 ? 'it' : 'them all'}.`,
  ];
}
