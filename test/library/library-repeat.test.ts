/** `remit-cli/client`: a call that is repeated settles what an earlier one of the same left unknown, and pays once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPartnerClient, memoryIntents, sqliteIntents } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox, SandboxFault } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { intentOf } from '../support/library-intent.ts';
import { paymentBody } from '../support/sandbox.ts';
import { temporaryStorePath } from '../support/stores.ts';

const FUND = 'transactions.create_and_fund';

const payment = (externalId: string, account?: string): Public.NamedTransaction =>
  paymentBody(externalId, account, { sender: samplePerson }).transaction;

let sandbox: Sandbox;
let client: Public.PartnerClient;
let intents: Public.Intents;
const opened: Public.PartnerClient[] = [];
const exchanges: Public.Exchange[] = [];

function clientWith(over: Partial<Public.PartnerClientOptions> = {}): Public.PartnerClient {
  const { url: baseUrl, key, secret } = sandbox;
  const onExchange = (exchange: Public.Exchange) => void exchanges.push(exchange);
  const logger = { debug() {}, warn() {} };
  const made = createPartnerClient({ baseUrl, key, secret, intents, onExchange, logger, ...over });
  opened.push(made);
  return made;
}

beforeEach(async () => {
  exchanges.length = 0;
  readsLeft = Number.POSITIVE_INFINITY;
  sandbox = await startSandbox({ port: 0 });
  intents = memoryIntents();
  client = clientWith();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await sandbox.close();
});

const arm = (fault: SandboxFault, operation: string, times = 1) =>
  sandbox.control('sandbox.faults.arm', { body: { fault, times, operation } });
const clear = () => sandbox.control('sandbox.faults.clear');
const writes = () => exchanges.filter(({ call }) => call.effect !== 'read');
const sent = (operation: string) => exchanges.filter(({ call }) => call.operation === operation).length;
const standing = async (externalId: string) =>
  (await client.transactions.list({ external_id: externalId }).page(1)).items;

/** A payment whose answer was lost after it was made, or that never arrived: nobody knows which, until the faults are cleared. */
async function leftUnknown(asked: Public.NamedTransaction, fault: SandboxFault, journal = intents) {
  await arm(fault, FUND, 9);
  await arm('5xx', 'transactions.list', 99);
  const made = await clientWith({ intents: journal, retries: 0 }).transactions.createAndFund(asked);
  expect(made).toMatchObject({ outcome: 'unknown', intent: { state: 'unknown' } });
  return intentOf(made);
}

let readsLeft = Number.POSITIVE_INFINITY;

/** A hook that lets so many reads of a transaction through, and then fails. */
function failing({ operation }: Public.CallFacts): Record<string, string> {
  if (!['transactions.get', 'transactions.list'].includes(operation) || readsLeft-- > 0) return {};
  throw new Error('a hook that fails');
}

/** A client that reads a transaction before it writes to it, and is not answered after that. */
function readOnce(): Public.PartnerClient {
  let reads = 0;
  const counting: typeof fetch = async (request) => {
    reads += Number((request as Request).method === 'GET');
    return reads > 1 ? new Response('later', { status: 503 }) : fetch(request);
  };
  return clientWith({ fetch: counting });
}

/** A transaction that is not funded. */
async function unfunded(externalId: string, account?: string) {
  const made = await client.transactions.create(payment(externalId, account));
  const { id, recipients } = made.outcome === 'applied' ? made.record : {};
  const debit = { to_id: id ?? '', to_type: 'Transaction' } as const;
  return { debit, named: { id: recipients?.[0]?.id, transaction_id: id } };
}

const corrected = { payout_method: { details: { bank_account: '0123456789' } } };

/** A recipient that could not be paid, and may be corrected. */
async function failed(externalId: string) {
  const { debit, named } = await unfunded(externalId, '0123456719');
  await client.debits.create(debit);
  await sandbox.drain();
  return named;
}

