/** Sentences about a summary: the sum of each currency, and what its reader should know. */

import { counted, money } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import { isZero } from '../../core/money.ts';
import { type Hint, hint } from '../../core/next.ts';
import { unknownMargins } from '../../payments/cost.ts';
import type { Desk } from '../../payments/desk.ts';
import { periodWords } from '../../payments/lists/statement-period.ts';
import type { Summary, SummaryRow, SummaryTotal } from './summary.ts';

export const NO_PAYMENT = 'No payment of this time is in the books.';

export const groupName = ({ group }: Pick<SummaryRow, 'group'>): string => group ?? '(none)';

export function summaryNotes({ zone }: Pick<Desk, 'zone'>, made: Summary): Hint[] {
  const { rows, totals, knownUntil: known, to } = made;
  return [
    ...totals.map(totalWords),
    ...unknownMargins(totals.reduce((all, { margin_unknown: unknown }) => all + unknown, 0)),
    `Payments that were created from ${periodWords(made, zone)}, in the time zone ${zone}, whenever they were paid. A statement counts each movement on its own day.`,
    ...(known < to
      ? [
          hint`The books are complete until ${isoTime(known)}: nothing later is counted. What is newer: ${{ do: 'sync_books' }}`,
        ]
      : [`The books are complete until ${isoTime(known)}.`]),
    ...(rows.length === 0
      ? []
      : [
          'A payout that was refused and then paid between two syncs counts as paid at the first try: the books did not see the refusal.',
        ]),
  ];
}

/** `EUR: 12 payouts, cost 180.00 EUR, refunded 15.00 EUR, net 165.00 EUR. Margin 1.65 EUR, fees 0.00 EUR.` */
function totalWords(total: SummaryTotal): string {
  const { currency, direction, payouts, input_amount: cost, refunded, net, margin_amount: margin } = total;
  const of = (amount: string): string => money(amount, currency) ?? '';
  const back = isZero(refunded) ? '' : `, refunded ${of(refunded)}, net ${of(net)}`;
  const costs = [
    ...(margin === null ? [] : [`margin ${of(margin)}`]),
    ...(total.fee_amount === null ? [] : [`fees ${of(total.fee_amount)}`]),
  ].join(', ');
  return `${currency ?? 'Without a currency'}: ${counted(payouts, direction)}, ${direction === 'collection' ? 'paid in' : 'cost'} ${of(cost)}${back}.${costs === '' ? '' : ` ${costs.charAt(0).toUpperCase()}${costs.slice(1)}.`}`;
}
