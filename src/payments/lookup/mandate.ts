/** Finds one mandate by what a person has: its id, or a recipient's, or the external id of a payment. */

import type { Recipient } from '../../contract/resources/transaction.ts';
import { isUuid } from '../../core/ids.ts';
import { Ambiguous, findThen, notFound } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';
import { recipientLine } from '../words/payment-lines.ts';
import { foundEither } from './read-one.ts';
import { findRecipient } from './recipient.ts';
import { transactionByExternalId } from './transaction.ts';

/**
 * Does what is to be done with the mandate that is meant: with what was given, where it is a mandate's id, else with the mandate
 * of that recipient or payment.
 * @throws Problem (not found), Ambiguous where it may be one of several
 */
export async function withMandate<T>(
  desk: Desk,
  { given, use }: { given: string; use: 'read' | 'write' },
  act: (id: string) => Promise<T>,
): Promise<T> {
  const ofRecipient = (): Promise<T> => findThen(() => mandateOf(desk, given, use), act);
  return isUuid(given) ? foundEither(() => act(given.toLowerCase()), ofRecipient) : ofRecipient();
}

async function mandateOf(desk: Desk, given: string, use: 'read' | 'write'): Promise<string> {
  const paid = isUuid(given) ? undefined : await transactionByExternalId(await desk.client(), given);
  if (paid?.recipients) return mandateAmong(desk, given, paid.recipients);
  return findThen(
    () => findRecipient(desk, given, { use }),
    ({ recipient }) => mandateAmong(desk, given, [recipient]),
  );
}

async function mandateAmong(desk: Desk, given: string, recipients: readonly Recipient[]): Promise<string> {
  const candidates = recipients.flatMap((recipient) => candidateOf(recipient, desk));
  const [only, ...more] = candidates;
  if (only === undefined)
    throw notFound(
      `${given} has no mandate`,
      'the account check of a payment starts one, where the payout needs it',
    );
  if (more.length === 0) return only.id;
  throw new Ambiguous<string>(
    `the payment ${given} has ${candidates.length} mandates: which one?`,
    `Which mandate of ${given}?`,
    candidates,
  );
}

function candidateOf(recipient: Recipient, { mask }: Desk) {
  const { mandate_id: id } = recipient;
  return id ? [{ id, line: recipientLine(recipient, mask), take: async () => id }] : [];
}
