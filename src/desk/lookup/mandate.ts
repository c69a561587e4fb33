/** From what a person has to one mandate: its id, or a recipient's, or the external id of a payment. */

import { chooseOne } from '../../cli/ask/choose-one.ts';
import type { Argument } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import { isUuid } from '../../core/ids.ts';
import { notFound } from '../../core/problem.ts';
import { recipientLine } from '../words/payment-lines.ts';
import { foundEither } from './read-one.ts';
import { findRecipient } from './recipient.ts';
import { byExternalId } from './transaction.ts';

export const mandateArgument: Argument = {
  name: 'ID',
  summary: 'the mandate’s id, its recipient’s, or the external id of the payment',
};

/**
 * Does what is to be done with the mandate that is meant: with what was given, where it is a mandate's id, else with the mandate
 * of that recipient or payment.
 * @throws Failure (not found; usage where it may be one of several, with all of them)
 */
export async function withMandate<T>(
  context: Context,
  { given, use }: { given: string; use: 'read' | 'write' },
  act: (id: string) => Promise<T>,
): Promise<T> {
  const ofRecipient = async (): Promise<T> => act(await mandateOf(context, given, use));
  return isUuid(given) ? foundEither(() => act(given), ofRecipient) : ofRecipient();
}

async function mandateOf(context: Context, given: string, use: 'read' | 'write'): Promise<string> {
  const paid = isUuid(given) ? undefined : await byExternalId(await context.client(), given);
  const recipients = paid?.recipients ?? [(await findRecipient(context, given, { use })).recipient];
  const candidates = recipients.flatMap((item) => candidateOf(item, context));
  const [only, ...more] = candidates;
  if (only === undefined)
    throw notFound(
      `${given} has no mandate`,
      'one is begun by the account check of a payment whose payout needs it',
    );
  if (more.length === 0) return only.id;
  const chosen = await chooseOne(context, candidates, {
    message: `the payment ${given} has ${candidates.length} mandates: which one?`,
    question: `Which mandate of ${given}?`,
  });
  return chosen.mandate_id ?? '';
}

const candidateOf = (item: Recipient, { mask }: Context) =>
  item.mandate_id ? [{ item, id: item.mandate_id, line: recipientLine(item, mask) }] : [];
