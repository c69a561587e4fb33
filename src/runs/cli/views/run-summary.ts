/** Where a pay run stands: its rows by what became of them, and what they come to. */

import type { View } from '../../../frame/terminal/view.ts';
import { lookOf, stateWords } from '../../../payments/words/looks.ts';
import { foundWords } from '../../paid-before.ts';
import { amountsWords, plannedWords, signatureWords, summaryLines, totalWords } from '../../run-lines.ts';
import { isCompared, type ShownRunSummary } from '../../run-output.ts';
import { runStatusShape } from '../../shapes.ts';

export const runSummaryView: View<ShownRunSummary> = {
  shape: runStatusShape,
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'state', state: lookOf, get: ({ state }) => state },
    { name: 'rows', right: true, get: ({ rows }) => String(rows) },
    {
      name: 'states',
      get: ({ states }) =>
        Object.entries(states)
          .map(([state, rows]) => `${rows} ${stateWords(state)}`)
          .join(', '),
    },
    { name: 'spent', get: ({ spent }) => amountsWords(spent) },
    { name: 'still_needed', get: (row) => amountsWords(row.still_needed) },
    { name: 'agrees', get: (row) => (isCompared(row) ? (row.agrees ? 'yes' : 'no') : null) },
    { name: 'ending', get: ({ ending }) => ending },
    { name: 'status', get: ({ status }) => status },
    { name: 'why', get: ({ why }) => why },
    {
      name: 'totals',
      get: ({ totals }) => totals.map((total) => `${total.type}: ${totalWords(total)}`).join('; '),
    },
    { name: 'limits', get: (row) => amountsWords(row.limits) },
    { name: 'breaks', get: ({ breaks }) => breaks.join('; ') },
    { name: 'planned_by', get: (row) => row.planned_by },
    { name: 'approved_by', get: (row) => row.approved_by },
    { name: 'rejected_by', get: (row) => row.rejected_by },
    { name: 'held_by', get: (row) => row.held_by },
    { name: 'not_before', get: (row) => row.not_before },
    {
      name: 'signatures',
      get: (row) =>
        row.signatures.map((one) => `${one.approver}: ${signatureWords[one.standing]}`).join('; '),
    },
    { name: 'signatures_wanted', get: (row) => row.signatures_wanted?.toString() ?? null },
    { name: 'signed_until', get: (row) => row.signed_until },
    { name: 'digest', get: ({ digest }) => digest },
    { name: 'id', get: ({ id }) => id },
    { name: 'checked_at', get: (row) => row.checked_at },
    { name: 'forgotten_at', get: (row) => row.forgotten_at },
    { name: 'compared_from', get: (row) => row.compared_from },
    { name: 'created_at', get: (row) => row.created_at },
    { name: 'paid_before', get: (row) => row.paid_before && foundWords(row.paid_before) },
    { name: 'changed_payees', get: (row) => row.changed_payees?.toString() ?? null },
    { name: 'made_otherwise', get: (row) => row.made_otherwise && foundWords(row.made_otherwise) },
    { name: 'paid_elsewhere', get: (row) => row.paid_elsewhere && foundWords(row.paid_elsewhere) },
    {
      name: 'planned',
      get: ({ totals }) =>
        totals
          .flatMap((total) => (total.cost === null ? [] : [`${total.type}: ${plannedWords(total)}`]))
          .join('; '),
    },
  ],
  details: summaryLines,
};
