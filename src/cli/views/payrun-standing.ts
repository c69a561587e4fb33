/** Where a pay run stands: its rows by what became of them, and what they come to. */

import { foundWords } from '../../desk/payruns/paid-before.ts';
import { isCompared, type ShownStanding } from '../../desk/payruns/shown.ts';
import type { SignatureStanding } from '../../desk/payruns/signatures.ts';
import { runStatusShape, type ShownStatement } from '../../desk/shapes/payruns.ts';
import { counted, money, thousands } from '../../desk/words/amount.ts';
import type { DetailLine, View } from '../terminal/view.ts';
import { digestLines, standLines, stateWords } from './payrun.ts';
import { plannedWords } from './payrun-row.ts';

const amounts = (by: Readonly<Record<string, string>>): string =>
  Object.entries(by)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ');

/** `2 rows, 2001 NGN: 1000 NGN paid out, 1001 NGN in error`. */
function totalWords({
  rows,
  currency,
  amount,
  paid,
  open,
  held,
  unknown,
}: ShownStanding['totals'][number]): string {
  const parts = [
    [paid, 'paid out'],
    [open, 'on the way'],
    [held, 'in error, held by the service'],
    [unknown, 'not known whether paid'],
  ].flatMap(([sum = '0', words]) => (Number(sum) === 0 ? [] : [`${money(sum, currency)} ${words}`]));
  return `${counted(rows, 'row')}, ${money(amount, currency)}: ${parts.join(', ') || 'nothing paid'}`;
}

function spentWords({ spent, states }: ShownStanding): string {
  const known = amounts(spent);
  const isOpen = (states.unknown ?? 0) + (states.sending ?? 0) > 0;
  if (!isOpen) return known || 'nothing';
  return known === '' ? 'not known yet' : `${known}, without rows that are not known`;
}

const sumLines = (row: ShownStanding): DetailLine[] =>
  isCompared(row)
    ? [['sums', `${row.agrees ? 'agree' : 'DO NOT AGREE'} with what the service answered`]]
    : [];

const foundLines = ({ paid_before: before, paid_elsewhere: elsewhere }: ShownStanding): DetailLine[] => [
  ...(before === null ? [] : [['paid before', beforeWords(before), { wrap: true }] as DetailLine]),
  ...(elsewhere === null
    ? []
    : [
        [
          'paid elsewhere',
          `${foundWords(elsewhere)}: under the ids of this run`,
          { wrap: true },
        ] as DetailLine,
      ]),
];

const beforeWords = (before: NonNullable<ShownStanding['paid_before']>): string =>
  `${foundWords(before)}: not by this run${before.rows > before.accepted ? ', and nobody accepted that yet' : ''}`;

/** `grace (key 5d1f…), until 2026-12-01T…`: whose key it is only the approvers of a profile say. */
function statementWords(
  { approver, fingerprint, until, because, standing }: ShownStatement,
  { signatures_wanted: wanted }: ShownStanding,
): string {
  const who = `${approver}, key ${fingerprint}${wanted === null ? ' (this profile knows no approvers)' : ''}`;
  const holds = STANDING_WORDS[standing];
  return `${who}: ${holds}${because === null ? '' : `: ${because}`}${until === null ? '' : `, until ${until}`}`;
}

const STANDING_WORDS: Readonly<Record<SignatureStanding, string>> = {
  counts: 'approves',
  ended: 'approved, and that is over',
  rejects: 'rejects',
  replaced: 'said something else later',
  not_accepted: 'is not accepted here, and counts for nothing',
  forged: 'DID NOT SIGN this run, and counts for nothing',
};

/** For finance: `created` is the service's word. */
const rowStateWords = (state: string): string =>
  ({
    planned: 'not sent',
    created: 'on the way',
    paid: 'paid out',
    sending: 'sent, no answer',
    conflict: 'needs you',
  })[state] ?? stateWords(state);

export const standingView: View<ShownStanding> = {
  shape: runStatusShape,
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'state', state: true, get: ({ state }) => state },
    { name: 'rows', right: true, get: ({ rows }) => String(rows) },
    {
      name: 'states',
      get: ({ states }) =>
        Object.entries(states)
          .map(([state, rows]) => `${rows} ${stateWords(state)}`)
          .join(', '),
    },
    { name: 'spent', get: ({ spent }) => amounts(spent) },
    { name: 'still_needed', get: (row) => amounts(row.still_needed) },
    { name: 'agrees', get: (row) => (isCompared(row) ? (row.agrees ? 'yes' : 'no') : null) },
    { name: 'ending', get: ({ ending }) => ending },
    { name: 'status', get: ({ status }) => status },
    { name: 'why', get: ({ why }) => why },
    {
      name: 'totals',
      get: ({ totals }) => totals.map((total) => `${total.type}: ${totalWords(total)}`).join('; '),
    },
    { name: 'limits', get: (row) => amounts(row.limits) },
    { name: 'breaks', get: ({ breaks }) => breaks.join('; ') },
    { name: 'planned_by', get: (row) => row.planned_by },
    { name: 'approved_by', get: (row) => row.approved_by },
    { name: 'rejected_by', get: (row) => row.rejected_by },
    { name: 'held_by', get: (row) => row.held_by },
    { name: 'not_before', get: (row) => row.not_before },
    {
      name: 'signatures',
      get: (row) =>
        row.signatures.map((one) => `${one.approver}: ${STANDING_WORDS[one.standing]}`).join('; '),
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
    { name: 'paid_elsewhere', get: (row) => row.paid_elsewhere && foundWords(row.paid_elsewhere) },
    {
      name: 'planned',
      get: ({ totals }) =>
        totals
          .flatMap((total) => (total.cost === null ? [] : [`${total.type}: ${plannedWords(total)}`]))
          .join('; '),
    },
  ],
  details(row) {
    const lines: DetailLine[] = [
      ['run', row.name],
      ['state', row.status, { state: true }],
      ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as DetailLine]),
      ['rows', thousands(row.rows)],
      ...((row.changed_payees ?? 0) > 0
        ? [['changed payees', thousands(row.changed_payees ?? 0), { indent: true }] as DetailLine]
        : []),
      ...Object.entries(row.states).map(
        ([state, rows]): DetailLine => [rowStateWords(state), thousands(rows), { indent: true }],
      ),
      ...row.totals.flatMap((total): DetailLine[] => [
        [total.type, totalWords(total), { wrap: true }],
        ...(total.cost === null
          ? []
          : [['planned', plannedWords(total), { wrap: true, indent: true }] as DetailLine]),
      ]),
      ['cost so far', spentWords(row), { wrap: true }],
      ...foundLines(row),
      ...(amounts(row.still_needed) === ''
        ? []
        : [['for the rest', `about ${amounts(row.still_needed)}`] as DetailLine]),
      ['limit', amounts(row.limits)],
      ['planned by', row.planned_by],
      ['approved by', row.approved_by ?? 'nobody yet'],
      ...row.signatures.map((one): DetailLine => ['signature', statementWords(one, row), { wrap: true }]),
      ...standLines(row),
      ...digestLines(row),
      ['checked', row.checked_at ?? 'not yet'],
      ...sumLines(row),
      ...row.breaks.map((words): DetailLine => ['', words, { wrap: true, indent: true }]),
      ['created', row.created_at],
    ];
    return lines;
  },
};
