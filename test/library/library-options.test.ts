/** What the entries of the library for webhooks and for the sandbox are given wrongly: it throws before anything is opened. */
import { describe, expect, it } from 'vitest';
import * as edge from '../../src/library/edge.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import {
  diagnoseWebhook,
  expressWebhookHandler,
  fetchWebhookHandler,
  memoryNonces,
  nodeWebhookHandler,
  postgresNonces,
  verifyWebhook,
} from '../../src/library/webhooks.ts';
import { bodyOf, credentials, headersFor } from '../support/listening.ts';

const url = 'https://partner.example/hooks';
const body = bodyOf('r-1');
const delivery = { ...credentials, url, body, headers: headersFor(url, body) };
const handling = { ...credentials, url, onEvent: () => {} };

describe('a webhook handler', () => {
  it.each<[object, string]>([
    [{ maxByte: 5 }, 'maxByte is no option of a webhook handler: it takes url, key'],
    [{ maxBytes: Number.NaN }, 'maxBytes must be a whole number above 0'],
    [{ maxBytes: -1 }, 'maxBytes must be a whole number above 0'],
    [{ maxBytes: '5' }, 'maxBytes must be a whole number above 0'],
    [{ onEvent: undefined }, 'onEvent is missing'],
    [{ onEvent: 'x' }, 'onEvent must be a function'],
    [{ onInvalid: 'x' }, 'onInvalid must be a function'],
    [{ onError: {} }, 'onError must be a function'],
    [{ nonces: 'x' }, 'nonces must be an object'],
    [{ nonces: { claim: () => {}, finish: () => {} } }, 'nonces has no release'],
    [{ secret: [1] }, 'secret must be a text, or a list of texts'],
    [{ secret: undefined }, 'key and secret are missing'],
    [{ key: 5 }, 'key must be a text'],
  ])('with %j is not made', (over, words) => {
    for (const make of [nodeWebhookHandler, expressWebhookHandler, fetchWebhookHandler])
      expect(() => make({ ...handling, ...over } as never)).toThrow(words);
  });

  it('with all of its options is made', () => {
    const all = { nonces: memoryNonces({ keep: 5 }), onInvalid() {}, onError() {}, maxBytes: 10 };
    expect(nodeWebhookHandler({ ...handling, ...all })).toBeTypeOf('function');
    expect(nodeWebhookHandler({ ...handling, nonces: undefined, maxBytes: undefined })).toBeTypeOf(
      'function',
    );
  });
});

describe('what was delivered', () => {
  it.each<[object, string]>([
    [{ rawBody: body }, 'rawBody is no option of a delivery: it takes url, headers, body'],
    [{ body: { event: 'x' } }, 'body must be a text or bytes'],
    [{ body: undefined }, 'body is missing'],
    [{ headers: undefined }, 'headers is missing'],
    [{ headers: 'x' }, 'headers must be an object'],
    [{ url: new URL(url) }, 'url must be a text'],
    [{ secret: undefined }, 'key and secret are missing'],
  ])('is not verified with %j', async (over, words) => {
    const given = { ...delivery, ...over } as never;
    expect(() => verifyWebhook(given)).toThrow(words);
    expect(() => diagnoseWebhook(given)).toThrow(words);
    await expect(edge.verifyWebhook(given)).rejects.toThrow(words);
  });

  it('is verified as it came, in texts and in bytes', async () => {
    for (const one of [body, new TextEncoder().encode(body)]) {
      expect(verifyWebhook({ ...delivery, body: one }).valid).toBe(true);
      expect((await edge.verifyWebhook({ ...delivery, body: one })).valid).toBe(true);
    }
  });
});

describe('signing at an edge', () => {
  it.each<[object, string]>([
    [{ nonces: 'x' }, 'nonces is no option of signing: it takes key, secret, method, url, body, nonce'],
    [{ body: { amount: 1 } }, 'body must be a text or bytes'],
    [{ nonce: 5 }, 'nonce must be a text'],
    [{ method: undefined }, 'method is missing'],
    [{ secret: '' }, 'secret is missing'],
  ])('with %j throws', async (over, words) => {
    const signing = edge.signRequest({ ...credentials, method: 'GET', url, ...over } as never);
    await expect(signing).rejects.toThrow(words);
  });
});

describe('a store of nonces', () => {
  it('takes no option that there is not', () => {
    expect(() => memoryNonces({ keep: 5, kept: 1 } as never)).toThrow('kept is no option of memoryNonces');
    const pool = { query: () => Promise.reject(new Error('nothing is asked')) };
    expect(() => postgresNonces(pool, { tabel: 'x' } as never)).toThrow(
      'tabel is no option of postgresNonces',
    );
    expect(() => postgresNonces(pool, { table: 5 } as never)).toThrow('table must be a text');
    expect(() => postgresNonces({} as never)).toThrow('pool has no query');
  });
});

describe('the clock of a sandbox', () => {
  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '5', undefined])('does not move by %o', async (ms) => {
    const sandbox = await startSandbox();
    const before = sandbox.now();
    await expect(sandbox.advance(ms as number)).rejects.toThrow('advance takes milliseconds');
    expect(sandbox.now()).toBe(before);
    await sandbox.advance(0.5);
    await sandbox.close();
  });
});
