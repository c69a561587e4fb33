/** `remit-cli/client` on a sandbox that has no port: over `fetch`, with the same answers, refusals and bounds as over a socket. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPartnerClient, memoryIntents, NetworkError, OptionError } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox, SandboxFault } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { paymentBody } from '../support/sandbox.ts';

const payment = (externalId: string): Public.NamedTransaction =>
  paymentBody(externalId, undefined, { sender: samplePerson }).transaction;
/** Types of Fetch are those of the project that uses it. */
type Fetch = NonNullable<Public.PartnerClientOptions['fetch']>;

let sandbox: Sandbox;
const sent: Request[] = [];
const clientWith = (over: Partial<Public.PartnerClientOptions> = {}): Public.PartnerClient => {
  const { url: baseUrl, key, secret } = sandbox;
  const fetch: Fetch = (request) => {
    sent.push(request);
    return sandbox.fetch(request);
  };
  const logger = { debug() {}, warn() {} };
  return createPartnerClient({ baseUrl, key, secret, intents: memoryIntents(), fetch, logger, ...over });
};
const posts = () => sent.filter(({ method }) => method === 'POST').length;

beforeEach(async () => {
  sent.length = 0;
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

describe('the URL of a sandbox without a port', () => {
  it('is one that nobody else can have, and that leads nowhere', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => startSandbox({ seed: 1 })));
    expect(new Set(all.map(({ url }) => url)).size).toBe(20);
    for (const { url, env, close } of all) {
      expect(new URL(url).hostname).toMatch(/^sandbox-[0-9a-f]{16}\.invalid$/);
      expect(env.REMIT_BASE_URL).toBe(url);
      await close();
    }
    const astray = clientWith({ fetch: undefined, retries: 0 });
    await expect(astray.accounts.list()).rejects.toMatchObject({ kind: 'network', reach: 'not_sent' });
    await astray.close();
  });
});

describe('a client with the fetch of a sandbox', () => {
  it('pays, and needs no socket', async () => {
    const client = clientWith({ fetch: sandbox.fetch });
    const made = await client.transactions.createAndFund(payment('wages-1'));
    await sandbox.drain();
    expect(made.outcome === 'applied' && (await client.transactions.get(made.record.id)).state).toBe('paid');
    expect(await client.transactions.createAndFund(payment('wages-1'))).toMatchObject({ how: 'earlier' });
    await client.close();
  });

  it('is in production unless it says otherwise, as anywhere but on this machine', async () => {
    const made = await clientWith().transactions.createAndFund(payment('forced'));
    const id = made.outcome === 'applied' ? made.record.id : '';
    await expect(clientWith().transactions.payout(id)).rejects.toThrow('environment is not a sandbox');
    const forced = await clientWith({ environment: 'sandbox' }).transactions.payout(id);
    expect(forced).toMatchObject({ outcome: 'applied', record: { id } });
  });

  it('signs the very URL that fetch sends', async () => {
    const client = clientWith();
    const external_id = "it's (a) *b*!~ ü";
    expect(await client.transactions.createAndFund({ ...payment('x'), external_id })).toMatchObject({
      outcome: 'applied',
    });
    const found = await client.transactions.list({ external_id }).page(1);
    expect(found.items.map((one) => one.external_id)).toEqual([external_id]);
  });

  it.each<[SandboxFault, object]>([
    ['response-lost', { outcome: 'applied', how: 'found' }],
    ['reset-before-commit', { outcome: 'applied', how: 'answered' }],
    ['refused', { outcome: 'applied', how: 'answered' }],
  ])('pays once through %s', async (fault, outcome) => {
    const body = { fault, times: 1, operation: 'transactions.create_and_fund' };
    await sandbox.control('sandbox.faults.arm', { body });
    const client = clientWith();
    expect(await client.transactions.createAndFund(payment('faulty'))).toMatchObject(outcome);
    expect((await client.transactions.list({ external_id: 'faulty' }).page(1)).items).toHaveLength(1);
  });

  it('never claims that nothing left: a fetch may have tried before', async () => {
    const body = { fault: 'refused' as const, times: 9 };
    await sandbox.control('sandbox.faults.arm', { body });
    const error = await clientWith({ retries: 0 })
      .accounts.list()
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ reach: 'may_have_arrived', code: 'ECONNREFUSED', isRetryable: true });
  });
});

describe('a fetch of another make', () => {
  const answering = (answer: () => Promise<Response>) => clientWith({ fetch: answer as Fetch, retries: 0 });
  const failed = (client: Public.PartnerClient, options?: Public.CallOptions) =>
    client.accounts.list(options).catch((error) => error);

  it('that follows no redirect gets the answer of the redirect', async () => {
    const redirect = new Response(null, {
      status: 302,
      headers: { location: 'https://elsewhere.example/v1' },
    });
    const requests: Request[] = [];
    const client = clientWith({
      retries: 0,
      fetch: async (request) => {
        requests.push(request);
        return redirect;
      },
    });
    expect(await failed(client)).toMatchObject({ name: 'ApiError', status: 302 });
    expect(requests.map(({ redirect: mode, url }) => [mode, url])).toEqual([
      ['manual', `${sandbox.url}/accounts`],
    ]);
  });

  it('that never answers, never ends, or answers without end is given up', async () => {
    const never = answering(() => new Promise(() => {}));
    expect(await failed(never, { timeoutMs: 50 })).toMatchObject({
      code: 'TIMEOUT',
      reach: 'may_have_arrived',
    });
    const half = answering(
      async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
    );
    expect(await failed(half, { timeoutMs: 50 })).toMatchObject({ code: 'TIMEOUT' });
    const endless = answering(
      async () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1 << 20)) })),
    );
    expect(await failed(endless)).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
    const signal = AbortSignal.timeout(50);
    expect(await failed(never, { signal })).toMatchObject({ code: 'AbortError', reach: 'may_have_arrived' });
    expect(await failed(never, { signal: AbortSignal.abort() })).toMatchObject({ reach: 'not_sent' });
  });

  it('that lists a payment without its id proves nothing', async () => {
    const body = { fault: 'response-lost' as const, times: 1, operation: 'transactions.create_and_fund' };
    await sandbox.control('sandbox.faults.arm', { body });
    const client = clientWith({
      fetch: async (request) => {
        sent.push(request);
        const answer: Response = await sandbox.fetch(request);
        if (!request.url.includes('external_id=')) return answer;
        const { object, ...rest } = JSON.parse(await answer.text());
        return Response.json({ ...rest, object: object.map(({ id: _, ...one }: { id: string }) => one) });
      },
    });
    const made = await client.transactions.createAndFund(payment('nameless'));
    expect(made).toMatchObject({ outcome: 'unknown', intent: { state: 'unknown' } });
    expect(posts()).toBe(1);
  });

  it.each([{ ca: 'x' }, { proxy: {} }, { connections: 2 }, { connectTimeoutMs: 5 }])(
    'opens its own connections: %j stands not beside it',
    (over) => {
      expect(() => clientWith(over)).toThrow(OptionError);
      expect(() => clientWith(over)).toThrow('is of our own connections');
    },
  );
});
