/**
 * The marks of a transaction are what happened to it, as far as its record says. The service gives no dates
 * of it but those of creation and of the last change, so a mark has the nearest of them: a debit is made
 * within an hour of creation, or the transaction expires (docs/wire.md 8).
 */
import { isFunded } from '../client/funded.ts';
import { creditedCurrency } from '../contract/direction.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { broughtMoney } from '../contract/states/money.ts';
import { recipientStateInfo } from '../contract/states/recipient.ts';
import { sub } from '../core/money.ts';
import type { NewMark } from './store/port.ts';

/** Times in milliseconds, by the service's clock. */
interface Times {
  createdAt: number;
  changedAt: number;
}

/** A debit is made within this time of the creation of its transaction, or that expires (docs/wire.md 8). */
export const DEBITED_WITHIN_MS = 3_600_000;

export function marksOf(transaction: Transaction, { createdAt, changedAt }: Times): NewMark[] {
  const marks: NewMark[] = [];
  const isFromBalance = isFunded(transaction) && !isPaidIn(transaction);
  const { id, input_currency: currency, paid_amount: paid, input_amount: asked } = transaction;
  const debit = paid ?? asked;
  if (isFromBalance && id && currency && debit != null) {
    const laterAt = Math.min(changedAt, createdAt + DEBITED_WITHIN_MS);
    marks.push({ kind: 'debit', of: id, at: createdAt, laterAt, currency, amount: sub('0', debit) });
  }
  for (const recipient of transaction.recipients ?? []) {
    const one = markOf(recipient, { transaction, isFromBalance, at: changedAt });
    if (one) marks.push(one);
  }
  return marks;
}

/** True where a payer paid it in: nothing was taken from the balance, and nothing goes back there. */
const isPaidIn = ({ payin_methods: payins }: Transaction): boolean =>
  (payins ?? []).some(({ state }) => broughtMoney(state));

function markOf(
  recipient: Recipient,
  { transaction, isFromBalance, at }: { transaction: Transaction; isFromBalance: boolean; at: number },
): NewMark | undefined {
  const { id, state, input_amount: input, output_amount: output } = recipient;
  if (!id) return undefined;
  const said = { of: id, at, laterAt: at };
  const paidFrom = recipient.input_currency ?? transaction.input_currency ?? '';
  const mark = recipientStateInfo(state)?.mark;
  switch (mark) {
    case 'refund':
      return {
        ...said,
        kind: mark,
        currency: paidFrom,
        amount: isFromBalance ? (input ?? undefined) : undefined,
      };
    case 'paid': {
      const credited = creditedCurrency(recipient);
      return credited !== null && output != null
        ? { ...said, kind: 'collection', currency: credited, amount: output }
        : { ...said, kind: mark, currency: recipient.output_currency ?? '', amount: undefined };
    }
    case 'failed':
    case 'canceled':
      return { ...said, kind: mark, currency: paidFrom, amount: undefined };
    default:
      return undefined;
  }
}
