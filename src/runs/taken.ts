/**
 * The answer to the only send of a row was that its external id is taken. Nothing of ours was lost, so what stands there was not made by this
 * run from here; or by a copy of the request that something on the way made. The maker is unknown: it was found.
 */

import { closingOf } from '../client/closing.ts';
import { isDead } from '../client/funded.ts';
import type { IntentClosing } from '../client/intents.ts';
import type { Outcome } from '../client/outcome.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { whoseIs } from './paid-before.ts';
import { newsOf } from './states.ts';
import type { PayRow, RowNews } from './store/port.ts';
import { endedWords } from './taken-words.ts';
import { type RowVerdict, usedUp } from './verdict.ts';

export interface TakenId {
  verdict: RowVerdict;
  closing: IntentClosing;
}

/** Undefined where the outcome says otherwise. */
export function takenBefore(
  run: string,
  row: Pick<PayRow, 'externalId' | 'key'>,
  outcome: Outcome<Transaction>,
): TakenId | undefined {
  if (outcome.kind === 'conflict')
    return isDead(outcome.value as Transaction) ? ended('cancelled') : undefined;
  if (outcome.kind !== 'applied' || outcome.how !== 'existing') return undefined;
  const news = newsOf(outcome.value);
  if (whoseIs(run, row) === 'elsewhere')
    return {
      verdict: { news: { ...news, found: 'elsewhere' }, isTooMuch: false },
      closing: { ...closingOf(outcome), note: 'found: paid elsewhere under an id of this run' },
    };
  if (news.state === 'refunded' || news.state === 'cancelled') return ended(news.state);
  return {
    verdict: foundBefore(row, news),
    closing: { ...closingOf(outcome), note: 'found, not known by whom' },
  };
}

/** It is not paid again, and a person must know of it. */
export const foundBefore = ({ key }: Pick<PayRow, 'key'>, news: RowNews): RowVerdict => ({
  news: { ...news, found: 'before' },
  isTooMuch: false,
  pause: { code: 'paid_before', why: `row ${key} was paid before, and not by this run` },
});

const ended = (how: string): TakenId => ({
  verdict: usedUp(how),
  closing: { state: 'not_applied', note: endedWords(how) },
});
