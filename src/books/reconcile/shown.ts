/** The rows of a comparison as they are shown and counted: named, and with what was decided about them. */

import { casesOf, countLines, type ReconcileCase, shownAmount } from './cases.ts';
import { caseNames, type Decided, type Decisions } from './decisions.ts';
import { isDifference, type RowEnding } from './endings.ts';
import type { Reconciled } from './reconcile.ts';

export interface ShownCase extends ReconcileCase {
  /** The same in every run, by what the difference says. */
  case: string;
  decision: Decided['decision'] | null;
  note: string | null;
  decided_by: string | null;
  decided_on: string | null;
}

export function* shownCases(
  { found, period }: Reconciled,
  decisions: Decisions,
  wanted: (ending: RowEnding) => boolean,
  isOpenOnly = false,
): Generator<ShownCase> {
  const nameOf = caseNames();
  for (const matched of found)
    for (const one of casesOf(matched, period, wanted)) {
      const name = isDifference(one.ending) ? nameOf(one) : '';
      const decided = decisions.get(name) ?? decisions.get(one.suggestion?.id ?? '');
      if (isOpenOnly && decided?.decision === 'accept') continue;
      yield {
        case: name,
        ...one,
        decision: decided?.decision ?? null,
        note: decided?.note ?? null,
        decided_by: decided?.by ?? null,
        decided_on: decided?.on ?? null,
      };
    }
}

export interface LineCounts {
  /** Lines that are wanted. */
  wanted: number;
  differences: number;
  /** Differences not accepted. */
  open: number;
  /** Decisions of a table that no difference has; a file of rules has those of other months too. */
  strange: number;
  /** Lines that are near an end of the time, or go with one outside of it. */
  edges: number;
  /** Rows that are left out, and that another zone would put into the time. */
  justOutside: number;
}

/** Counts the cases: the words about all lines are known before the first line is printed. */
export function countCases(
  reconciled: Reconciled,
  decisions: Decisions,
  wanted: (ending: RowEnding) => boolean,
): LineCounts {
  const counts: LineCounts = { wanted: 0, differences: 0, open: 0, strange: 0, edges: 0, justOutside: 0 };
  for (const matched of reconciled.found) {
    const { byEnding, edges, justOutside } = countLines(matched, reconciled.period);
    counts.edges += edges;
    counts.justOutside += justOutside;
    for (const [ending, lines] of byEnding) {
      if (wanted(ending)) counts.wanted += lines;
      if (isDifference(ending)) counts.differences += lines;
    }
  }
  counts.open = counts.differences;
  if (decisions.size === 0) return counts;
  const left = new Set([...decisions].flatMap(([id, { by }]) => (by === undefined ? [id] : [])));
  for (const one of shownCases(reconciled, decisions, isDifference)) {
    if (one.decision === 'accept') counts.open--;
    left.delete(one.case);
  }
  counts.strange = left.size;
  return counts;
}

/** Bank charges that a tolerance allows, by currency: exact, and of every row, accepted or not. */
export function chargesOf(found: Reconciled['found']): { currency: string; amount: string; rows: number }[] {
  const sums = new Map<string, { units: bigint; rows: number }>();
  for (const { left } of found)
    for (const { ending, suggestion, row } of left.fates) {
      if (ending !== 'bank_charge') continue;
      const { units, rows } = sums.get(row.currency) ?? { units: 0n, rows: 0 };
      sums.set(row.currency, { units: units + (suggestion?.charge ?? 0n), rows: rows + 1 });
    }
  return [...sums].map(([currency, { units, rows }]) => ({
    currency,
    amount: shownAmount(units, currency),
    rows,
  }));
}

/** One line for each suggestion that may be accepted, and is not decided yet. */
export function openSuggestions(reconciled: Reconciled, decisions: Decisions): ShownCase[] {
  const isAny = reconciled.found.some(({ left, right }) =>
    [left, right].some(({ fates }) => fates.some(({ suggestion }) => suggestion !== undefined)),
  );
  if (!isAny) return [];
  const seen = new Set<string>();
  return [...shownCases(reconciled, decisions, isDifference)].filter(({ suggestion, decision }) => {
    const id = suggestion?.id;
    if (id == null || decision !== null || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