describe('a repeat of a call whose outcome is unknown', () => {
  it('finds the payment whose answer was lost, and sends nothing', async () => {
    const { id } = await leftUnknown(payment('lost'), 'response-lost');
    await clear();
    const again = await client.transactions.createAndFund(payment('lost'));
    expect(again).toMatchObject({
      outcome: 'applied',
      how: 'earlier',
      record: { external_id: 'lost' },
      intent: { id, state: 'applied' },
    });
    expect(sent(FUND)).toBe(1);
    expect(await intents.count()).toBe(1);
    expect(await client.unsettled()).toEqual([]);
  });

  it('sends the same once more where it never arrived, under the same intent', async () => {
    const { id } = await leftUnknown(payment('never-arrived'), 'reset-before-commit');
    expect(sent(FUND)).toBe(1);
    await clear();
    const again = await client.transactions.createAndFund(payment('never-arrived'));
    expect(again).toMatchObject({ outcome: 'applied', how: 'earlier', intent: { id, state: 'applied' } });
    expect(sent(FUND)).toBe(2);
    expect(await standing('never-arrived')).toHaveLength(1);
    expect(await intents.count()).toBe(1);
  });

  it('stays unknown with that intent while nobody can know', async () => {
    const { id } = await leftUnknown(payment('silent'), 'response-lost');
    const again = await client.transactions.createAndFund(payment('silent'));
    expect(again).toMatchObject({ outcome: 'unknown', intent: { id, state: 'unknown' } });
    expect(sent(FUND)).toBe(1);
    expect(await intents.count()).toBe(1);
  });

  it('goes on as a new call where the earlier one was not applied', async () => {
    const { debit } = await unfunded('to-fund');
    await arm('reset-before-commit', 'debits.create', 9);
    const first = await readOnce().debits.create(debit, { retries: 0 });
    expect(first.outcome).toBe('unknown');
    await clear();
    await sandbox.advance(25 * 3_600_000);
    expect((await client.transactions.get(debit.to_id)).state).toBe('canceled');
    const again = await client.debits.create(debit);
    expect(again).toMatchObject({ outcome: 'not_applied', error: { status: 422 } });
    expect(intentOf(again).id).not.toBe(intentOf(first).id);
    expect(await intents.get(intentOf(first).id)).toMatchObject({ state: 'not_applied' });
    expect(sent('debits.create')).toBe(2);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['to fund', (id) => client.debits.create({ to_id: id, to_type: 'Transaction' })],
    ['to cancel', (id) => client.recipients.cancel({ id, transaction_id: id })],
    ['to collect again', (id) => client.payinMethods.retry(id)],
    ['to call off', (id) => client.payinMethods.cancel(id)],
  ])('nothing is sent %s what there is not', async (_, call) => {
    const nobodys = '00000000-0000-4000-8000-000000000000';
    await expect(call(nobodys)).rejects.toMatchObject({ name: 'ApiError', status: 404 });
    expect(await intents.count()).toBe(0);
    expect(writes()).toEqual([]);
  });

  it('is answered with the record of a debit', async () => {
    const { debit } = await unfunded('debited');
    await arm('response-lost', 'debits.create');
    expect((await readOnce().debits.create(debit, { retries: 0 })).outcome).toBe('unknown');
    await clear();
    const again = await client.debits.create(debit);
    expect(again).toMatchObject({ outcome: 'applied', how: 'earlier', record: { id: debit.to_id } });
    expect(sent('debits.create')).toBe(1);
  });

  it('is answered with the record of an edit that stands open', async () => {
    const named = await failed('edited');
    const hooked = clientWith({ headers: failing });
    await arm('response-lost', 'recipients.edit');
    readsLeft = 1;
    const first = await hooked.recipients.edit(named, corrected);
    expect(first).toMatchObject({ outcome: 'unknown', intent: { state: 'open' } });
    readsLeft = Number.POSITIVE_INFINITY;
    const again = await hooked.recipients.edit(named, corrected);
    expect(again).toMatchObject({ outcome: 'applied', how: 'earlier', record: { id: named.id } });
    expect(sent('recipients.edit')).toBe(1);
  });

  it('only looks beside a later wish for the same recipient', async () => {
    const named = await failed('wished-again');
    await arm('reset-before-commit', 'recipients.edit', 2);
    expect((await client.recipients.edit(named, corrected)).outcome).toBe('unknown');
    expect((await client.recipients.edit(named, { metadata: { team: 'b' } })).outcome).toBe('applied');
    exchanges.length = 0;
    const late = await client.recipients.edit(named, corrected);
    expect(late.outcome === 'unknown' && late.why).toContain('the same was asked for again later');
    expect(writes()).toEqual([]);
  });

  it('of which only half was asked for is not answered as the whole', async () => {
    await arm('response-lost', 'transactions.create');
    await arm('5xx', 'transactions.list', 99);
    expect((await client.transactions.create(payment('half'), { retries: 0 })).outcome).toBe('unknown');
    await clear();
    const whole = await client.transactions.createAndFund(payment('half'));
    expect(whole).toMatchObject({ outcome: 'unknown', intent: { state: 'applied' } });
    expect(whole.outcome === 'unknown' && whole.why).toContain('does not show it as it was asked');
    expect(sent(FUND)).toBe(0);
  });

  it('only looks for the payment of a name that the caller did not give', async () => {
    const { id: first, state: _, ...kept } = await leftUnknown(payment('ours'), 'reset-before-commit');
    await intents.close(first, { state: 'not_applied' });
    const made = { plan: 'create', transaction: payment('made-up'), fund: true, madeId: true };
    const request = JSON.stringify(made);
    const left = await intents.open({ ...kept, externalId: 'made-up', madeId: true, request });
    const { id } = 'opened' in left ? left.opened : { id: '' };
    await intents.close(id, { state: 'unknown' });
    await clear();
    exchanges.length = 0;
    const again = await client.transactions.createAndFund(payment('ours'));
    expect(again).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect(writes()).toEqual([]);
  });

  it('is settled once in a call where the outcome cannot be written down', async () => {
    const { debit } = await unfunded('unwritten');
    await arm('reset-before-commit', 'debits.create', 9);
    const intent = intentOf(await readOnce().debits.create(debit, { retries: 0 }));
    await clear();
    await sandbox.advance(25 * 3_600_000);
    const close = () => Promise.reject(new Error('the disk is full'));
    const full = clientWith({ intents: { ...intents, close } });
    expect(await full.debits.create(debit)).toMatchObject({ outcome: 'unknown', intent: { id: intent.id } });
    expect(sent('debits.create')).toBe(1);
  });

  it('is not settled where a hook breaks it off: it is unknown, and nobody is thrown at', async () => {
    const { id } = await leftUnknown(payment('hooked'), 'response-lost');
    await clear();
    const hooked = clientWith({ headers: failing });
    readsLeft = 0;
    const again = await hooked.transactions.createAndFund(payment('hooked'));
    expect(again).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect(again.outcome === 'unknown' && again.why).toMatch(/settling it broke off: .*a hook that fails/);
  });
});

