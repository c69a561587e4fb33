/** Every operation of the catalogue: served or named in a 501; answers inside the schemas and the enums; the same bytes twice. */
import { describe, expect, test } from 'vitest';
import { eventNames } from '../../src/contract/events.ts';
import { catalogue, type OperationId, operationIds } from '../../src/contract/operations/index.ts';
import type { Operation } from '../../src/contract/operations/operation.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';
import { senderStates } from '../../src/contract/states/sender.ts';
import { transactionStates } from '../../src/contract/states/transaction.ts';
import {
  type Bench,
  HOOK,
  type Json,
  payoutDetails,
  person,
  type Reply,
  startBench,
} from '../support/sandbox.ts';

const row = (id: OperationId) => catalogue[id] as unknown as Operation;
const path = (id: OperationId, parameter: string) => row(id).path.replace(/\{\w+\}/, parameter);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const transaction = (externalId: string, number: string, more: Json = {}) => ({
  transaction: {
    input_currency: 'EUR',
    external_id: externalId,
    sender: { external_id: 'sender-1', ...person },
    recipients: [
      {
        requested_amount: '10',
        requested_currency: 'EUR',
        payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', number) },
      },
    ],
    ...more,
  },
});

/** A day in the life of an account that touches every operation, with what it answered. */
async function visitAll({ call, sandbox }: Bench): Promise<{ id: OperationId; reply: Reply }[]> {
  const visits: { id: OperationId; reply: Reply }[] = [];
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
  const plain = await visit('transactions.create', '', transaction('t-1', '0123456700'));
  await visit('transactions.create', '', transaction('t-1', '0123456700'));
  await visit('transactions.create', '', {});
  await visit('transactions.calculate', '', transaction('t-1', '0123456700'));
  await visit('transactions.calculate', '', transaction('t-1', ''));
  await visit('debits.create', '', { debit: { to_id: plain.id, to_type: 'Transaction' } });
  await visit('debits.create', '', { debit: [{ to_id: plain.id, to_type: 'Transaction' }] });
  const failing = await visit('transactions.create_and_fund', '', transaction('t-2', '0123456719'));
  await visit('transactions.create_and_fund', '', transaction('t-2', '0123456719'));
  const payin = {
    type: 'GHS::Mobile',
    ux_flow: 'ussd_popup',
    in_details: { phone_number: '+233302123400', mobile_provider: 'mtn' },
  };
  const collection = await visit(
    'transactions.create',
    '',
    transaction('t-3', '0123456700', { input_currency: 'GHS', payin_methods: [payin] }),
  );
  await sandbox.settle();
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
  const cancelled = await visit('transactions.create_and_fund', '', transaction('t-4', '0123456708'));
  await sandbox.settle();
  await visit('recipients.cancel', cancelled.recipients[0].id);
  await sandbox.settle();
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
  const upload = { upload: 'data:image/png;base64,aGk=', upload_file_name: 'passport.png' };
  const { id: documentId } = await visit('documents.create', '', { document: upload });
  await visit('documents.create', '', { document: { upload: 'x' } });
  await visit('documents.get', documentId);
  await visit('recipients.proofs', plain.recipients[0].id);
  await visit(
    'transactions.validate',
    '',
    transaction('t-9', '0123456700', { payin_methods: [{ type: 'GHS::Mobile' }] }),
  );
  await visit('transactions.validate', '', {});
  const toSouthAfrica = {
    requested_amount: '10',
    requested_currency: 'EUR',
    payout_method: { type: 'ZAR::Bank', details: payoutDetails('ZAR::Bank', '0123456700') },
  };
  await visit('transactions.validate', '', transaction('t-9', '', { recipients: [toSouthAfrica] }));
  const mandated = await visit(
    'transactions.create_and_fund',
    '',
    transaction('t-9', '', { recipients: [toSouthAfrica] }),
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
  const collection = await visit('transactions.create', '', transaction('t-5', '0123456700', more));
  const [{ id }] = collection.payin_methods;
  await sandbox.settle();
  await visit('payin_methods.get', id);
  await visit('payin_methods.edit', id, { in_details: { otp: '000000' } });
  await visit('payin_methods.edit', id, { in_details: { otp: '123456' } });
  await visit('payin_methods.retry', id);
  await sandbox.settle();
  await visit('payin_methods.cancel', id);
  await visit('payin_methods.cancel', collection.id);
  const voucher = {
    type: 'XOF::Mobile',
    ux_flow: 'ussd_voucher',
    in_details: { phone_number: '+221771234709', mobile_provider: 'orange', country: 'SN', otp: '1' },
  };
  const failing = await visit(
    'transactions.create',
    '',
    transaction('t-6', '0123456700', { input_currency: 'XOF', payin_methods: [voucher] }),
  );
  await sandbox.settle();
  await visit('payin_methods.retry', failing.payin_methods[0].id);
}

describe('answers', () => {
  test('are inside the schema of their operation, with a status that it declares', async () => {
    const visits = await visitAll(await startBench());
    expect([...new Set(visits.map(({ id }) => id))].sort()).toEqual([...operationIds].sort());
    for (const { id, reply } of visits) {
      expect([row(id).status, ...row(id).failures], `${id} ${reply.text.slice(0, 300)}`).toContain(
        reply.status,
      );
      if (reply.status === 404) continue;
      const read = row(id).answer.safeParse(reply.body);
      expect(read.success, `${id} ${JSON.stringify(read.error)}`).toBe(true);
    }
  });

  test('use no state that the service does not have', async () => {
    const visits = await visitAll(await startBench());
    for (const { id, reply } of visits) {
      const objects = [reply.body.object].flat();
      for (const object of objects) {
        if (id.startsWith('transactions') && object?.state) {
          expect(Object.keys(transactionStates)).toContain(object.state);
        }
        if (id.startsWith('recipients') && object?.state) {
          expect(Object.keys(recipientStates)).toContain(object.state);
        }
        if (object?.sender?.state) expect(Object.keys(senderStates)).toContain(object.sender.state);
      }
    }
  });

  test('are the same bytes for the same seed and the same requests', async () => {
    const texts = async (seed: string) => (await visitAll(await startBench({ seed }))).map(withoutOwnNonces);
    const first = await texts('a');
    expect(await texts('a')).toEqual(first);
    expect(await texts('b')).not.toEqual(first);
  });
});

/** Our own nonces and signatures differ from run to run; the logs of requests show them. */
function withoutOwnNonces({ reply }: { reply: Reply }): string {
  return reply.text.replace(/"n-\d+"/g, '"n"').replace(/[0-9a-f]{8}…/g, '…');
}
