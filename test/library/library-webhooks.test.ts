/** `remit-cli/webhooks` as a partner's service uses it: the built package by name, its types, and verification by itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventNames } from '../../src/contract/events.ts';
import { recipient } from '../../src/contract/resources/transaction.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import {
  diagnoseWebhook,
  memoryNonces,
  nodeWebhookHandler,
  parseWebhook,
  verifyWebhook,
} from '../../src/library/webhooks.ts';
import type { WebhookEvent } from '../../src/library/webhooks-types.ts';
import { bodyOf, credentials, Heard, headersFor } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { compiled, partnerFolder } from '../support/partner-folder.ts';
import { paymentBody } from '../support/sandbox.ts';
import { secondClient } from '../support/second-client.ts';
import { portOf } from '../support/servers.ts';

const url = 'https://partner.example/hooks?team=a%20b';
const body = bodyOf('r-1');
const nonce = 'a-nonce-of-some-length-4711';

const given = (over: Partial<Parameters<typeof verifyWebhook>[0]> = {}) => ({
  url,
  headers: headersFor(url, body, { nonce }),
  body: Buffer.from(body),
  ...credentials,
  ...over,
});

describe('verifyWebhook', () => {
  const headers = headersFor(url, body, { nonce });
  const renamed = (name: (one: string) => string) =>
    Object.fromEntries(Object.entries(headers).map(([key, value]) => [name(key), value]));

  it.each([
    ['bytes', {}],
    ['a view into larger bytes', { body: new Uint8Array(Buffer.from(`xx${body}yy`)).subarray(2, -2) }],
    ['a text', { body }],
    ['names as Node gives them', { headers: renamed((one) => one.toLowerCase()) }],
    ['names in capitals', { headers: renamed((one) => one.toUpperCase()) }],
    ['lists of values', { headers: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]])) }],
    ['Headers of Fetch', { headers: new Headers(headers) }],
    ['anything with get', { headers: new Map(Object.entries(renamed((one) => one.toLowerCase()))) }],
    ['one of several secrets', { secret: ['the-new-one', credentials.secret] }],
  ])('takes %s', (_, over) => {
    const verdict = verifyWebhook(given(over as object));
    expect(verdict).toMatchObject({ valid: true, nonce });
    expect(verdict.valid && verdict.event().object).toEqual({ id: 'r-1', state: 'error' });
  });

  it.each([
    ['another path', { url: `${url}&x=1` }],
    ['a decoded query', { url: url.replace('%20', ' ') }],
    ['a slash more', { url: url.replace('?', '/?') }],
    ['another body', { body: `${body}\n` }],
    ['another secret', { secret: `${credentials.secret} ` }],
    ['no secret of several', { secret: ['one', 'two'] }],
    ['another key', { key: 'key_other' }],
    ['no headers', { headers: {} }],
    ['empty Headers', { headers: new Headers() }],
    ['an empty body', { body: new Uint8Array() }],
  ])('refuses %s', (_, over) => {
    expect(verifyWebhook(given(over))).toEqual({ valid: false });
  });

  it('needs a key and a secret', () => {
    for (const over of [{ key: '' }, { secret: '' }, { secret: [] }, { secret: ['a', ''] }])
      expect(() => verifyWebhook(given(over))).toThrow('key and secret are missing');
  });

  it('parses nothing: what is signed and no delivery is valid, and its event throws', () => {
    const text = '{"hello": 1}';
    const verdict = verifyWebhook(given({ body: text, headers: headersFor(url, text) }));
    expect(verdict.valid && verdict.event).toThrow('the body is not a delivery');
    expect(parseWebhook(body)).toEqual({
      webhook: 'w-1',
      event: 'recipient.error',
      object: { id: 'r-1', state: 'error' },
    });
    for (const bad of ['', 'null', '[]', '{', '"x"', Buffer.from([0xff, 0xfe])])
      expect(() => parseWebhook(bad)).toThrow(TypeError);
  });
});

describe('diagnoseWebhook', () => {
  const signature = headersFor(url, body, { nonce })['Authorization-Signature'] as string;

  it('has nothing to say about what verifies', () => {
    expect(diagnoseWebhook(given())).toBeNull();
    expect(diagnoseWebhook(given({ secret: ['new', credentials.secret] }))).toBeNull();
  });

  it.each([
    ['url', { url: url.replace('https', 'http') }],
    ['url', { url: url.replace('?', '/?') }],
    ['body', { body: JSON.stringify(JSON.parse(body), null, 2) }],
    ['secret', { secret: ` ${credentials.secret}` }],
    ['', { headers: {} }],
    ['', { headers: new Headers({ 'authorization-key': credentials.key }) }],
    ['', { body: 'something else' }],
  ])('names one cause (%s), and nothing secret whole', (kind, over) => {
    const found = diagnoseWebhook(given(over));
    expect(found?.cause).toContain(kind);
    const text = JSON.stringify(found);
    for (const hidden of [credentials.secret, nonce, signature]) expect(text).not.toContain(hidden);
    expect(Object.keys(found ?? {})).toEqual(['cause', 'message', 'hint']);
  });
});

it('the sandbox delivers to a handler, and typed events arrive', async () => {
  const events = new Heard<WebhookEvent>();
  const server = createServer();
  const port = await portOf(server);
  const sandbox = await startSandbox({ port: 0, webhook: port });
  const { key, secret } = sandbox;
  const onEvent = (event: WebhookEvent) => events.add(event);
  const nonces = memoryNonces({ keep: 'all' });
  server.on(
    'request',
    nodeWebhookHandler({ url: `http://127.0.0.1:${port}/`, key, secret, nonces, onEvent }),
  );
  const { call } = secondClient((request) => fetch(request), sandbox.url, sandbox);
  expect((await call('POST', '/transactions/create_and_fund', paymentBody('a'))).status).toBe(201);
  await sandbox.drain();
  const paid = events.all.flatMap((one) => (one.event === 'recipient.paid_out' ? one.object.state : []));
  expect(paid).toEqual(['success']);
  expect(nonces.size).toBe(events.all.length);
  await sandbox.close();
  await new Promise((closed) => server.close(closed));
});

describe('the package', () => {
  let folder = '';
  beforeAll(() => {
    folder = partnerFolder('@types', 'pg', 'express');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const program = `
    const given = JSON.parse(process.argv[2]);
    const verdict = verifyWebhook(given);
    console.log(verdict.valid, verdict.event().event, diagnoseWebhook({ ...given, body: given.body + ' ' }).cause);
    console.log([nodeWebhookHandler, expressWebhookHandler, fetchWebhookHandler, memoryNonces, postgresNonces,
      parseWebhook].every((one) => typeof one === 'function'));`;
  const names =
    'verifyWebhook, diagnoseWebhook, parseWebhook, nodeWebhookHandler, expressWebhookHandler, fetchWebhookHandler, memoryNonces, postgresNonces';

  it.each([
    ['main.mjs', `import { ${names} } from 'remit-cli/webhooks';${program}`],
    ['main.cjs', `const { ${names} } = require('remit-cli/webhooks');${program}`],
  ])('is loaded by name: %s', (file, text) => {
    writeFileSync(join(folder, file), text);
    const args = ['--preserve-symlinks', file, JSON.stringify(given({ body }))];
    const out = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(out).toMatch(/^true recipient\.error \w+\ntrue\n$/);
  });

  it.runIf(isLong).each([true, false])(
    'has types that a compiler takes, exactOptionalPropertyTypes %s',
    (exact) => {
      writeFileSync(join(folder, 'main.mts'), TYPED);
      const loose = { types: ['node'], esModuleInterop: true, skipLibCheck: true };
      expect(compiled(folder, { ...loose, exactOptionalPropertyTypes: exact })).toBe('');
    },
  );
});

/** What a partner writes; each wrong line must not compile. */
const TYPED = `
  import { createServer } from 'node:http';
  import express from 'express';
  import pg from 'pg';
  import { diagnoseWebhook, expressWebhookHandler, fetchWebhookHandler, memoryNonces, nodeWebhookHandler, parseWebhook,
    postgresNonces, verifyWebhook, type NonceStore, type WebhookEvent, type WebhookHandlerOptions } from 'remit-cli/webhooks';

  function take(event: WebhookEvent): string | null | undefined {
    switch (event.event) {
      case 'recipient.error':
        event.object.output_amount satisfies string | number | null | undefined;
        return event.object.state_reason_details?.category;
      case 'transaction.paid_out':
        // @ts-expect-error a transaction has no reason details of this shape
        event.object.state_reason_details.code;
        return event.object.recipients?.[0]?.id;
      case 'sender.created':
        return event.object.external_id;
      // @ts-expect-error there is no such event
      case 'recipient.exploded':
        return null;
      default: {
        const other: { event: string } = event;
        return other.event;
      }
    }
  }
  const pool = new pg.Pool();
  const nonces: NonceStore = Math.random() > 1 ? memoryNonces({ keep: 10 }) : postgresNonces(pool, { table: 'seen' });
  const options: WebhookHandlerOptions = { url: 'https://a.example/', key: 'k', secret: ['a', 'b'] as const, nonces,
    onEvent: async (event) => void take(event), onInvalid: ({ diagnose }) => diagnose()?.hint, maxBytes: undefined,
    onError: undefined };
  createServer(nodeWebhookHandler(options));
  createServer((request, response) => void nodeWebhookHandler(options)(request, response));
  const app = express();
  app.post('/hooks', expressWebhookHandler(options));
  app.use('/raw', express.raw({ type: () => true }), expressWebhookHandler(options));
  const answer: Promise<Response> = fetchWebhookHandler(options)(new Request('https://a.example/'));
  createServer((request) => {
    const verdict = verifyWebhook({ url: '', headers: request.headers, body: '', key: '', secret: '' });
    // @ts-expect-error it may not be valid
    verdict.event();
    if (verdict.valid) take(verdict.event());
  });
  const cause: string | undefined = diagnoseWebhook({ url: '', headers: new Headers(), body: new Uint8Array(), key: '', secret: '' })?.cause;
  // @ts-expect-error the URL is part of what is signed
  verifyWebhook({ headers: {}, body: '', key: '', secret: '' });
  // @ts-expect-error a parsed body cannot be verified
  verifyWebhook({ url: '', headers: {}, body: { webhook: 'w' }, key: '', secret: '' });
  // @ts-expect-error forgetting is a choice to be made
  memoryNonces({});
  // @ts-expect-error keep is a number, or all
  memoryNonces({ keep: 'none' });
  // @ts-expect-error nothing would be told
  nodeWebhookHandler({ url: '', key: '', secret: '' });
  void [answer, cause, parseWebhook(Buffer.from('{}')).object.id, pool.end()];`;

it('what a partner’s compiler reads stands by itself, and has the events and members of the contract', () => {
  const written = readFileSync(new URL('../../dist/webhooks.d.cts', import.meta.url), 'utf8');
  expect(written).not.toMatch(/\b(?:import|z\.|EventName>)/);
  const names = [...written.matchAll(/"(\w+\.\w+)"/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual([...eventNames].toSorted());
  for (const member of Object.keys(recipient.shape)) expect(written).toContain(`    ${member}?: `);
});
