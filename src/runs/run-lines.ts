/** Tells of a pay run in lines: how many rows are what, what they come to, and who let it be paid. The command line and the page show the same ones. */

import { counted, money, thousands } from '../core/amount-words.ts';
import { isZero } from '../core/money.ts';
import { type Hint, hint } from '../core/next.ts';
import { lookOf, stateWords } from '../payments/words/looks.ts';
import { shownDigest } from '../profiles/digest.ts';
import { foundWords } from './paid-before.ts';
import type { Planned } from './plan.ts';
import { isCompared, type ShownRun, type ShownRunSummary } from './run-output.ts';
import type { Prices, ShownStatement } from './shapes.ts';
import type { SignatureState } from './signatures.ts';

/** A label and its text; the line is left out where the text is null or empty. Its look on a screen stands beside it. */
export type RunLine = readonly [
  label: string,
  text: string | null,
  how?: { state?: typeof lookOf; indent?: boolean; wrap?: boolean },
];

export const summaryLines = (row: ShownRunSummary): RunLine[] => [
  ['run', row.name],
  ['state', row.status, { state: lookOf }],
  ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as RunLine]),
  ['rows', thousands(row.rows)],
  ...((row.changed_payees ?? 0) > 0
    ? [['changed payees', thousands(row.changed_payees ?? 0), { indent: true }] as RunLine]
    : []),
  ...Object.entries(row.states).map(
    ([state, rows]): RunLine => [rowStateWords(state), thousands(rows), { indent: true }],
  ),
  ...row.totals.flatMap((total): RunLine[] => [
    [total.type, totalWords(total), { wrap: true }],
    ...(total.cost === null
      ? []
      : [['planned', plannedWords(total), { wrap: true, indent: true }] as RunLine]),
  ]),
  ['cost so far', spentWords(row), { wrap: true }],
  ...foundLines(row),
  ...(amountsWords(row.still_needed) === ''
    ? []
    : [['for the rest', `about ${amountsWords(row.still_needed)}`] as RunLine]),
  ['limit', amountsWords(row.limits)],
  ['planned by', row.planned_by],
  ['approved by', row.approved_by ?? 'nobody yet'],
  ...row.signatures.map((one): RunLine => ['signature', statementWords(one, row), { wrap: true }]),
  ...standLines(row),
  ...digestLines(row),
  ['checked', row.checked_at ?? 'not yet'],
  ...sumLines(row),
  ...row.breaks.map((words): RunLine => ['', words, { wrap: true, indent: true }]),
  ['created', row.created_at],
];

export const amountsWords = (by: Readonly<Record<string, string>>): string =>
  Object.entries(by)
    .map(([currency, amount]) => money(amount, currency))
    .join(', ');

/** `2 rows, 2001 NGN: 1000 NGN paid out, 1001 NGN in error`. */
export function totalWords({
  rows,
  currency,
  amount,
  paid,
  open,
  held,
  unknown,
}: ShownRunSummary['totals'][number]): string {
  const parts = [
    [paid, 'paid out'],
    [open, 'on the way'],
    [held, 'in error, held by the service'],
    [unknown, 'not known whether paid'],
  ].flatMap(([sum = '0', words]) => (Number(sum) === 0 ? [] : [`${money(sum, currency)} ${words}`]));
  return `${counted(rows, 'row')}, ${money(amount, currency)}: ${parts.join(', ') || 'nothing paid'}`;
}

function spentWords({ spent, states }: ShownRunSummary): string {
  const known = amountsWords(spent);
  const isOpen = (states.unknown ?? 0) + (states.sending ?? 0) > 0;
  if (!isOpen) return known || 'nothing';
  return known === '' ? 'not known yet' : `${known}, without rows that are not known`;
}

const sumLines = (row: ShownRunSummary): RunLine[] =>
  isCompared(row)
    ? [['sums', `${row.agrees ? 'agree' : 'DO NOT AGREE'} with what the service answered`]]
    : [];

