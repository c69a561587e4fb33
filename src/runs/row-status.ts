/** The standing of a row is what the service has under its external id. */
import { type CreateAsked, judgePayment } from '../client/create-plan.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { newsOf } from './states.ts';
import type { RowNews } from './store/port.ts';

export type RowStatus =
  /** The payment of the row, funded, and its money is not back. */
  | { kind: 'paid'; news: RowNews }
  /** Another payment; names of what differs. */
  | { kind: 'conflict'; differences: readonly string[] }
  | { kind: 'unfunded' }
  /** It was not paid; its id is used up. `news` where money was taken for it, and came back. */
  | { kind: 'ended'; how: string; news?: RowNews };

/** @param asked the payment of the row */
export function standingIn(asked: CreateAsked, found: Transaction): RowStatus {
  const judged = judgePayment(asked, found);
  switch (judged.kind) {
    case 'conflict':
      return { kind: 'conflict', differences: judged.differences };
    case 'never':
      return { kind: 'ended', how: 'cancelled' };
    case 'absent':
      return { kind: 'unfunded' };
    case 'applied': {
      const news = newsOf(found);
      return news.state === 'refunded' || news.state === 'cancelled'
        ? { kind: 'ended', how: news.state, news }
        : { kind: 'paid', news };
    }
  }
}
