/** The endings of the recipients of a cancel: rows, one exit code, and the notes below. */

import { money } from '../../../core/amount-words.ts';
import { type ExitCode, exitOfEnding, worst } from '../../../frame/exit-codes.ts';
import { renderHint } from '../../../frame/output/spell.ts';
import { apart, type View } from '../../../frame/terminal/view.ts';
import { conclusionOf, type Ending, endingCategory } from '../../endings.ts';
import { cancellationShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { fullName, payoutAccountOf } from '../../words/person.ts';
import { type Result, result } from '../result.ts';

export interface ShownEnding extends Omit<Ending, 'why' | 'category'> {
  why?: string;
  /** Where it was refused: the exit code of that refusal. */
  exit?: ExitCode;
}

export function shownEnding({ why, category, ...ending }: Ending): ShownEnding {
  return {
    ...ending,
    ...(why === undefined ? {} : { why: renderHint(why) }),
    ...(category === undefined ? {} : { exit: exitOfEnding(category) }),
  };
}

export const exitOfCancel = (ending: Ending): ExitCode => exitOfEnding(endingCategory(ending));

export function cancelResult(endings: readonly Ending[], rows: ShownEnding | ShownEnding[]): Result {
  const { categories, notes } = conclusionOf(endings);
  return result(endingView, rows, {
    exit: worst(categories.map(exitOfEnding)),
    notes: notes.map(renderHint),
  });
}

export const endingView: View<ShownEnding> = {
  shape: cancellationShape,
  columns: [
    { name: 'recipient_id', head: 'RECIPIENT', id: true, get: ({ recipient }) => recipient.id },
    { name: 'ending', wrap: true, get: ({ ending }) => ending },
    { name: 'state', state: lookOf, priority: 2, get: ({ recipient }) => recipient.state },
    {
      name: 'name',
      priority: 3,
      least: 10,
      get: ({ recipient }) => fullName(recipient.payout_method?.details),
    },
    {
      name: 'amount',
      right: true,
      priority: 2,
      get: ({ recipient }) => money(recipient.input_amount, recipient.input_currency),
      apart: apart('amount', 'currency', ({ recipient }) => [
        recipient.input_amount,
        recipient.input_currency,
      ]),
    },
    {
      name: 'account',
      priority: 4,
      least: 8,
      keepsEnd: 8,
      get: ({ recipient }) => payoutAccountOf(recipient.payout_method?.details),
    },
    { name: 'why', priority: 1, wrap: true, get: ({ why }) => why },
  ],
};