describe('who repeats', () => {
  it('a queue that calls again and again heals by itself, and pays once', async () => {
    const outcomes: string[] = [];
    await leftUnknown(payment('queue'), 'reset-before-commit');
    for (const [fault, operation] of [
      ['5xx', 'transactions.list'],
      ['reset-before-commit', FUND],
      ['5xx', FUND],
      [undefined, FUND],
    ] as const) {
      await clear();
      if (fault !== undefined) await arm(fault, operation, 9);
      outcomes.push((await client.transactions.createAndFund(payment('queue'))).outcome);
    }
    expect(outcomes).toEqual(['unknown', 'unknown', 'unknown', 'applied']);
    for (let again = 0; again < 3; again += 1)
      expect(await client.transactions.createAndFund(payment('queue'))).toMatchObject({ how: 'earlier' });
    expect(await standing('queue')).toHaveLength(1);
    expect(await intents.count()).toBe(1);
  });

  it.each(['response-lost', 'reset-before-commit'] as const)(
    'two at the same moment settle it once after %s, and are answered the same',
    async (fault) => {
      await leftUnknown(payment('twins'), fault);
      await clear();
      exchanges.length = 0;
      // Of one service, and by the same journal: each has a client of its own.
      const clients = [client, client, clientWith()];
      const [one, ...others] = await Promise.all(
        clients.map((each) => each.transactions.createAndFund(payment('twins'))),
      );
      expect(one).toMatchObject({ outcome: 'applied', how: 'earlier' });
      for (const other of others) expect(other).toEqual(one);
      expect(writes()).toHaveLength(fault === 'response-lost' ? 0 : 1);
      expect(await standing('twins')).toHaveLength(1);
    },
  );

  it('two at the same moment beside one that settles by hand', async () => {
    const intent = await leftUnknown(payment('by-hand'), 'reset-before-commit');
    await clear();
    const again = () => client.transactions.createAndFund(payment('by-hand'));
    const [settled, one, two] = await Promise.all([client.settle(intent), again(), again()]);
    expect([settled, one, two].map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied']);
    expect(sent(FUND)).toBe(2);
  });

  it('a service that starts again by the same file heals what it left', async () => {
    const path = temporaryStorePath();
    const first = sqliteIntents(path);
    await leftUnknown(payment('restart'), 'reset-before-commit', first);
    await first.end();
    await clear();
    const second = sqliteIntents(path);
    const after = clientWith({ intents: second });
    expect(await after.transactions.createAndFund(payment('restart'))).toMatchObject({ how: 'earlier' });
    expect(await standing('restart')).toHaveLength(1);
    await second.end();
  });

  it('with 0 retries only looks: nothing is sent twice', async () => {
    const { id } = await leftUnknown(payment('once'), 'reset-before-commit');
    await clear();
    const again = await client.transactions.createAndFund(payment('once'), { retries: 0 });
    expect(again).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect(sent(FUND)).toBe(1);
  });

  it('never settles what a running process may still be sending', async () => {
    const { id: _, state: __, ...kept } = await leftUnknown(payment('there'), 'reset-before-commit');
    await clear();
    const left = await intents.open({ ...kept, host: 'payments-2', request: kept.request ?? '' });
    const { id = '' } = 'opened' in left ? left.opened : {};
    exchanges.length = 0;
    const signal = AbortSignal.timeout(150);
    const waited = await client.transactions.createAndFund(payment('there'), { signal });
    expect(waited).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect(exchanges).toEqual([]);
  });
});

describe('what a call says of earlier ones', () => {
  it('settle: false settles nothing and sends nothing', async () => {
    const { id } = await leftUnknown(payment('by-itself'), 'response-lost');
    await clear();
    exchanges.length = 0;
    const again = await client.transactions.createAndFund(payment('by-itself'), { settle: false });
    expect(again).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect(again.outcome === 'unknown' && again.why).toContain('settle it first');
    expect(exchanges).toEqual([]);
    expect(await client.settle(id)).toMatchObject({ outcome: 'applied', how: 'found' });
  });

  it('newPayment: true is the only way to a second one', async () => {
    const made = await client.transactions.createAndFund(payment('second'));
    const same = () => client.transactions.createAndFund(payment('second'));
    expect(intentOf(await same()).id).toBe(intentOf(made).id);
    expect(sent(FUND)).toBe(1);
    const second = await client.transactions.createAndFund(payment('second'), { newPayment: true });
    expect(intentOf(second).id).not.toBe(intentOf(made).id);
    expect(sent(FUND)).toBe(2);
    // One external id is one transaction, whoever asks: the service has the last word.
    expect(second).toMatchObject({ outcome: 'applied', how: 'existing' });
    expect(await standing('second')).toHaveLength(1);
  });

  it('newPayment: true is sent beside one of unknown outcome, which is left as it is', async () => {
    const { id } = await leftUnknown(payment('beside'), 'reset-before-commit');
    await clear();
    const second = await client.transactions.createAndFund(payment('beside'), { newPayment: true });
    expect(second).toMatchObject({ outcome: 'applied', how: 'answered' });
    expect(await intents.get(id)).toMatchObject({ state: 'unknown' });
  });

  it.each<[object, string]>([
    [{ settle: 'no' }, 'settle must be true or false'],
    [{ newPayment: 1 }, 'newPayment must be true or false'],
    [{ new_payment: true }, 'new_payment is no option of a call that moves money'],
  ])('a call with %j throws, and nothing is sent', async (options, words) => {
    const given = options as never;
    await expect(client.transactions.createAndFund(payment('never'), given)).rejects.toThrow(words);
    await expect(
      client.recipients.edit({ id: 'r', transaction_id: 't' }, { metadata: { a: 'b' } }, given),
    ).rejects.toThrow(words);
    expect(exchanges).toEqual([]);
  });

  it('a read, and a write that moves no money, take neither', async () => {
    const given = { newPayment: true } as never;
    await expect(client.accounts.list(given)).rejects.toThrow('newPayment is no option of a call');
    await expect(client.senders.disable('s', given)).rejects.toThrow('newPayment is no option of a call');
  });
});
