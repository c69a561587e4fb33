/** Sentences about money in flight: the sum of each balance, and what the books cannot know; and the category of its ending. */

import { amountText, counted, money } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import { add, isZero, sub } from '../../core/money.ts';
import { type Hint, hint } from '../../core/next.ts';
import { wallTime } from '../../core/zone.ts';
import type { Desk } from '../../payments/desk.ts';
import { isShort } from '../../payments/lists/statement-period.ts';
import { laterNote } from '../statement/told.ts';
import type { DayBalance, InFlight, Unsure } from './in-flight.ts';

export const NONE_IN_FLIGHT = 'Nothing was in flight then.';

/** Wrong sums are worse than a day that is not over. */
export function endingOfDay(desk: Desk, made: InFlight): 'done' | 'check' | 'pending' {
  const isWrong = made.balances.some(({ difference }) => difference === null || !isZero(difference));
  if (isWrong) return 'check';
  return isShort(desk, made) ? 'pending' : 'done';
}

export function notesOfDay(
  { zone }: Desk,
  { to, knownUntil, balances, unsure, later, forgottenBefore }: InFlight,
): Hint[] {
  const last = wallTime(to - 1, zone);
  return [
    `Money that was funded until the end of ${last.day}${last.time === '23:59:59' ? '' : ` ${last.time}`}, in the time zone ${zone}, and was neither paid out nor back then.`,
    ...balances.flatMap(balanceWords),
    ...later.flatMap(laterNote),
    ...(knownUntil < to
      ? [
          hint`The books are complete until ${isoTime(knownUntil)}: nothing later is counted. What is newer: ${{ do: 'sync_books' }}`,
        ]
      : []),
    ...(forgottenBefore === undefined
      ? []
      : [
          `Payments that were created before ${isoTime(forgottenBefore)} were removed from the books: none of them is counted.`,
        ]),
    ...unsureWords(unsure),
  ];
}

/** `EUR: came in 250000.00, collected 0.00, paid out 14.99, in flight 29.98: that leaves 249955.03, the balance of that day.` */
function balanceWords({ currency, ...day }: DayBalance): string[] {
  const of = (amount: string): string => amountText(amount, currency) ?? '';
  const inFlight = add(day.not_paid, day.refund_due);
  if (day.balance === null || day.difference === null)
    return [
      `${currency}: nobody saw the balance before the end of that day, so these figures are not proved: paid out ${of(day.paid)}, in flight ${of(inFlight)}.`,
    ];
  const parts = `${currency}: came in ${of(day.came_in)}, collected ${of(day.collected)}, paid out ${of(day.paid)}, in flight ${of(inFlight)}`;
  if (!isZero(day.difference))
    return [
      `${parts}: that leaves ${of(sub(day.balance, day.difference))}, and the balance of that day was ${of(day.balance)}: ${money(day.difference, currency)} apart.`,
    ];
  const isQuiet = [day.collected, day.paid, inFlight].every(isZero);
  return isQuiet ? [] : [`${parts}: that leaves ${of(day.balance)}, the balance of that day.`];
}

const unsureWords = ({ endedNear, backSince, paidIn, nearTheEnd }: Unsure): string[] => [
  ...(endedNear === 0
    ? []
    : [
        `${counted(endedNear, 'payout')} ended by what the books saw within a day before the end of that day, or later, perhaps on its other side: of a payment to several, or one that somebody paid in, the service tells no time for each. A sync at the end of the day keeps it exact.`,
      ]),
  ...(backSince === 0
    ? []
    : [
        `The money of ${counted(backSince, 'payout')} that ${backSince === 1 ? 'is' : 'are'} not paid came back since: it may have been called off by then, which the books did not see.`,
      ]),
  ...(paidIn === 0
    ? []
    : [
        `${counted(paidIn, 'payout')} ${paidIn === 1 ? 'was' : 'were'} paid in by somebody, and changed after that day: the service does not say when the money came in, so it counts from the creation.`,
      ]),
  ...(nearTheEnd === 0
    ? []
    : [
        `${counted(nearTheEnd, 'debit')} may belong to the next day: created within the last hour of that day, funded at a moment that the service does not say.`,
      ]),
];
