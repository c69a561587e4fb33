/** The result of a reconciliation: differences and what goes together, and the totals of both sides. */

import { money } from '../../../core/amount-words.ts';
import { commandOf } from '../../../frame/output/spell.ts';
import { type Cell, type Column, toCell, type View } from '../../../frame/terminal/view.ts';
import type { AccountBalances } from '../../reconcile/accounts.ts';
import { reconciledAccountShape, reconciledRowShape, reconciledTotalShape } from '../../reconcile/shapes.ts';
import type { ShownCase } from '../../reconcile/shown.ts';
import type { ReconciledTotal } from '../../reconcile/totals.ts';

/** `only_in_ledger` as words. */
const inWords = (ending: string): string => ending.replaceAll('_', ' ');

const commandWords = ({ next }: ShownCase): string | null => (next === null ? null : commandOf(next));
const idOf = ({ ledger, other }: ShownCase): Cell => ledger?.id ?? other?.id;
const dayOf = ({ ledger, other }: ShownCase): Cell => ledger?.day ?? other?.day;

/** Returns the reasons that the name of the ending does not say. */
function whyWords(row: ShownCase): string {
  const { ending, why, other, with_line: line, edge, perhaps, ledger, suggestion } = row;
  return [
    ...(ending === 'state_differs' || ending === 'not_funded' ? [why] : []),
    ...(other?.deadline == null ? [] : [`in flight until ${other.deadline}`]),
    ...(line === null ? [] : [`the same payment as line ${line}`]),
    ...(perhaps === null
      ? []
      : [
          `perhaps line ${perhaps.line} of the ${ledger === null ? 'ledger' : 'statement'}: ${perhaps.reference}`,
        ]),
    ...(suggestion === null || perhaps !== null ? [] : [`${suggestion.words} (${suggestion.rule})`]),
    ...(edge === 'near_the_end' ? ['near the end: look at the days around it'] : []),
    ...(edge === 'outside' ? ['goes with a row outside of this time'] : []),
  ].join('; ');
}

/** An amount and its currency are cells of their own, so that a sum needs no taking apart. */
const flat: readonly Column<ShownCase>[] = [
  { name: 'case', get: (row) => row.case },
  { name: 'against', get: (row) => row.against },
  { name: 'ending', get: (row) => row.ending },
  { name: 'ledger_line', right: true, get: (row) => toCell(row.ledger?.line) },
  { name: 'ledger_id', get: (row) => row.ledger?.id },
  { name: 'ledger_reference', get: (row) => row.ledger?.reference },
  { name: 'ledger_day', time: true, get: (row) => row.ledger?.day },
  { name: 'ledger_amount', amount: true, currency: 'ledger_currency', get: (row) => row.ledger?.amount },
  { name: 'ledger_currency', get: (row) => row.ledger?.currency },
  { name: 'other_line', right: true, get: (row) => toCell(row.other?.line) },
  { name: 'other_id', get: (row) => row.other?.id },
  { name: 'other_reference', get: (row) => row.other?.reference },
  { name: 'other_day', time: true, get: (row) => row.other?.day },
  { name: 'other_amount', amount: true, currency: 'other_currency', get: (row) => row.other?.amount },
  { name: 'other_currency', get: (row) => row.other?.currency },
  { name: 'transaction_id', get: (row) => row.other?.transaction_id },
  { name: 'state', get: (row) => row.other?.state },
  { name: 'refunded', amount: true, currency: 'other_currency', get: (row) => row.other?.refunded },
  { name: 'deadline', time: true, get: (row) => row.other?.deadline },
  { name: 'with_line', right: true, get: (row) => toCell(row.with_line) },
  { name: 'edge', get: (row) => row.edge },
  { name: 'perhaps_line', right: true, get: (row) => toCell(row.perhaps?.line) },
  { name: 'perhaps_reference', get: (row) => row.perhaps?.reference },
  { name: 'suggestion', get: (row) => row.suggestion?.id },
  { name: 'suggestion_rule', get: (row) => row.suggestion?.rule },
  { name: 'suggestion_words', get: (row) => row.suggestion?.words },
  { name: 'charge', amount: true, currency: 'other_currency', get: (row) => row.suggestion?.charge },
  { name: 'why', get: (row) => row.why },
  { name: 'command', get: commandWords },
  { name: 'decided_by', get: (row) => row.decided_by },
  { name: 'decided_on', get: (row) => row.decided_on },
  { name: 'decision', get: (row) => row.decision },
  { name: 'note', get: (row) => row.note },
];

export const caseView: View<ShownCase> = {
  shape: reconciledRowShape,
  empty: 'No differences.',
  added: (row) => ({ command: commandWords(row) }),
  columns: [
    { name: 'ending', get: (row) => row.ending, brief: inWords },
    { name: 'line', right: true, priority: 3, get: (row) => toCell(row.ledger?.line) },
    { name: 'id', least: 12, get: idOf },
    { name: 'day', priority: 3, get: dayOf },
    {
      name: 'ledger_amount',
      head: 'LEDGER',
      right: true,
      get: ({ ledger }) => ledger && money(ledger.amount, ledger.currency),
    },
    {
      name: 'other_amount',
      head: 'OTHER SIDE',
      right: true,
      get: ({ other }) => other && money(other.amount, other.currency),
    },
    { name: 'why', priority: 2, wrap: true, get: whyWords },
    { name: 'command', head: 'NEXT', priority: 1, wrap: true, get: commandWords },
    { name: 'against', priority: 4, get: (row) => row.against },
  ],
  flat,
};

export const totalView: View<ReconciledTotal> = {
  shape: reconciledTotalShape,
  empty: 'Neither side has a row.',
  columns: [
    { name: 'against', priority: 1, get: (row) => row.against },
    { name: 'side', get: (row) => row.side },
    { name: 'currency', get: (row) => row.currency },
    { name: 'ending', get: (row) => row.ending ?? 'all', brief: inWords },
    { name: 'rows', right: true, get: (row) => String(row.rows) },
    { name: 'amount', right: true, amount: true, currency: 'currency', get: (row) => row.amount },
  ],
};

export const bankAccountView: View<AccountBalances> = {
  shape: reconciledAccountShape,
  empty: 'No account of a bank.',
  columns: [
    { name: 'account', get: (row) => row.account ?? row.account_number },
    { name: 'currency', get: (row) => row.currency },
    { name: 'opening', right: true, amount: true, currency: 'currency', get: (row) => row.opening },
    { name: 'closing', right: true, amount: true, currency: 'currency', get: (row) => row.closing },
    {
      ...{ name: 'ledger_opening', right: true, amount: true, currency: 'currency', priority: 2 },
      get: (row) => row.ledger_opening,
    },
    {
      ...{ name: 'ledger_closing', right: true, amount: true, currency: 'currency' },
      get: (row) => row.ledger_closing,
    },
    { name: 'difference', right: true, amount: true, currency: 'currency', get: (row) => row.difference },
    { name: 'movements', right: true, priority: 3, get: (row) => String(row.movements) },
    { name: 'ledger_rows', right: true, priority: 3, get: (row) => String(row.ledger_rows) },
  ],
};
