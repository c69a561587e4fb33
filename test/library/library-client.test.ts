/** `remit-cli/client` against a sandbox on a port: every operation, every outcome, every journal. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operationIds } from '../../src/contract/operations/index.ts';
import {
  ApiError,
  createPartnerClient,
  memoryIntents,
  NetworkError,
  RequestError,
  sqliteIntents,
} from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox, SandboxFault } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { intentOf } from '../support/library-intent.ts';
import { paymentBody } from '../support/sandbox.ts';
import { portOf } from '../support/servers.ts';
import { temporaryStorePath } from '../support/stores.ts';

const payment = (externalId: string, account?: string): Public.NamedTransaction =>
  paymentBody(externalId, account, { sender: samplePerson }).transaction;

const breaks = (): never => {
  throw new Error('a hook');
};

let sandbox: Sandbox;
let client: Public.PartnerClient;
let intents: Public.Intents;
const exchanges: Public.Exchange[] = [];
const lines: string[] = [];

const clientWith = (over: Partial<Public.PartnerClientOptions> = {}) =>
  createPartnerClient({
    baseUrl: sandbox.url,
    key: sandbox.key,
    secret: sandbox.secret,
    intents,
    onExchange: (exchange) => exchanges.push(exchange),
    logger: { debug: (line) => lines.push(line), warn: (line) => lines.push(line) },
    ...over,
  });

beforeEach(async () => {
  exchanges.length = 0;
  lines.length = 0;
  sandbox = await startSandbox({ port: 0 });
  intents = memoryIntents();
  client = clientWith();
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

const arm = (fault: SandboxFault, body: object = {}) =>
  sandbox.control('sandbox.faults.arm', { body: { fault, times: 1, ...body } });
const sent = (operation: string) => exchanges.filter(({ call }) => call.operation === operation).length;

describe('the operations', () => {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

  it('are all there, named as in the catalogue, and no others', () => {
    const groups = client as unknown as Record<string, Record<string, unknown>>;
    const names = operationIds.map((id) => id.split('.').map(camel));
    for (const [group = '', name = ''] of names) expect(groups[group]?.[name]).toBeTypeOf('function');
    const methods = Object.values(groups).filter((group) => typeof group === 'object');
    expect(methods.flatMap((group) => Object.keys(group))).toHaveLength(operationIds.length);
  });

  it('read every kind of record', async () => {
    const made = await client.transactions.createAndFund(payment('read-1'));
    const { recipients, id = '' } = made.outcome === 'applied' ? made.record : {};
    const accounts = await client.accounts.list();
    expect(accounts.map(({ currency }) => currency)).toContain('EUR');
    expect((await client.accounts.get('EUR')).amount).toMatch(/^\d+(\.\d+)?$/);
    expect(await client.partnerBalance.list()).toBeInstanceOf(Array);
    expect((await client.currencies.list()).length).toBeGreaterThan(5);
    expect((await client.currencies.in()).length).toBeGreaterThan(0);
    expect((await client.currencies.out({})).length).toBeGreaterThan(0);
    expect((await client.paymentMethods.in()).length).toBeGreaterThan(0);
    expect((await client.paymentMethods.out()).length).toBeGreaterThan(0);
    expect((await client.webhooks.events()).length).toBeGreaterThan(10);
    expect((await client.transactions.get(id ?? '')).external_id).toBe('read-1');
    expect(await client.recipients.proofs(recipients?.[0]?.id ?? '')).toBeInstanceOf(Array);
    const [log] = (await client.apiLogs.list().page(1)).items;
    expect((await client.apiLogs.get(log?.id ?? '')).id).toBe(log?.id);
    expect((await client.webhookLogs.list().page(1)).items).toEqual([]);
    await expect(client.webhookLogs.get('0')).rejects.toBeInstanceOf(ApiError);
    await expect(client.mandates.get('0')).rejects.toBeInstanceOf(ApiError);
    await expect(client.payinMethods.get('0')).rejects.toMatchObject({
      kind: 'not_found',
      isRetryable: false,
    });
    const account = {
      method: 'bank',
      country: 'NG',
      currency: 'NGN',
      bank_account: '0123456789',
      bank_code: '044',
    };
    const validated = await client.accountValidations.create(account as Public.AccountValidationWrite);
    expect(validated).toHaveProperty('result');
    const calculated = await client.transactions.calculate(payment('unused'));
    expect(calculated.input_amount).toMatch(/^\d/);
  });

  it('keep senders, payout methods, documents and endpoints', async () => {
    const made = await client.senders.create({
      ...samplePerson,
      external_id: 'customer-1',
    } as Public.SenderWrite);
    expect(made).toMatchObject({ outcome: 'applied', how: 'answered' });
    const id = (made.outcome === 'applied' && made.record.id) || '';
    expect(await client.senders.edit(id, { city: 'Lagos' } as Public.SenderWrite)).toMatchObject({
      outcome: 'applied',
      record: { city: 'Lagos' },
    });
    expect((await client.senders.get(id)).city).toBe('Lagos');
    expect(
      await client.senders.create({ ...samplePerson, external_id: 'customer-1' } as Public.SenderWrite),
    ).toMatchObject({
      outcome: 'not_applied',
      error: { status: 422 },
    });
    const listed = await client.senders.list({ external_id: 'customer-1' }).page(1);
    expect(listed.items.map((one) => one.id)).toEqual([id]);
    expect(await client.senders.disable(id)).toMatchObject({
      outcome: 'applied',
      record: { state: 'disabled' },
    });
    const details = paymentBody('x', '0123456780').transaction.recipients[0].payout_method.details;
    const stored = await client.payoutMethods.create({ type: 'NGN::Bank', details });
    const methodId = (stored.outcome === 'applied' && stored.record.id) || '';
    const edited = await client.payoutMethods.edit(methodId, { bank_account: '0123456781' });
    expect(edited).toMatchObject({
      outcome: 'applied',
      intent: { state: 'applied', operation: 'payout_methods.edit' },
    });
    expect((await client.payoutMethods.get(methodId)).details?.bank_account).toBe('0123456781');
    expect((await client.payoutMethods.list({ type: ['NGN::Bank'] }).page(1)).items).toHaveLength(1);
    expect(await client.payoutMethods.disable(methodId)).toMatchObject({ record: { state: 'disabled' } });
    const file = { upload: 'data:image/png;base64,iVBORw0KGgo=', upload_file_name: 'id.png', metadata: {} };
    const uploaded = await client.documents.create(file as unknown as Public.DocumentWrite);
    expect(uploaded.outcome).toBe('applied');
    const documentId = (uploaded.outcome === 'applied' && uploaded.record.id) || '';
    expect((await client.documents.get(documentId)).id).toBe(documentId);
    expect((await client.documents.list().page(1)).items).toHaveLength(1);
    const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['transaction.created'] };
    const added = await client.webhooks.create(endpoint);
    const webhookId = (added.outcome === 'applied' && added.record.id) || '';
    expect((await client.webhooks.get(webhookId)).url).toBe(endpoint.url);
    expect((await client.webhooks.list().page(1)).items).toHaveLength(1);
    expect(await client.webhooks.delete(webhookId)).toMatchObject({ outcome: 'applied' });
    await expect(client.webhooks.get(webhookId)).rejects.toMatchObject({ status: 404 });
  });

  it('pay: created, funded by a debit, a recipient corrected and cancelled', async () => {
    const created = await client.transactions.create(payment('two-steps', '0123456719'));
    expect(created).toMatchObject({ outcome: 'applied', record: { state: 'approved' } });
    const { id, recipients } = created.outcome === 'applied' ? created.record : {};
    const debit = { to_id: id ?? '', to_type: 'Transaction' } as const;
    expect(await client.debits.create(debit)).toMatchObject({ outcome: 'applied', record: { id } });
    // The same again is answered from the journal: nothing is sent.
    expect(await client.debits.create(debit)).toMatchObject({ outcome: 'applied', how: 'earlier' });
    expect(sent('debits.create')).toBe(1);
    await sandbox.drain();
    const listed = (await client.recipients.list({ state: ['error'] }).page(1)).items[0];
    expect(listed?.id).toBe(recipients?.[0]?.id);
    const changes = { payout_method: { details: { bank_account: '0123456789' } } };
    expect(await client.recipients.edit(listed ?? {}, changes)).toMatchObject({ outcome: 'applied' });
    const other = await client.transactions.createAndFund(payment('to-cancel', '0123456719'));
    await sandbox.drain();
    const failed = other.outcome === 'applied' ? other.record.recipients?.[0] : undefined;
    const named = { id: failed?.id, transaction_id: (other.outcome === 'applied' && other.record.id) || '' };
    expect(await client.recipients.cancel(named)).toMatchObject({
      outcome: 'applied',
      intent: { subject: failed?.id },
    });
    await expect(client.recipients.edit({ ...named, id: 'another' }, changes)).rejects.toBeInstanceOf(
      RequestError,
    );
    await expect(client.recipients.cancel({ id: 'r' })).rejects.toThrow('transaction_id');
  });

  it('are asked for as they are named by the call, whose object may be used for the next', async () => {
    const recipients = [payment('two').recipients, payment('two', '0123456719').recipients].flat();
    const made = await client.transactions.create({ ...payment('two'), recipients });
    const { id: transactionId = '', recipients: both = [] } = made.outcome === 'applied' ? made.record : {};
    const named = { id: '', transaction_id: transactionId };
    const cancelled = [...(both ?? [])].map(({ id }) => {
      named.id = id ?? '';
      return client.recipients.cancel(named);
    });
    const subjects = (await Promise.all(cancelled)).map((one) => intentOf(one).subject);
    expect(subjects).toEqual(both?.map(({ id }) => id));
    expect(new Set(subjects).size).toBe(2);
  });

  it('pay what the payment says when it is asked for, whatever its objects are used for meanwhile', async () => {
    const asked = payment('kept', '0123456700');
    const [recipient] = asked.recipients;
    const going = client.transactions.createAndFund(asked);
    if (recipient !== undefined) recipient.requested_amount = '900000';
    asked.external_id = 'changed';
    const made = await going;
    expect(made).toMatchObject({ outcome: 'applied', record: { external_id: 'kept' } });
    const [paid] = (made.outcome === 'applied' && made.record.recipients) || [];
    expect(paid?.requested_amount).not.toBe('900000');
  });

  it('collect: a payin retried, changed and cancelled, and forced on a sandbox alone', async () => {
    const details = { phone_number: '+233302123400', mobile_provider: 'mtn' };
    const payins = [{ type: 'GHS::Mobile', ux_flow: 'ussd_popup', in_details: details }];
    const asked = { ...payment('collection'), input_currency: 'GHS', payin_methods: payins };
    const validated = await client.transactions.validate(asked);
    expect(validated.outcome).toBe('applied');
    const made = await client.transactions.create(asked);
    const collection = made.outcome === 'applied' ? made.record : undefined;
    const { id, payin_methods: payinMethods } = collection ?? {};
    const payinId = payinMethods?.[0]?.id ?? '';
    expect((await client.payinMethods.get(payinId)).type).toBe('GHS::Mobile');
    const retried = await client.payinMethods.retry(payinId);
    expect(['applied', 'not_applied']).toContain(retried.outcome);
    await expect(client.payinMethods.edit(payinId, {})).rejects.toThrow('changes nothing');
    expect(await client.payinMethods.edit(payinId, { phone_number: '+233302123401' })).toHaveProperty(
      'intent',
    );
    const paid = await client.transactions.payin(id ?? '', { type: 'GHS::Mobile' });
    expect(paid.outcome).toBe('applied');
    expect((await client.transactions.payout(id ?? '')).outcome).toBe('applied');
    expect((await client.payinMethods.cancel(payinId)).outcome).toBe('not_applied');
    const elsewhere = clientWith({ environment: 'production' });
    await expect(elsewhere.transactions.payout(id ?? '')).rejects.toBeInstanceOf(RequestError);
    await elsewhere.close();
  });

  it('list as an iterator and as pages, and ask for nothing before it is wanted', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.transactions.create(payment(name));
    exchanges.length = 0;
    const listing = client.transactions.list({ per: 2 });
    expect(exchanges).toEqual([]);
    const seen: unknown[] = [];
    for await (const one of listing) if (seen.push(one.external_id) === 3) break;
    expect(seen).toEqual(['e', 'd', 'c']);
    expect(exchanges).toHaveLength(2);
    const pages: Public.Page<Public.Transaction>[] = [];
    for await (const page of listing.pages()) pages.push(page);
    expect(pages.map(({ items, page, next }) => [items.length, page, next])).toEqual([
      [2, 1, 2],
      [2, 2, 3],
      [1, 3, null],
    ]);
    expect(pages[0]?.total).toBe(5);
    expect((await listing.page(2)).items.map(({ external_id: id }) => id)).toEqual(['c', 'b']);
  });
});

describe('a payment', () => {
  it('of which the answer was lost is found, and not made twice', async () => {
    await arm('response-lost', { operation: 'transactions.create_and_fund' });
    const made = await client.transactions.createAndFund(payment('wages-1'));
    expect(made).toMatchObject({ outcome: 'applied', how: 'found', record: { external_id: 'wages-1' } });
    expect(sent('transactions.create_and_fund')).toBe(1);
  });

  it('that is asked for again is answered with what stands, and nothing is sent', async () => {
    const first = await client.transactions.createAndFund(payment('wages-1'));
    const again = await client.transactions.createAndFund(payment('wages-1'));
    expect(again).toMatchObject({ outcome: 'applied', how: 'earlier' });
    expect(again.outcome === 'applied' && again.record.id).toBe(
      first.outcome === 'applied' && first.record.id,
    );
    expect(sent('transactions.create_and_fund')).toBe(1);
    const next = await client.transactions.createAndFund(payment('wages-2'));
    expect(next).toMatchObject({ outcome: 'applied', how: 'answered' });
  });

  it('that is asked for ten times at once is made once', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => client.transactions.createAndFund(payment('once'))),
    );
    expect(new Set(all.map((one) => one.outcome === 'applied' && one.record.id)).size).toBe(1);
    expect(all.every(({ outcome }) => outcome === 'applied')).toBe(true);
    expect(sent('transactions.create_and_fund')).toBe(1);
  });

  it('with the name of another is not applied, and says in what it differs', async () => {
    await client.transactions.createAndFund(payment('taken'));
    const other = { ...payment('taken') };
    other.recipients = other.recipients.map((one) => ({ ...one, requested_amount: '7' }));
    const made = await client.transactions.createAndFund(other);
    expect(made).toMatchObject({ outcome: 'not_applied', conflict: { record: { external_id: 'taken' } } });
    expect(made.outcome === 'not_applied' && made.conflict?.differences.join()).toContain('requested_amount');
  });

  it('with the name of a payment of somebody else is not applied', async () => {
    await client.transactions.createAndFund(payment('of-ines'));
    const other = { ...payment('of-ines'), sender: { ...samplePerson, first_name: 'Ana', city: 'Porto' } };
    const made = await client.transactions.createAndFund(other as Public.NamedTransaction);
    // Who was edited since reads so too: nothing is claimed.
    expect([made.outcome, made.outcome === 'unknown' && made.why]).toEqual([
      'unknown',
      expect.stringContaining('the same amounts and other details'),
    ]);
    const named = { ...payment('of-one'), sender: { external_id: 'customer-1' } };
    await client.senders.create({ ...samplePerson, external_id: 'customer-1' } as Public.SenderWrite);
    await client.senders.create({ ...samplePerson, external_id: 'customer-2' } as Public.SenderWrite);
    await client.transactions.createAndFund(named as Public.NamedTransaction);
    const taken = await client.transactions.createAndFund({
      ...named,
      sender: { external_id: 'customer-2' },
    } as Public.NamedTransaction);
    expect(taken).toMatchObject({
      outcome: 'not_applied',
      conflict: { differences: ['sender.external_id'] },
    });
  });

  it('that is refused is not applied, with the fields that are wrong', async () => {
    const made = await client.transactions.createAndFund({ ...payment('bad'), input_currency: 'XXX' });
    expect(made).toMatchObject({ outcome: 'not_applied', intent: { state: 'not_applied' } });
    const { error } = made.outcome === 'not_applied' ? made : { error: undefined };
    expect(error).toBeInstanceOf(ApiError);
    expect(error instanceof ApiError && error.fields.map(({ path }) => path)).toContain('input_currency');
    expect(error instanceof ApiError && [error.isRetryable, error.requestId.length > 8]).toEqual([
      false,
      true,
    ]);
  });

  it('that nothing answers stays unknown with its intent, and is settled when something does', async () => {
    await arm('response-lost', { operation: 'transactions.create_and_fund' });
    await arm('5xx', { operation: 'transactions.list', times: 99 });
    const made = await client.transactions.createAndFund(payment('lost'));
    expect(made).toMatchObject({ outcome: 'unknown', intent: { state: 'unknown', externalId: 'lost' } });
    expect(lines.join('\n')).toContain('unknown outcome');
    const again = await client.transactions.createAndFund(payment('lost'));
    expect(again).toMatchObject({ outcome: 'unknown', intent: { id: intentOf(made).id } });
    const [open, ...others] = await client.unsettled();
    expect(open).toMatchObject({ id: intentOf(made).id, underWay: false });
    expect(others).toEqual([]);
    await sandbox.control('sandbox.faults.clear');
    const [one, two] = await Promise.all([client.settle(intentOf(made)), client.settle(intentOf(made).id)]);
    expect(one).toMatchObject({ outcome: 'applied', how: 'found', intent: { state: 'applied' } });
    expect(two).toEqual(one);
    expect(sent('transactions.create_and_fund')).toBe(1);
    expect(await client.settle(intentOf(made))).toMatchObject({ outcome: 'applied', how: 'earlier' });
    expect(await client.unsettled()).toEqual([]);
    await expect(client.settle('no such intent')).rejects.toBeInstanceOf(RangeError);
  });

  it('is not sent without a name, nor one that does not fit, nor without a journal', async () => {
    const nameless = { ...payment('x'), external_id: '' };
    await expect(client.transactions.createAndFund(nameless)).rejects.toThrow('external_id is missing');
    const float = payment('float') as unknown as { recipients: { requested_amount: unknown }[] };
    for (const one of float.recipients) one.requested_amount = 12.5;
    await expect(client.transactions.create(float as never)).rejects.toBeInstanceOf(RequestError);
    const full = { ...intents, open: () => Promise.reject(new Error('the disk is full')) };
    const broken = clientWith({ intents: full });
    await expect(broken.transactions.createAndFund(payment('y'))).rejects.toThrow('the disk is full');
    expect(exchanges.filter(({ call }) => call.effect !== 'read')).toEqual([]);
    expect(() => clientWith({ intents: undefined as never })).toThrow('intents is missing');
    await broken.close();
  });

  it('of which the outcome could not be written down says so, and can be settled at once', async () => {
    const full = { ...intents, close: () => Promise.reject(new Error('the disk is full')) };
    const broken = clientWith({ intents: full });
    const made = await broken.transactions.createAndFund(payment('unrecorded'));
    expect(made).toMatchObject({ outcome: 'applied', unrecorded: { message: 'the disk is full' } });
    const again = await broken.transactions.createAndFund(payment('unrecorded'));
    expect(again).toMatchObject({ outcome: 'applied', how: 'earlier', intent: { id: intentOf(made).id } });
    expect(again.unrecorded).toBeInstanceOf(Error);
    expect(sent('transactions.create_and_fund')).toBe(1);
    expect(await client.settle(intentOf(again))).toMatchObject({ outcome: 'unknown' });
    await broken.close();
  });

  it.each([
    ['headers', { headers: ({ operation }: Public.CallFacts) => brokenFor(operation) }],
    ['forged headers', { headers: ({ operation }: Public.CallFacts) => brokenFor(operation, { host: 'x' }) }],
  ])('of which the look cannot be made for want of %s is unknown, never not applied', async (_, over) => {
    await arm('response-lost', { operation: 'transactions.create_and_fund' });
    const hooked = clientWith(over);
    const made = await hooked.transactions.createAndFund(payment('hooked'));
    expect(made).toMatchObject({ outcome: 'unknown', intent: { state: 'open' } });
    expect(made.outcome === 'unknown' && made.why).toContain('may have been applied');
    await hooked.close();
    expect(await client.unsettled()).toMatchObject([{ id: intentOf(made).id }]);
  });

  it('that is no payment, and cannot be looked for, is unknown too', async () => {
    await arm('response-lost', { operation: 'senders.create' });
    const hooked = clientWith({
      headers: ({ operation }) => brokenFor(operation.replace('senders', 'transactions')),
    });
    const sender = { ...samplePerson, external_id: 'customer-9' } as Public.SenderWrite;
    expect(await hooked.senders.create(sender)).toMatchObject({ outcome: 'unknown' });
    await hooked.close();
  });

  it('that a hook kept from being sent is not applied, and nothing stays open', async () => {
    const refuse = () => {
      throw new Error('no nonce today');
    };
    const made = client.transactions.createAndFund(payment('kept-back'), { nonce: refuse });
    await expect(made).rejects.toThrow('nonce could not be made: no nonce today');
    expect(await client.unsettled()).toEqual([]);
    expect(await client.transactions.createAndFund(payment('kept-back'))).toMatchObject({ how: 'answered' });
  });

  it('of another account is not settled with this key', async () => {
    const made = await client.transactions.createAndFund(payment('mine'));
    const { request: _, ...about } = intentOf(made);
    const other = await intents.open({ ...about, keyPrint: 'of another', request: '{"plan":"create"}' });
    const { id } = 'opened' in other ? other.opened : { id: '' };
    expect(await client.unsettled()).toEqual([]);
    await expect(client.settle(id)).rejects.toThrow('another account');
  });

  it('made elsewhere may be under way for ten minutes: it is neither sent again nor settled from here', async () => {
    const there = clientWith({ host: 'payments-2' });
    await arm('response-lost', { operation: 'transactions.create_and_fund' });
    await arm('5xx', { operation: 'transactions.list', times: 99 });
    const asked = payment('elsewhere');
    const made = await there.transactions.createAndFund(asked);
    await there.close();
    // As if the process had died before it could write the outcome down.
    const { id: _, state: __, createdAt: ___, updatedAt: ____, ...kept } = intentOf(made);
    const left = await intents.open({ ...kept, request: intentOf(made).request ?? '' });
    const { id } = 'opened' in left ? left.opened : { id: '' };
    expect(await client.unsettled()).toContainEqual(expect.objectContaining({ id, underWay: true }));
    expect(await client.settle(id)).toMatchObject({ outcome: 'unknown' });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 150);
    const waited = await client.transactions.createAndFund(asked, { signal: stop.signal });
    expect(waited).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect(sent('transactions.create_and_fund')).toBe(1);
  });
});

/** A hook that fails for every look. */
function brokenFor(operation: string, headers?: Record<string, string>): Record<string, string> {
  if (operation !== 'transactions.list') return {};
  if (headers) return headers;
  throw new Error('a hook that fails');
}

