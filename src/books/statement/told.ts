/** Sentences about a statement: the sum of its lines, and what its reader should know; and the category of its ending. */

import { counted, money } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { isZero, sub } from '../../core/money.ts';
import { type Hint, hint } from '../../core/next.ts';
import type { Desk } from '../../payments/desk.ts';
import { isShort, periodWords } from '../../payments/lists/statement-period.ts';
import { correctionWords } from '../closings.ts';
import type { Line } from './lines.ts';
import { type BalanceGap, lost, type Statement, type StatementAccount } from './statement.ts';

/** Wrong sums are worse than a time that is not over. */
export function endingOf(desk: Desk, made: Statement): 'done' | 'check' | 'pending' {
  const isWrong = made.accounts.some(
    (one) => !isZero(one.totals.difference) || lost(one).length > 0 || one.firstSeen !== undefined,
  );
  if (isWrong) return 'check';
  return isShort(desk, made) ? 'pending' : 'done';
}

/** `EUR: 1,000.00 - paid 500.00 + refunded 20.00 …`: each part once, so that it can be added up by hand. */
export function totalNote({ currency, totals }: StatementAccount): string {
  const { opening, gross, refunded, net, collected, corrected, unexplained, closing } = totals;
  const of = (amount: string): string => money(amount, currency) ?? '';
  const parts = [
    opening === null ? 'opening not seen' : `opening ${of(opening)}`,
    `paid ${of(gross)}`,
    `refunded ${of(refunded)} (net ${of(net)})`,
    ...(isZero(collected) ? [] : [`collected ${of(collected)}`]),
    ...(isZero(corrected) ? [] : [`corrected ${of(corrected)}`]),
    ...(isZero(unexplained) ? [] : [`unexplained ${of(unexplained)}`]),
    closing === null ? 'closing not seen' : `closing ${of(closing)}`,
  ];
  return `${currency}: ${parts.join(', ')}.`;
}

/** `refund of 2026-10`, where that month is closed. */
export const kindWords = ({ kind, corrects }: Pick<Line, 'kind' | 'corrects'>): string =>
  corrects === null ? kind : `${kind} of ${corrects}`;

/** A part of the sum that proves a statement: with its sign, or null where that balance was not seen. */
export interface ProofPart {
  label: string;
  amount: string | null;
}

/** The same parts as in `totalNote`, each as it moved the balance, and the rest that they leave: 0 proves them. */
export function totalProof({ totals }: StatementAccount): ProofPart[] {
  const { opening, gross, refunded, collected, corrected, unexplained, closing, difference } = totals;
  const rare = Object.entries({ collected, corrected, unexplained }).filter(([, amount]) => !isZero(amount));
  const parts = { opening, paid: sub('0', gross), refunded, ...Object.fromEntries(rare), closing };
  return Object.entries({ ...parts, 'left over': difference }).map(([label, amount]) => ({ label, amount }));
}

/** Says why a statement of one balance ends as `endingOf` says. */
export function proofWords(ending: ReturnType<typeof endingOf>, account: StatementAccount): string {
  if (ending === 'pending') return 'proved as far as the books reach: this time goes on beyond them';
  if (ending === 'done') return 'proved: the lines lead from the opening to the closing balance';
  if (!isZero(account.totals.difference)) return 'the lines do not add up';
  if (lost(account).length > 0) return 'money left, and no payment explains it';
  return 'not proved: nobody saw the opening balance';
}

export function statementNotes({ zone }: Desk, made: Statement): Hint[] {
  const { accounts, knownUntil: known, to } = made;
  const near = accounts.reduce((sum, { nearAnEnd }) => sum + nearAnEnd, 0);
  return [
    `Movements from ${periodWords(made, zone)}, in the time zone ${zone}, each on its own day. A summary counts payments by the day of their creation.`,
    ...(known < to
      ? [
          hint`The books are complete until ${isoTime(known)}: the closing balance is the balance at that time. What is newer: ${{ do: 'sync_books' }}`,
        ]
      : []),
    ...correctionWords(made.corrections),
    ...accounts.flatMap(accountNotes),
    ...firstSeenNotes(accounts),
    ...(near === 0
      ? []
      : [
          `${counted(near, 'debit')} may belong to the time before or after: created within the last hour before the beginning or the end of this time, funded at a moment that the service does not say.`,
        ]),
  ];
}

function accountNotes(account: StatementAccount): string[] {
  const { currency, totals, steps, later } = account;
  return [
    ...(isZero(totals.difference)
      ? []
      : [`The lines of ${currency} do not add up: ${money(totals.difference, currency)} are left over.`]),
    ...steps.map(
      (step) => `${stepWords(step)} It happened between ${isoTime(step.after)} and ${isoTime(step.at)}.`,
    ),
    ...laterNote(later),
  ];
}

export const laterNote = (later: BalanceGap | undefined): string[] =>
  later === undefined
    ? []
    : [
        `${stepWords(later)} It happened between ${isoTime(later.after)} and ${isoTime(later.at)}, perhaps within this time.`,
      ];

/** They are looked at together, so most often it is one moment for all. */
function firstSeenNotes(accounts: readonly StatementAccount[]): Hint[] {
  return [...groupedBy(accounts, ({ firstSeen }) => firstSeen)].map(([at, all]) => {
    const names = all.map(({ currency }) => currency);
    const whose = names.length === 1 ? `balance in ${names[0]} was` : `balances in ${names.join(', ')} were`;
    return hint`The ${whose} first seen at ${isoTime(at)}: nobody saw the opening balance, and a top-up before that would not be found. From then on the lines prove themselves: ${{ give: 'from_first_seen' }} prints those alone.`;
  });
}

const stepWords = ({ currency, amount }: BalanceGap): string =>
  amount.startsWith('-')
    ? `${money(amount.slice(1), currency)} left, and no payment explains it: ask the operator.`
    : `${money(amount, currency)} came in, and no payment explains it: perhaps a top-up.`;