const foundLines = ({
  paid_before: before,
  paid_elsewhere: elsewhere,
  made_otherwise: otherwise,
}: ShownRunSummary): RunLine[] => [
  ...(otherwise === null
    ? []
    : [
        [
          'made otherwise',
          `${foundWords(otherwise)}: with other money or another payee than asked`,
          { wrap: true },
        ] as RunLine,
      ]),
  ...(before === null ? [] : [['paid before', beforeWords(before), { wrap: true }] as RunLine]),
  ...(elsewhere === null
    ? []
    : [['paid elsewhere', `${foundWords(elsewhere)}: under the ids of this run`, { wrap: true }] as RunLine]),
];

const beforeWords = (before: NonNullable<ShownRunSummary['paid_before']>): string =>
  `${foundWords(before)}: not by this run${before.rows > before.accepted ? ', and nobody accepted that yet' : ''}`;

/** `grace (key 5d1f…), until 2026-12-01T…`: whose key it is only the approvers of a profile say. */
function statementWords(
  { approver, fingerprint, until, because, standing }: ShownStatement,
  { signatures_wanted: wanted }: ShownRunSummary,
): string {
  const who = `${approver}, key ${fingerprint}${wanted === null ? ' (this profile knows no approvers)' : ''}`;
  const holds = signatureWords[standing];
  return `${who}: ${holds}${because === null ? '' : `: ${because}`}${until === null ? '' : `, until ${until}`}`;
}

export const signatureWords: Readonly<Record<SignatureState, string>> = {
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

export const digestLines = ({ digest, forgotten_at: forgotten }: ShownRun): RunLine[] => [
  ...(digest === null ? [] : [['digest', digest] as RunLine]),
  ...(forgotten === null ? [] : [['forgotten', forgotten] as RunLine]),
];

/** Whatever keeps a run from being paid. */
export const standLines = (row: ShownRun): RunLine[] =>
  [
    ['rejected by', row.rejected_by] as const,
    ['on hold by', row.held_by] as const,
    ['not before', row.not_before] as const,
  ].flatMap(([label, value]): RunLine[] => (value === null ? [] : [[label, value, { wrap: true }]]));

/** `14.99 EUR at 1667.93: paid at 1650.12, 0.16 EUR more`. */
export function plannedWords(prices: Prices): string | null {
  const { input_currency: currency, planned_rate: planned, paid_rate: paid, cost_difference: more } = prices;
  if (prices.planned_cost === null) return null;
  const at = `${money(prices.planned_cost, currency)}${planned === null ? '' : ` at ${planned}`}`;
  const differs = [
    ...(paid === null ? [] : [`paid at ${paid}`]),
    ...(more === null || isZero(more)
      ? []
      : [`${money(more.replace('-', ''), currency)} ${more.startsWith('-') ? 'less' : 'more'}`]),
  ];
  return differs.length === 0 ? at : `${at}: ${differs.join(', ')}`;
}

/** Sentences about a run that was just planned, or stood before. */
export function plannedNotes({ run, stood, roundings, balances }: Planned): Hint[] {
  const { name, digest } = run;
  return [
    ...roundings.slice(0, 3),
    ...(roundings.length > 3 ? [`${roundings.length - 3} more amounts will be rounded up`] : []),
    ...balances.map(({ currency, before, after }) =>
      before === null
        ? `You hold no ${currency}.`
        : after?.startsWith('-')
          ? `Not enough: the balance is ${money(before, currency)}, and ${money(after.slice(1), currency)} is missing.`
          : `Balance ${money(before, currency)} before, about ${money(after, currency)} after.`,
    ),
    ...(stood
      ? [hint`The run was planned before, with the same rows: this is how it stands.`]
      : [
          hint`Planned; nothing was sent. Its digest is ${shownDigest(digest)}. A second person approves it with ${{ do: 'approve_run', name, digest: shownDigest(digest) }}; if one person is enough: ${{ do: 'pay_run', name }}`,
        ]),
  ];
}
