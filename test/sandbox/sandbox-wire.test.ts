/** The wire: both authentication schemes, status codes, envelopes, filters, logs. */
import { describe, expect, test } from 'vitest';
import { emptyBodyDigest } from '../../src/contract/signed-text.ts';
import { sign, signedHeaders } from '../../src/contract/signing.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { credentials, HOST, type Json, paymentBody, startBench } from '../support/sandbox.ts';

const url = (path: string) => `http://${HOST}/v1${path}`;

async function rawly(options: Partial<SandboxOptions> = {}) {
  const { sandbox } = await startBench(options);
  return async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ) => {
    const answer = await sandbox.handle({
      method,
      url: `/v1${path}`,
      headers: { host: HOST, ...headers },
      body,
    });
    return { ...answer, json: JSON.parse(String(answer.body)) as Json };
  };
}

const signed = (method: string, path: string, nonce: string, body?: string) =>
  signedHeaders(credentials, { nonce, method, url: url(path), body });

const payment = (externalId: string, number = '0123456700', more: Json = {}) =>
  paymentBody(externalId, number, more);

describe('authentication', () => {
  test('a signed request is taken once', async () => {
    const send = await rawly();
    const headers = signed('GET', '/accounts', 'once');
    expect((await send('GET', '/accounts', headers)).status).toBe(200);
    const again = await send('GET', '/accounts', headers);
    expect(again.status).toBe(401);
    expect(again.json.message).toBe('the nonce was used before');
  });

  test('an account may turn the memory of nonces off', async () => {
    const send = await rawly({ settings: { nonce_memory: false } });
    const headers = signed('GET', '/accounts', 'once');
    expect((await send('GET', '/accounts', headers)).status).toBe(200);
    expect((await send('GET', '/accounts', headers)).status).toBe(200);
  });

  test('header names count in any case, the query exactly as it was sent', async () => {
    const send = await rawly();
    const path = '/recipients?state%5B%5D=error&state[]=initial&page=2';
    const headers = Object.fromEntries(
      Object.entries(signed('GET', path, 'n-a')).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect((await send('GET', path, headers)).status).toBe(200);
    const other = path.replace('%5B%5D', '[]');
    expect((await send('GET', other, signed('GET', path, 'n-b'))).status).toBe(401);
  });

  test('the secret itself is the other scheme', async () => {
    const send = await rawly();
    const headers = { 'Authorization-Key': credentials.key, 'Authorization-Secret': credentials.secret };
    expect((await send('GET', '/accounts', headers)).status).toBe(200);
    expect((await send('GET', '/accounts', { ...headers, 'Authorization-Secret': 'x' })).status).toBe(401);
  });

  test.each([
    ['no headers', {}],
    ['another key', { ...signed('GET', '/accounts', 'n-1'), 'Authorization-Key': 'other' }],
    ['no nonce', { ...signed('GET', '/accounts', 'n-2'), 'Authorization-Nonce': '' }],
    ['another nonce', { ...signed('GET', '/accounts', 'n-3'), 'Authorization-Nonce': 'n-4' }],
    ['another verb', signed('POST', '/accounts', 'n-5')],
    ['another path', signed('GET', '/senders', 'n-6')],
    ['another host', { ...signed('GET', '/accounts', 'n-7'), host: 'localhost:4010' }],
    ['no signature', { 'Authorization-Key': credentials.key, 'Authorization-Nonce': 'n-8' }],
  ])('%s: 401', async (_, headers) => {
    const send = await rawly();
    expect((await send('GET', '/accounts', headers as Record<string, string>)).status).toBe(401);
  });

  test.each<[how: string, text: string, cause: string, says: RegExp]>([
    ['the path alone', 'n-1&GET&/v1/accounts?page=1&', 'signed_url', /the path and the query was signed/],
    ['what nobody knows', 'x', 'secret', /another secret/],
    ['a slash too many', `n-1&GET&${url('/accounts/')}?page=1&`, 'url_slash', /a slash at the end/],
    ['a verb in lower case', `n-1&get&${url('/accounts')}?page=1&`, 'verb', /the verb get/],
  ])('a 401 names what the caller signed: %s', async (_, text, cause, says) => {
    const send = await rawly();
    const headers = {
      ...signed('GET', '/accounts?page=1', 'n-1'),
      'Authorization-Signature': sign(credentials.secret, text + emptyBodyDigest),
    };
    const { status, json } = await send('GET', '/accounts?page=1', headers);
    expect({ status, cause: json.cause }).toEqual({ status: 401, cause });
    expect(json.message).toMatch(says);
    expect(json.string_to_sign).toBe(
      `<Authorization-Nonce>&GET&http://${HOST}/v1/accounts?page=1&${emptyBodyDigest}`,
    );
    expect(JSON.stringify(json)).not.toContain(credentials.secret);
  });

  test('a 401 names a body that was written again', async () => {
    const send = await rawly();
    const headers = signed('POST', '/senders', 'n-1', '{"sender":{}}');
    const { json } = await send('POST', '/senders', headers, '{ "sender": {} }');
    expect(json).toMatchObject({ cause: 'body_rewritten' });
    expect(json.message).toMatch(/the body that was signed is not the one that was sent/);
  });

  test('a changed body: 401', async () => {
    const send = await rawly();
    const headers = signed('POST', '/senders', 'n-1', '{"sender":{}}');
    expect((await send('POST', '/senders', headers, '{"sender":{ }}')).status).toBe(401);
    expect((await send('POST', '/senders', headers, '{"sender":{}}')).status).toBe(422);
  });
});

describe('status codes', () => {
  test.each(['', '[]', '"text"', 'null', '{', '{"a":'.repeat(2000), '['.repeat(100_000)])(
    'a body that is no object: 400',
    async (body) => {
      const { call } = await startBench();
      const { status, body: answer } = await call('POST', '/transactions', body);
      expect(status).toBe(400);
      expect(answer).toEqual({ status: 400, error: 'Bad Request' });
    },
  );

  test('more than a megabyte, or twelve with documents: 413', async () => {
    const { call } = await startBench();
    expect((await call('POST', '/transactions', 'x'.repeat(1_100_000))).status).toBe(413);
    expect((await call('POST', '/documents', 'x'.repeat(13_000_000))).status).toBe(413);
  });

  test.each([
    ['GET', '/nothing'],
    ['GET', '/senders/not-a-uuid'],
    ['GET', '/transactions/00000000-0000-4000-8000-000000000000'],
    ['GET', '/accounts/eur'],
    ['GET', '/accounts/%E0%A4%A'],
    ['PUT', '/transactions'],
    ['GET', ''],
    ['GET', '//accounts'],
  ])('%s %s: 404', async (method, path) => {
    const { call } = await startBench();
    expect((await call(method, path)).status).toBe(404);
  });
});

describe('lists', () => {
  async function three() {
    const bench = await startBench();
    for (const id of ['t-1', 't-2', 't-3']) {
      await bench.call(
        'POST',
        '/transactions/create_and_fund',
        payment(id, id === 't-2' ? '0123456719' : '0123456700'),
      );
      await bench.sandbox.advance(1000);
    }
    return bench;
  }

  test('page by page, newest first, and the last page says so', async () => {
    const { call } = await three();
    const first = await call('GET', '/transactions?per=2');
    expect(first.body.object.map((each: Json) => each.external_id)).toEqual(['t-3', 't-2']);
    expect(first.body.meta.pagination).toEqual({
      current_page: 1,
      next_page: 2,
      prev_page: null,
      total_pages: 2,
      total_count: 3,
    });
    const last = await call('GET', '/transactions?per=2&page=2');
    expect(last.body.object.map((each: Json) => each.external_id)).toEqual(['t-1']);
    expect(last.body.meta.pagination).toMatchObject({ next_page: null, prev_page: 1 });
    const beyond = (await call('GET', '/transactions?per=2&page=9')).body;
    expect(beyond.object).toEqual([]);
    expect(beyond.meta.pagination).toMatchObject({ current_page: 9, next_page: null, prev_page: 2 });
    const none = (await call('GET', '/transactions?external_id=nothing&page=3')).body;
    expect(none.meta.pagination).toMatchObject({ total_pages: 0, prev_page: null });
  });

  test.each([
    ['state[]=error', 1],
    ['state%5B%5D=error&state%5B%5D=success', 3],
    ['state=error&state=success', 3],
    ['state=error', 1],
    ['currency=EUR', 3],
    ['currency[]=NGN', 0],
    ['currency=EUR&amount_from=10&amount_to=10.00', 3],
    ['currency=EUR&amount_from=10.01', 0],
    ['created_at_from=2026-01-05&created_at_to=2026-01-05', 3],
    ['created_at_from=2026-01-06', 0],
    ['created_at_to=2026-01-04', 0],
    ['state=error&currency=EUR&created_at_from=2026-01-01', 1],
    ['state=unheard_of', 0],
  ])('recipients?%s finds %i', async (query, count) => {
    const { call } = await three();
    const { body } = await call('GET', `/recipients?${query}`);
    expect(body.object).toHaveLength(count);
    expect(body.meta.pagination.total_count).toBe(count);
  });

  test.each([
    'amount_from=1',
    'amount_from=x&currency=EUR',
    'created_at_from=yesterday',
    'created_at_to=2026-02-30',
  ])('recipients?%s is a bad request', async (query) => {
    const { call } = await startBench();
    expect((await call('GET', `/recipients?${query}`)).status).toBe(400);
  });

  test('one transaction by its external id, none for another', async () => {
    const { call } = await three();
    expect((await call('GET', '/transactions?external_id=t-2')).body.object).toHaveLength(1);
    expect((await call('GET', '/transactions?external_id=t-9')).body.object).toEqual([]);
    const { body } = await call('GET', '/senders?external_id=sender-1');
    expect(body.object).toHaveLength(1);
    expect((await call('GET', `/transactions?sender_id=${body.object[0].id}`)).body.object).toHaveLength(3);
  });
});

describe('the log of requests', () => {
  test('shows requests with their nonce, and no secret or whole signature', async () => {
    const { call } = await startBench();
    await call('GET', '/accounts', undefined, { 'Authorization-Secret': 'hidden-secret' });
    const { body, text } = await call('GET', '/api_logs');
    const [entry] = body.object;
    expect(entry).toMatchObject({
      request_method: 'GET',
      request_url: url('/accounts'),
      response_status: '200',
    });
    expect(entry.request_headers.HTTP_AUTHORIZATION_NONCE).toMatch(/^n-\d+$/);
    expect(entry.request_headers.HTTP_AUTHORIZATION_SIGNATURE).toMatch(/^[0-9a-f]{8}…$/);
    expect(text).not.toContain('hidden-secret');
    expect((await call('GET', `/api_logs/${entry.id}`)).body.object).toEqual(entry);
  });

  test('keeps the last thousand', async () => {
    const { call } = await startBench();
    await call('GET', '/accounts');
    const first = (await call('GET', '/api_logs')).body.object[0].id;
    for (let i = 0; i < 1000; i++) await call('GET', '/webhooks/events');
    const { body } = await call('GET', '/api_logs?per=100');
    expect(body.meta.pagination.total_count).toBe(1000);
    expect((await call('GET', `/api_logs/${first}`)).status).toBe(404);
  });
});

describe('account validation', () => {
  const bank = { method: 'bank', country: 'NG', currency: 'NGN', bank_code: '044' };
  const mobile = { method: 'mobile', country: 'GH', currency: 'GHS' };
  const uganda = { method: 'mobile', country: 'UG', currency: 'UGX' };
  test.each([
    [{ ...bank, bank_account: '0123456789' }, 200, { account_name: 'TEST USER' }],
    [{ ...bank, bank_account: '9123456780' }, 422, {}],
    [{ ...mobile, phone_number: '+233302123400' }, 200, { account_name: 'TEST USER' }],
    [{ ...mobile, phone_number: '+233302123408' }, 422, {}],
    [{ ...mobile, phone_number: '+233302123409', mobile_provider: 'mtn' }, 422, {}],
    [{ ...mobile, phone_number: '+233302123400', mobile_provider: 'vodafone' }, 422, {}],
    [{ ...uganda, phone_number: '+256752123429', mobile_provider: 'airtel' }, 422, {}],
    [
      { ...uganda, phone_number: '+256772123419', mobile_provider: 'mtn' },
      422,
      { account_status: 'inactive' },
    ],
    [{ ...uganda, phone_number: '+256772123400', mobile_provider: 'mtn' }, 200, { account_status: 'active' }],
    [
      {
        method: 'mobile',
        country: 'SN',
        currency: 'XOF',
        phone_number: '+221771234567',
        mobile_provider: 'orange',
      },
      200,
      { mapped_mobile_provider: 'orange' },
    ],
  ])('%j', async (asked, status, object) => {
    const { call } = await startBench();
    const reply = await call('POST', '/account_validations', asked);
    expect(reply.status).toBe(status);
    expect(reply.body.object).toEqual(object);
    expect(typeof reply.body.meta?.error).toBe(status === 422 ? 'string' : 'undefined');
  });

  test('what is missing or unknown is named', async () => {
    const { call } = await startBench();
    const { status, body } = await call('POST', '/account_validations', { method: 'post', country: 'NG' });
    expect(status).toBe(422);
    expect(body.object.errors).toEqual({ method: [{ error: 'invalid' }], currency: [{ error: 'blank' }] });
  });
});