describe('how a call is made', () => {
  it('0 retries is 0: a read is tried once, a write is sent once and then only looked for', async () => {
    const once = clientWith({ retries: 0 });
    await arm('5xx', { operation: 'accounts.list', times: 9 });
    await expect(once.accounts.list()).rejects.toMatchObject({ status: 503, isRetryable: true });
    expect(sent('accounts.list')).toBe(1);
    await arm('reset-before-commit', { operation: 'transactions.create_and_fund', times: 9 });
    const made = await once.transactions.createAndFund(payment('never-arrived'));
    expect(made.outcome).toBe('unknown');
    expect(sent('transactions.create_and_fund')).toBe(1);
    expect(sent('transactions.list')).toBeGreaterThan(0);
    await once.close();
  });

  it('a read is repeated, and so often as a call says', async () => {
    await arm('5xx', { operation: 'accounts.list', times: 1 });
    expect((await client.accounts.list()).length).toBeGreaterThan(0);
    expect(sent('accounts.list')).toBe(2);
    await arm('5xx', { operation: 'accounts.get', times: 9 });
    await expect(client.accounts.get('EUR', { retries: 1 })).rejects.toBeInstanceOf(ApiError);
    expect(sent('accounts.get')).toBe(2);
  });

  it('with a time-out that includes connecting, a signal, a nonce and headers of its own', async () => {
    const headers: Record<string, unknown>[] = [];
    const server = createServer((request, response) => {
      headers.push(request.headers);
      if (request.url?.includes('EUR')) response.end('{"object":{"currency":"EUR","amount":1}}');
    });
    const slow = clientWith({
      baseUrl: `http://127.0.0.1:${await portOf(server)}/v1`,
      retries: 0,
      headers: ({ operation }) => ({ traceparent: `00-${operation}` }),
    });
    const late = slow.accounts.list({ timeoutMs: 100 });
    await expect(late).rejects.toMatchObject({ name: 'NetworkError', code: 'TIMEOUT', isRetryable: true });
    await expect(late).rejects.toThrow('no answer within 100 ms, connecting included');
    const stop = new AbortController();
    const ended = slow.accounts.list({ signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(ended).rejects.toBeInstanceOf(NetworkError);
    await slow.accounts.get('EUR', { nonce: () => 'a-nonce-of-our-own', headers: { 'X-Request': '7' } });
    expect(headers.at(-1)).toMatchObject({
      'authorization-nonce': 'a-nonce-of-our-own',
      'x-request': '7',
      traceparent: '00-accounts.get',
    });
    const forged = slow.accounts.get('EUR', { headers: { 'authorization-key': 'x' } });
    await expect(forged).rejects.toThrow('the client sets itself');
    server.closeAllConnections();
    server.close();
    await slow.close();
  });

  it('a write that is broken off on its way is unknown, never not applied', async () => {
    const server = createServer(({ method }, response) => {
      if (method === 'GET') response.end('{"object":[]}');
    });
    const silent = clientWith({ baseUrl: `http://127.0.0.1:${await portOf(server)}/v1`, retries: 0 });
    const stop = new AbortController();
    server.on('request', ({ method }) => method === 'POST' && stop.abort());
    const made = silent.transactions.createAndFund(payment('broken-off'), { signal: stop.signal });
    expect(await made).toMatchObject({ outcome: 'unknown', intent: { state: 'unknown' } });
    server.closeAllConnections();
    server.close();
    await silent.close();
  });

  it('is told without a secret, and lines without what was sent', async () => {
    await client.transactions.createAndFund(payment('told'));
    expect(lines.at(-1)).toMatch(
      /^remit: transactions.create_and_fund: 201 in \d+ ms \(request [0-9a-f]{8}\)$/,
    );
    expect(JSON.stringify([lines, exchanges])).not.toContain(sandbox.secret);
    expect(lines.join()).not.toContain('Okafor');
  });

  it.each<[string, Partial<Public.PartnerClientOptions>]>([
    ['throws', { onExchange: () => breaks(), logger: { debug: () => breaks(), warn: () => breaks() } }],
    ['is rejected', { onExchange: (async () => breaks()) as () => void, logger: undefined }],
  ])('a hook that %s changes no outcome, and is told', async (how, hooks) => {
    const told: unknown[] = [];
    const onError = (error: unknown) => {
      told.push(error);
      throw new Error('and so does this one');
    };
    const hooked = clientWith({ ...hooks, onError, retries: 0 });
    expect(await hooked.transactions.createAndFund(payment(`hook-${how}`))).toMatchObject({
      outcome: 'applied',
      how: 'answered',
      intent: { state: 'applied' },
    });
    await arm('response-lost', { operation: 'transactions.create_and_fund', times: 1 });
    await arm('5xx', { operation: 'transactions.list', times: 9 });
    const unknown = await hooked.transactions.createAndFund(payment(`hook-lost-${how}`));
    expect(unknown.outcome).toBe('unknown');
    expect(told.length).toBeGreaterThan(3);
    expect(new Set(told.map((error) => (error as Error).message))).toEqual(new Set(['a hook']));
    await hooked.close();
  });

  it.each<[string, object, string]>([
    ['a misspelt filter', { externalId: 'x' }, 'is no filter of this call: did you mean external_id?'],
    ['a filter that nobody knows', { colour: 'x' }, 'is no filter of this call: it has page, per'],
    ['a page that is none', { page: 0 }, 'is a whole number above 0'],
    ['a filter of another list', { created_at_from: '2026-01-01' }, 'is no filter of this call'],
    ['several values for one', { external_id: ['a', 'b'] }, 'takes one value'],
  ])('a list with %s throws, and nothing is asked', (_, query, words) => {
    expect(() => client.transactions.list(query as never)).toThrow(words);
    expect(exchanges).toEqual([]);
  });

  it('a list with filters of the contract is asked for', async () => {
    const query = { external_id: 'nobody', created_at_from: '2026-01-01', per: 5, page: undefined };
    for await (const _ of client.senders.list(query as never)) throw new Error('nobody has this id');
    await client.recipients.list({ state: ['error'] }).page(1);
    expect(exchanges).toHaveLength(2);
    expect(() => client.senders.list({ ...query, created_at_from: 'yesterday' } as never)).toThrow(
      'is a day, such as 2026-01-31',
    );
  });

  it.each<[object, string]>([
    [{ timeoutMs: Number.NaN }, 'timeoutMs must be a number of milliseconds above 0'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a number'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be a number'],
    [{ timeoutMs: '5' }, 'timeoutMs must be a number'],
    [{ retries: -1 }, 'retries must be 0 or a whole number'],
    [{ retries: 1.5 }, 'retries must be 0 or a whole number'],
    [{ environment: 'prod' }, 'environment must be sandbox or production'],
    [{ scheme: 'basic' }, 'scheme must be signature or secret'],
    [{ connections: 0 }, 'connections must be a whole number above 0'],
    [{ onExchange: 'x' }, 'onExchange must be a function'],
    [{ logger: 'x' }, 'logger must be an object'],
    [{ timeout: 5 }, 'timeout is no option of a client: it takes baseUrl, key'],
  ])('a client with %j throws', (over, words) => {
    expect(() => clientWith(over)).toThrow(words);
  });

  it.each<[object, string]>([
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be'],
    [{ retries: Number.NaN }, 'retries must be'],
    [{ headers: 'x' }, 'headers must be an object'],
    [{ timeout: 5 }, 'timeout is no option of a call'],
  ])('a call with %j throws, and nothing is sent', async (options, words) => {
    await expect(client.transactions.createAndFund(payment('never'), options as never)).rejects.toThrow(
      words,
    );
    await expect(client.accounts.list(options as never)).rejects.toThrow(words);
    expect(() => client.settle('any', { ...options, look: 'yes' } as never)).toThrow();
    expect(exchanges).toEqual([]);
  });

  it.each([
    ['25.555', 'EUR', false],
    ['25.550', 'EUR', true],
    ['25.55', 'EUR', true],
    ['2500.5', 'NGN', true],
    ['2500.555', 'NGN', false],
    ['0.12345678', 'BTC', true],
    ['1.5', 'XOF', false],
  ])('an amount of %s %s is sent as the command line would: %j', async (amount, currency, fits) => {
    const one = { ...payment(`decimals-${amount}`) };
    one.recipients = one.recipients.map((each) => ({
      ...each,
      requested_amount: amount,
      requested_currency: currency,
    }));
    const calling = client.transactions.calculate(one);
    if (fits) await calling.catch((error: unknown) => expect(error).toBeInstanceOf(ApiError));
    else await expect(calling).rejects.toThrow('has more decimals than its currency');
    if (!fits) await expect(client.transactions.createAndFund(one)).rejects.toBeInstanceOf(RequestError);
    expect(exchanges.some(({ method }) => method === 'POST')).toBe(fits);
  });

  it('a hook that throws where nobody listens is told on the console', async () => {
    const said: unknown[][] = [];
    const { error } = console;
    console.error = (...given) => said.push(given);
    const hooked = clientWith({ onExchange: () => breaks(), logger: undefined });
    expect(await hooked.accounts.list()).not.toEqual([]);
    console.error = error;
    expect(said).toEqual([[expect.stringContaining('no outcome changed'), new Error('a hook')]]);
    await hooked.close();
  });

  it.each<[string, Partial<Public.PartnerClientOptions>, string]>([
    ['a missing secret', { secret: '' }, 'secret is missing'],
    ['a base URL without version', { baseUrl: 'https://api.example.com' }, 'version segment'],
    ['plain HTTP elsewhere', { baseUrl: 'http://api.example.com/v1' }, 'plain HTTP'],
    ['a path that is no segment', { partnerPath: 'a/b' }, 'not one segment'],
  ])('refuses %s', (_, over, why) => {
    expect(() => clientWith(over)).toThrow(why);
  });
});

describe('a journal in a file', () => {
  it('is there after a restart, and a service that starts again is answered with what stands', async () => {
    const path = temporaryStorePath();
    const first = sqliteIntents(path);
    const before = clientWith({ intents: first });
    await before.transactions.createAndFund(payment('kept'));
    await before.close();
    await first.end();
    const second = sqliteIntents(path);
    const after = clientWith({ intents: second });
    expect(await after.transactions.createAndFund(payment('kept'))).toMatchObject({ how: 'earlier' });
    expect(await second.list()).toHaveLength(1);
    expect(await after.unsettled()).toEqual([]);
    await after.close();
    await second.end();
    rmSync(path, { force: true });
  });

  it('that cannot be opened sends nothing, and is tried again by the next call', async () => {
    const broken = sqliteIntents('/dev/null/payments.db');
    const nowhere = clientWith({ intents: broken });
    await expect(nowhere.transactions.createAndFund(payment('z'))).rejects.toThrow('cannot be opened');
    expect(exchanges).toEqual([]);
    await nowhere.close();
    await broken.end();
  });
});
