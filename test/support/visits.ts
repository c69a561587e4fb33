/** A day in the life of an account that touches every operation, with each status that it documents. */
import { eventNames } from '../../src/contract/events.ts';
import { catalogue, type OperationId, operationIds } from '../../src/contract/operations/index.ts';
import type { Operation } from '../../src/contract/operations/operation.ts';
import {
  type Bench,
  HOOK,
  type Json,
  paymentBody,
  payoutDetails,
  person,
  type Reply,
  recipientBody,
} from './sandbox.ts';

export const row = (id: OperationId) => catalogue[id] as unknown as Operation;
export const path = (id: OperationId, parameter: string) => row(id).path.replace(/\{\w+\}/, parameter);
export const UNKNOWN = '00000000-0000-4000-8000-000000000000';

export interface Answered {
  id: OperationId;
  reply: Reply;
}

/** What every operation answered, in order. */
export async function visitAll({ call, sandbox }: Bench): Promise<Answered[]> {
  const visits: Answered[] = [];
  const visit = async (id: OperationId, parameter = '', body?: Json, query = '') => {
    const reply = await call(row(id).method, path(id, parameter) + query, body);
    visits.push({ id, reply });
    return reply.body.object;
  };
  await visit('webhooks.create', '', { webhook: { url: HOOK, events: eventNames } });
  await visit('webhooks.create', '', { webhook: {} });
  const { id: senderId } = await visit('senders.create', '', { sender: { external_id: 's-2', ...person } });
  await visit('senders.create', '', { sender: { external_id: 's-2', ...person } });
  await visit('senders.create', '', { sender: {} });
  await visit('senders.edit', senderId, { sender: { city: 'Hamburg' } });
  await visit('senders.edit', senderId, { sender: { email: 'x' } });
  await visit('senders.get', senderId);
  await visit('senders.list');
  const plain = await visit('transactions.create', '', paymentBody('t-1', '0123456700'));
  await visit('transactions.create', '', paymentBody('t-1', '0123456700'));
  await visit('transactions.create', '', {});
  await visit('transactions.calculate', '', paymentBody('t-1', '0123456700'));
  await visit('transactions.calculate', '', paymentBody('t-1', ''));
  await visit('debits.create', '', { debit: { to_id: plain.id, to_type: 'Transaction' } });
  await visit('debits.create', '', { debit: [{ to_id: plain.id, to_type: 'Transaction' }] });
  const failing = await visit('transactions.create_and_fund', '', paymentBody('t-2', '0123456719'));
  await visit('transactions.create_and_fund', '', paymentBody('t-2', '0123456719'));
  const payin = {
    type: 'GHS::Mobile',
    ux_flow: 'ussd_popup',
    in_details: { phone_number: '+233302123400', mobile_provider: 'mtn' },
  };
  const collection = await visit(
    'transactions.create',
    '',
    paymentBody('t-3', '0123456700', { input_currency: 'GHS', payin_methods: [payin] }),
  );
  await sandbox.drain();
  await visit('transactions.payin', collection.id, { payin_method: { type: 'GHS::Mobile' } });
  await visit('transactions.payin', collection.id, { payin_method: {} });
  await visit('transactions.get', failing.id);
  await visit('recipients.edit', failing.recipients[0].id, {
    recipient: { payout_method: { details: { bank_code: '1' } } },
  });
  await visit('recipients.edit', failing.recipients[0].id, {
    recipient: { payout_method: { details: { street: 'A' } } },
  });
  await visit('transactions.payout', failing.id);
  await visit('transactions.payout', failing.id);
  await visit('recipients.cancel', failing.recipients[0].id);
  const cancelled = await visit('transactions.create_and_fund', '', paymentBody('t-4', '0123456708'));
  await sandbox.drain();
  await visit('recipients.cancel', cancelled.recipients[0].id);
  await sandbox.drain();
  await visitPayin(visit, sandbox);
  const method = { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', '0123456700') };
  const stored = await visit('payout_methods.create', '', { payout_method: method });
  await visit('payout_methods.create', '', { payout_method: { type: 'NGN::Bank', details: {} } });
  await visit('payout_methods.edit', stored.id, { details: { bank_code: '058' } });
  await visit('payout_methods.edit', stored.id, { details: { bank_code: 'x' } });
  await visit('payout_methods.get', stored.id);
  await visit('payout_methods.list', '', undefined, `?sender_id=${plain.sender.id}`);
  await visit('payout_methods.edit', plain.recipients[0].payout_method.id, { details: {} });
  await visit('payout_methods.disable', stored.id);
  await visit('payout_methods.disable', plain.recipients[0].payout_method.id);
  const upload = { upload: 'data:image/png;base64,aGk=', upload_file_name: 'passport.png' };
  const { id: documentId } = await visit('documents.create', '', { document: upload });
  await visit('documents.create', '', { document: { upload: 'x' } });
  await visit('documents.get', documentId);
  await visit('recipients.proofs', plain.recipients[0].id);
  await visit(
    'transactions.validate',
    '',
    paymentBody('t-9', '0123456700', { payin_methods: [{ type: 'GHS::Mobile' }] }),
  );
  await visit('transactions.validate', '', {});
  const toSouthAfrica = recipientBody('0123456700', 'ZAR::Bank');
  await visit('transactions.validate', '', paymentBody('t-9', '', { recipients: [toSouthAfrica] }));
  const mandated = await visit(
    'transactions.create_and_fund',
    '',
    paymentBody('t-9', '', { recipients: [toSouthAfrica] }),
  );
  await visit('mandates.get', mandated.recipients[0].mandate_id);
  for (const id of operationIds.filter((each) => row(each).method === 'GET')) {
    if (!row(id).path.includes('{')) await visit(id);
    else if (id !== 'accounts.get') await visit(id, UNKNOWN);
  }
  await visit('accounts.get', 'EUR');
  await visit('accounts.get', 'eur');
  const [log] = await visit('api_logs.list');
  await visit('api_logs.get', log.id);
  const [hookLog] = await visit('webhook_logs.list');
  await visit('webhook_logs.get', hookLog.id);
  const [hook] = await visit('webhooks.list');
  await visit('webhooks.get', hook.id);
  await visit('webhooks.delete', hook.id);
  await visit('webhooks.delete', hook.id);
  const asked = { method: 'bank', country: 'NG', currency: 'NGN', bank_code: '044' };
  await visit('account_validations.create', '', { ...asked, bank_account: '0123456789' });
  await visit('account_validations.create', '', { ...asked, bank_account: '9123456789' });
  await visit('senders.disable', senderId);
  await visit('senders.disable', UNKNOWN);
  return visits;
}

type Visit = (id: OperationId, parameter?: string, body?: Json, query?: string) => Promise<Json>;

/** A collection that wants a code, gets a wrong one and a right one, fails, is tried again, and is called off. */
async function visitPayin(visit: Visit, sandbox: Bench['sandbox']): Promise<void> {
  const phone = { phone_number: '+233302123400', mobile_provider: 'mtn' };
  const otp = { type: 'GHS::Mobile', ux_flow: 'otp_verified_ussd_popup', in_details: phone };
  const more = { input_currency: 'GHS', payin_methods: [otp] };
  const collection = await visit('transactions.create', '', paymentBody('t-5', '0123456700', more));
  const [{ id }] = collection.payin_methods;
  await sandbox.drain();
  await visit('payin_methods.get', id);
  await visit('payin_methods.edit', id, { in_details: { otp: '000000' } });
  await visit('payin_methods.edit', id, { in_details: { otp: '123456' } });
  await visit('payin_methods.retry', id);
  await sandbox.drain();
  await visit('payin_methods.cancel', id);
  const paid = await visit(
    'transactions.create',
    '',
    paymentBody('t-7', '0123456700', { ...more, payin_methods: [{ ...otp, ux_flow: 'ussd_popup' }] }),
  );
  await sandbox.drain();
  await visit('transactions.payin', paid.id, { payin_method: { type: 'GHS::Mobile' } });
  await sandbox.drain();
  await visit('payin_methods.cancel', paid.payin_methods[0].id);
  await visit('payin_methods.cancel', collection.id);
  const voucher = {
    type: 'XOF::Mobile',
    ux_flow: 'ussd_voucher',
    in_details: { phone_number: '+221771234709', mobile_provider: 'orange', country: 'SN', otp: '1' },
  };
  const failing = await visit(
    'transactions.create',
    '',
    paymentBody('t-6', '0123456700', { input_currency: 'XOF', payin_methods: [voucher] }),
  );
  await sandbox.drain();
  await visit('payin_methods.retry', failing.payin_methods[0].id);
}
