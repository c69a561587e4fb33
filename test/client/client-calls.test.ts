/** The client over transports that answer as told: repeats, bytes, errors, pages. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError, RequestError, UnreadableAnswerError } from '../../src/client/errors.ts';
import { pages } from '../../src/client/pages.ts';
import { createDebits, getAccount, listAccounts } from '../../src/contract/operations/accounts.ts';
import { listRecipients } from '../../src/contract/operations/recipients.ts';
import { listSenders } from '../../src/contract/operations/senders.ts';
import { verify } from '../../src/contract/signing.ts';
import type { WireRequest, WireResponse } from '../../src/core/transport.ts';
import { credentials } from '../support/sandbox.ts';
import { clientFor, json, lost } from '../support/scripted.ts';

const accounts = json(200, { object: [{ currency: 'EUR', amount: 12.5 }] });

describe('a read', () => {
  it('is repeated on what is temporary, with a fresh nonce each time, and gives what came in the end', async () => {
    const { client, requests, slept } = clientFor([
      json(503, ''),
      lost,
      json(429, '', { 'retry-after': '2' }),
      accounts,
    ]);
    expect((await client.call(listAccounts)).object).toEqual([{ currency: 'EUR', amount: '12.5' }]);
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map(({ headers }) => headers['Authorization-Nonce'])).size).toBe(4);
    expect(slept[2]).toBe(2000);
  });

  it('gives up after four tries', async () => {
    const { client, requests } = clientFor([json(502, 'bad gateway')]);
    await expect(client.call(listAccounts)).rejects.toMatchObject({
      name: 'ApiError',
      status: 502,
      kind: 'server',
    });
    expect(requests).toHaveLength(4);
  });

  it.each([400, 401, 404, 422, 500])('is not repeated on %i', async (status) => {
    const { client, requests } = clientFor([json(status, {})]);
    await expect(client.call(listAccounts)).rejects.toBeInstanceOf(ApiError);
    expect(requests).toHaveLength(1);
  });

  it('is not repeated once it was stopped', async () => {
    const controller = new AbortController();
    controller.abort();
    const { client, requests } = clientFor([lost]);
    await expect(client.call(listAccounts, { signal: controller.signal })).rejects.toBeInstanceOf(
      NetworkError,
    );
    expect(requests).toHaveLength(1);
  });
});

describe('a write', () => {
  const debit = { debit: { to_id: '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11', to_type: 'Transaction' as const } };

  it.each([429, 502, 503, 504])('is sent once, whatever %i says', async (status) => {
    const { client, requests } = clientFor([json(status, '', { 'retry-after': '1' })]);
    await expect(client.call(createDebits, { body: debit })).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('is sent once on a network that fails', async () => {
    const { client, requests } = clientFor([lost]);
    await expect(client.call(createDebits, { body: debit })).rejects.toMatchObject({
      reach: 'may_have_arrived',
      code: 'ECONNRESET',
    });
    expect(requests).toHaveLength(1);
  });

  it('that does not fit the contract never leaves', async () => {
    const { client, requests } = clientFor([accounts]);
    const odd = { debit: { ...debit.debit, to_id: 'x', amuont: '5' } } as never;
    const failed = client.call(createDebits, { body: odd });
    await expect(failed).rejects.toBeInstanceOf(RequestError);
    expect(requests).toHaveLength(0);
  });
});

describe('what is sent', () => {
  it('is signed over the very bytes and URL', async () => {
    const { client, requests, exchanges } = clientFor([
      json(200, { object: [] }),
      json(200, { object: { currency: 'EUR', amount: '1' } }),
    ]);
    await client.call(listSenders, { query: { external_id: "it's a b" } });
    await client.call(getAccount, { path: { currency: 'USD::Partner' } });
    expect(requests[1]?.url).toBe('http://127.0.0.1:4010/v1/accounts/USD%3A%3APartner');
    const [request] = requests;
    const { 'Authorization-Nonce': nonce = '', 'Authorization-Signature': signature = '' } =
      request?.headers ?? {};
    expect(request?.url).toBe('http://127.0.0.1:4010/v1/senders?external_id=it%27s%20a%20b');
    expect(verify(credentials.secret, { nonce, method: 'GET', url: request?.url ?? '' }, signature)).toBe(
      true,
    );
    expect(request?.headers).toMatchObject({ Accept: 'application/json' });
    expect(JSON.stringify(exchanges)).not.toContain(credentials.secret);
    expect(JSON.stringify(exchanges)).not.toContain(signature);
  });

  it('sends the secret itself only when asked to, over TLS or to this machine', async () => {
    const { client, requests } = clientFor([accounts], { scheme: 'secret' });
    await client.call(listAccounts);
    expect(requests[0]?.headers).toMatchObject({ 'Authorization-Secret': credentials.secret });
    expect(requests[0]?.headers).not.toHaveProperty('Authorization-Signature');
    expect(() =>
      clientFor([accounts], { scheme: 'secret', baseUrl: 'https://api.example.com/v1' }),
    ).not.toThrow();
    expect(() => clientFor([accounts], { scheme: 'secret', baseUrl: 'http://api.example.com/v1' })).toThrow(
      RequestError,
    );
    expect(() => clientFor([accounts], { baseUrl: 'http://api.example.com/v1' })).not.toThrow();
  });
});

describe('errors', () => {
  it('say what the service said: fields, meta, the record that exists, and our nonce', async () => {
    const { client } = clientFor([
      json(422, {
        object: { external_id: 'T-1', errors: { external_id: [{ error: 'taken' }] } },
        meta: { error: 'no', existing: { transaction: { id: 't1' } } },
      }),
    ]);
    const error = (await client.call(listAccounts).catch((e: unknown) => e)) as ApiError;
    expect(error).toMatchObject({
      status: 422,
      kind: 'validation',
      call: { operation: 'accounts.list', nonce: 'nonce-0' },
    });
    expect(error.details).toMatchObject({
      fields: [{ path: 'external_id', words: ['taken'] }],
      meta: { error: 'no' },
      existing: { transaction: { id: 't1' } },
      resource: { external_id: 'T-1' },
    });
  });

  it.each(['', '<html>', '[]', '5', 'null', '{"object":null,"meta":[]}', '{"meta":{"existing":[]}}'])(
    'read a refusal with the body %j',
    async (body) => {
      const { client } = clientFor([json(422, body)]);
      await expect(client.call(listAccounts)).rejects.toMatchObject({
        status: 422,
        details: { fields: [], existing: {} },
      });
    },
  );

  it.each([
    '',
    '<html>',
    '{"object":',
    '{}',
    '{"object":{}}',
    '{"object":[{"currency":"EUR"}]}',
    '{"object":[{"currency":"EUR","amount":"x"}]}',
  ])('a success that reads %j is unreadable, and no success', async (body) => {
    const { client } = clientFor([json(200, body)]);
    await expect(client.call(listAccounts)).rejects.toBeInstanceOf(UnreadableAnswerError);
  });
});

describe('pages', () => {
  const id = (n: number) => ({ id: `r${n}` });
  const page = (request: WireRequest) => Number(new URL(request.url).searchParams.get('page'));
  const per = (request: WireRequest) => Number(new URL(request.url).searchParams.get('per') ?? 10);
  const all = async (answer: (request: WireRequest) => WireResponse, query = {}) => {
    const { client, requests } = clientFor([answer]);
    const found: unknown[] = [];
    for await (const page of pages(client, listRecipients, { query }))
      found.push(...page.map(({ id }) => id));
    return { found, asked: requests.length };
  };
  const slice = (total: number, request: WireRequest) =>
    Array.from({ length: total }, (_, n) => id(n)).slice(
      (page(request) - 1) * per(request),
      page(request) * per(request),
    );

  it('every record once, with an envelope or without, whatever the size of a page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 25 }),
        fc.boolean(),
        async (total, size, envelope) => {
          const { found } = await all(
            (request) => {
              const last = page(request) * size >= total;
              const meta = envelope
                ? { meta: { pagination: { next_page: last ? null : page(request) + 1 } } }
                : {};
              return json(200, { object: slice(total, request), ...meta });
            },
            { per: size },
          );
          expect(found).toEqual(Array.from({ length: total }, (_, n) => `r${n}`));
        },
      ),
    );
  });

  it('ends on a null next_page, though the page is full', async () => {
    const { found, asked } = await all((request) =>
      json(200, { object: slice(100, request), meta: { pagination: { next_page: null } } }),
    );
    expect([found.length, asked]).toEqual([10, 1]);
  });

  it('goes on over a short page that names a next one: a service may give less than asked', async () => {
    const { found } = await all((request) =>
      json(200, {
        object: [id(page(request))],
        meta: { pagination: { next_page: page(request) < 4 ? page(request) + 1 : null } },
      }),
    );
    expect(found).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  it('does not run in circles: a page that repeats, a next_page that is no later one', async () => {
    const full = Array.from({ length: 10 }, (_, n) => id(n));
    expect(await all(() => json(200, { object: full }))).toEqual({
      found: full.map((one) => one.id),
      asked: 2,
    });
    expect((await all(() => json(200, { object: full, meta: { pagination: { next_page: 1 } } }))).asked).toBe(
      1,
    );
  });

  it('starts where it is told to, and stops being asked when nobody reads on', async () => {
    const { client, requests } = clientFor([(request) => json(200, { object: slice(100, request) })]);
    for await (const one of pages(client, listRecipients, { query: { page: 3 } })) {
      expect(one[0]?.id).toBe('r20');
      break;
    }
    expect(requests).toHaveLength(1);
  });
});
