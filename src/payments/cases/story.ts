/** A recipient together with where it stands: what `recipient show` and triage say, and what a script gets as `standing`. */

import { isFunded } from '../../client/funded.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { gt } from '../../core/money.ts';
import type { Desk } from '../desk.ts';
import { serviceNow } from '../service-time.ts';
import type { ShownNextAction } from '../shapes/payments.ts';
import { type DoneBefore, doneBefore } from './done-before.ts';
import { nextActionOf } from './next-action.ts';

export type Story = Recipient & { standing: ShownNextAction };

/** @param now the service's own time @param before what was asked for it from here (`doneBefore`) */
export function storyOf(
  recipient: Recipient,
  now: number,
  { transaction, before = {} }: { transaction?: Transaction | undefined; before?: DoneBefore } = {},
): Story {
  const full = {
    ...recipient,
    transaction_id: recipient.transaction_id ?? transaction?.id,
    transaction_state: recipient.transaction_state ?? transaction?.state,
  };
  const next = nextActionOf(full, now, {
    autoRefund: transaction?.traits?.auto_refund !== false,
    paidIn: transaction && wasPaidIn(transaction),
    paidBy: transaction && ((transaction.payin_methods ?? []).length > 0 ? 'sender' : 'balance'),
    before,
  });
  const seconds = (ms: number): number => Math.round(ms / 1000);
  const secondsOf = (ms: number | undefined): number | null => (ms === undefined ? null : seconds(ms));
  return {
    ...full,
    standing: {
      act: next.act,
      because: next.because,
      can: next.can,
      age_seconds: next.ageMs === null ? null : seconds(next.ageMs),
      refund_in_seconds: next.refundInMs && {
        earliest: seconds(next.refundInMs.earliest),
        latest: seconds(next.refundInMs.latest),
      },
      awaiting: next.awaiting,
      tell_the_customer: next.tell,
      done_before: {
        cancel_requested_seconds: secondsOf(before.cancelRequestedMs),
        edited_seconds: secondsOf(before.editedMs),
      },
    },
  };
}

/** A part counts as paid in. A cancelled transaction that does not say what was paid leaves it open: undefined. */
function wasPaidIn(transaction: Transaction): boolean | undefined {
  if (isFunded(transaction)) return true;
  const { paid_amount: paid, state } = transaction;
  if (paid != null) return gt(paid, '0');
  return state === 'canceled' ? undefined : false;
}

/** One recipient as it stands at this moment, with what was asked for it from here. */
export async function storyNow(
  desk: Desk,
  { recipient, transaction }: { recipient: Recipient; transaction: Transaction },
): Promise<Story> {
  const [now, before] = await Promise.all([serviceNow(desk), doneBefore(desk, recipient)]);
  return storyOf(recipient, now, { transaction, before });
}

/** A transaction whose recipients say where they stand. */
export async function withStories(desk: Desk, transaction: Transaction): Promise<Transaction> {
  if (!transaction.recipients || transaction.recipients.length === 0) return transaction;
  const now = await serviceNow(desk);
  const recipients = await Promise.all(
    transaction.recipients.map(async (recipient) =>
      storyOf(recipient, now, { transaction, before: await doneBefore(desk, recipient) }),
    ),
  );
  return { ...transaction, recipients };
}
