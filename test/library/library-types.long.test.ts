/** What a partner's compiler says of the types of `remit-cli/client` and `remit-cli/webhooks`, as they are built. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiled, partnerFolder } from '../support/partner-folder.ts';

let folder = '';
beforeAll(() => {
  folder = partnerFolder('@types');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RECORDS = `
import type { PartnerClient, RecipientState, SenderWrite, TransactionState } from 'remit-cli/client';
import type { NamedTransaction } from 'remit-cli/client';
export async function ids(client: PartnerClient, payment: NamedTransaction, sender: SenderWrite): Promise<string[]> {
  const paid = await client.transactions.createAndFund(payment);
  const edited = await client.recipients.edit({ id: 'r', transaction_id: 't' }, { metadata: {} });
  const known = await client.senders.create(sender);
  const settled = await client.settle('an intent');
  const checked = await client.transactions.validate(payment);
  // @ts-expect-error nothing was made, so there need be no id
  if (checked.outcome === 'applied') checked.record.id.padStart(3);
  return [paid, edited, known, settled].flatMap((one) => (one.outcome === 'applied' ? [one.record.id.padStart(3)] : []));
}
`;

const CHECKS = `
import { CheckError, type NamedTransaction, type PartnerClient, type Rounded } from 'remit-cli/client';
export async function checked(client: PartnerClient, payment: NamedTransaction): Promise<readonly Rounded[]> {
  try {
    const paid = await client.transactions.createAndFund(payment, { maxInput: '15.00', accountsAsWritten: true, settle: false });
    await client.debits.create({ to_id: 't', to_type: 'Transaction' }, { maxInput: '15.00' });
    await client.payoutMethods.create({ type: 'NGN::Bank', details: {} }, { accountsAsWritten: true, retries: 0 });
    // @ts-expect-error a limit is no option where nothing is paid
    await client.transactions.create(payment, { maxInput: '15.00' });
    // @ts-expect-error an amount is a decimal text
    await client.transactions.createAndFund(payment, { maxInput: 15 });
    return paid.rounded ?? [];
  } catch (error) {
    if (error instanceof CheckError && error.code === 'wrong_account') return error.problems.map(({ path, message }) => ({ path, asked: message, becomes: '', currency: '' }));
    throw error;
  }
}
`;

const STATES = `
import type { Mandate, PartnerClient, PayinMethod, Recipient, RecipientState, Sender, Transaction, TransactionState } from 'remit-cli/client';
import type { WebhookEvent } from 'remit-cli/webhooks';
export type { DeliveryError, DeliveryErrorCode, OptionError, WebhookEvent as EventAtTheEdge } from 'remit-cli/edge';
export type { ControlError, OptionError as OptionOfSandbox } from 'remit-cli/sandbox';
export const turn: Readonly<Record<TransactionState, string>> = {
  initial: '', approved: '', pending: '', processing: '', received: '', mispaid: '', manual: '', paid: '', canceled: '', refunded: '', exception: '',
};
// @ts-expect-error one is missing
export const ended: Readonly<Record<RecipientState, boolean>> = { success: true };
/** Each known word is one of the union, so that an editor offers it; a word that the service adds later is taken too. */
type Known<State> = State extends string ? (string extends State ? never : State) : never;
const words: [
  Known<NonNullable<Transaction['state']>>, Known<NonNullable<Recipient['state']>>, Known<NonNullable<Sender['state']>>,
  Known<NonNullable<PayinMethod['state']>>, Known<NonNullable<Mandate['status']>>, Known<NonNullable<Recipient['transaction_state']>>,
] = ['paid', 'stuck', 'verified', 'incomplete', 'bypassed', 'manual'];
const later: Transaction = { state: 'a word of next year' };
export function of(client: PartnerClient, event: WebhookEvent): unknown {
  if (event.event === 'recipient.paid_out') {
    const state: RecipientState | (string & Record<never, never>) | null | undefined = event.object.state;
    return state;
  }
  // @ts-expect-error there is no such state to ask for
  client.recipients.list({ state: ['erorr'] });
  return [client.recipients.list({ state: ['error'] }), words, later];
}
`;

it('an applied outcome has a record with an id; states are words, and a state that the service adds is one too', () => {
  for (const [name, text] of Object.entries({ records: RECORDS, checks: CHECKS, states: STATES }))
    writeFileSync(join(folder, `${name}.mts`), text);
  const options = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: [] };
  // The compiler's own start is most of what this takes: it reads both at once.
  expect(compiled(folder, options, ['records', 'checks', 'states'])).toBe('');
});
