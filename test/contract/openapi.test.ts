/** The OpenAPI description says what the sandbox does: a public validator reads it, and requests and answers of a real sandbox are held against it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAllCorridors } from '../../src/contract/corridors/index.ts';
import { sampleDetails } from '../../src/contract/corridors/sample.ts';
import { eventNames } from '../../src/contract/events.ts';
import { openApi } from '../../src/contract/openapi.ts';
import { catalogue, operationIds } from '../../src/contract/operations/index.ts';
import { eventsSchema, paymentSchema } from '../../src/contract/schemas.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { paymentBody } from '../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into freely by tests
type Json = any;
const document = openApi({ version: '0.1.0', baseUrl: 'http://127.0.0.1:4010/v1' }) as Json;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'openapi');

/** What does not fit, in words; nothing where all of it does. */
function misfits(pointer: string, value: unknown): unknown {
  const fits = ajv.compile({ $ref: `openapi#${pointer}` });
  return fits(value) ? null : fits.errors;
}

const escaped = (part: string): string =>
  part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
const at = (path: string, method: string, rest: string): string =>
  `/paths/${escaped(path)}/${method.toLowerCase()}${rest}`;
const BODY = '/requestBody/content/application~1json/schema';
const answer = (status: number): string => `/responses/${status}/content/application~1json/schema`;

it('is valid OpenAPI 3.1, with each operation and each event once', async () => {
  const said = await new Validator().validate(document);
  expect(said).toMatchObject({ valid: true });
  const all: Json[] = Object.values(document.paths as Record<string, object>).flatMap((methods) =>
    Object.values(methods),
  );
  expect(all.map((one) => one['x-remit-operation']).sort()).toEqual([...operationIds].sort());
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(49);
  expect(Object.keys(document.webhooks)).toEqual(eventNames);
  expect(JSON.stringify(document)).not.toContain('#/$defs/');
});

it('the requests that the documentation prints fit, and one without a list of recipients does not', () => {
  const file = join(import.meta.dirname, '..', 'fixtures', 'documented-requests.json');
  const printed: Json[] = JSON.parse(readFileSync(file, 'utf8')).requests;
  const row = (path: string, method: string) =>
    Object.values(catalogue).find(
      (one) =>
        one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
  const unfit: string[] = [];
  let count = 0;
  for (const { method, path, body, answers } of printed) {
    const found = row(path, method);
    if (found?.path === undefined || !('body' in found) || !answers.some((status: number) => status < 300))
      continue;
    count += 1;
    const filled = JSON.parse(
      JSON.stringify(body).replaceAll('EXTERNAL', '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'),
    );
    const wrong = misfits(at(found.path, method, BODY), filled);
    if (wrong !== null) unfit.push(`${method} ${path}: ${JSON.stringify(wrong)}`);
  }
  expect(unfit).toEqual([]);
  expect(count).toBeGreaterThan(20);
  const wrong = {
    transaction: {
      ...paymentBody('a', '0123456700', { sender: samplePerson }).transaction,
      recipients: 'none',
    },
  };
  expect(misfits(at('/transactions', 'POST', BODY), wrong)).not.toBeNull();
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

let made = 0;
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const url = sandbox.url + path;
  const { key, secret } = sandbox;
  const headers = signedHeaders({ key, secret }, { nonce: `n-${++made}`, method, url, body: text });
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: text ?? null,
  });
  return { status: response.status, body: (await response.json()) as Json };
}

it('what a sandbox answers fits, and what it refuses too', async () => {
  const payment = paymentBody('schema-1', '0123456719', { sender: samplePerson });
  const created = await send('POST', '/transactions/create_and_fund', payment);
  const { object } = created.body;
  const recipient = object.recipients[0].id;
  await sandbox.drain();
  const seen: [string, string, { status: number; body: Json }][] = [
    ['/transactions/create_and_fund', 'POST', created],
    ['/transactions/{transaction_id}', 'GET', await send('GET', `/transactions/${object.id}`)],
    ['/transactions', 'GET', await send('GET', '/transactions?per=5')],
    ['/recipients', 'GET', await send('GET', '/recipients?state%5B%5D=error')],
    ['/senders', 'GET', await send('GET', '/senders')],
    ['/accounts', 'GET', await send('GET', '/accounts')],
    ['/info/currencies', 'GET', await send('GET', '/info/currencies')],
    ['/info/currencies/out', 'GET', await send('GET', '/info/currencies/out')],
    ['/info/payment_methods/out', 'GET', await send('GET', '/info/payment_methods/out')],
    ['/api_logs', 'GET', await send('GET', '/api_logs')],
    ['/recipients/{recipient_id}', 'DELETE', await send('DELETE', `/recipients/${recipient}`)],
  ];
  for (const [path, method, { status, body }] of seen)
    expect(misfits(at(path, method, answer(status)), body), `${method} ${path} ${status}`).toBeNull();
  expect(seen.map(([, , { status }]) => status).every((status) => status < 300)).toBe(true);
  const refused = await send('POST', '/transactions', {
    transaction: { input_currency: 'EUR', recipients: [] },
  });
  expect(refused.status).toBe(422);
  expect(misfits('/components/schemas/Refusal', refused.body)).toBeNull();
  expect(misfits('/components/schemas/Transaction', { ...object, recipients: 'none' })).not.toBeNull();
});

it('deliveries fit the schema of events, and a payment that of payments', async () => {
  const fits = ajv.compile(eventsSchema());
  const object = { id: '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11', state: 'paid' };
  expect(fits({ webhook: 'w', event: 'transaction.paid_out', object })).toBe(true);
  expect(fits({ webhook: 'w', event: 'transaction.paidout', object })).toBe(false);
  expect(fits({ webhook: 'w', event: 'transaction.paid_out', object: { ...object, recipients: 7 } })).toBe(
    false,
  );
  const isPayment = ajv.compile(await paymentSchema());
  const { transaction } = paymentBody('a', '0123456700', { sender: samplePerson });
  expect(isPayment(transaction), JSON.stringify(isPayment.errors)).toBe(true);
  expect(isPayment({ ...transaction, recipients: [{ requested_amount: 12.5 }] })).toBe(false);
  const withDetails = (details: object): Json => {
    const [recipient] = transaction.recipients;
    return { ...transaction, recipients: [{ ...recipient, payout_method: { type: 'NGN::Bank', details } }] };
  };
  const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };
  expect(isPayment(withDetails(details))).toBe(true);
  expect(isPayment(withDetails({ ...details, bank_code: 'no bank' }))).toBe(false);
  expect(isPayment(withDetails({ ...details, bank_account: undefined }))).toBe(false);
});

it('a sample payment to each payout type fits the schema', async () => {
  const isPayment = ajv.compile(await paymentSchema());
  const { types, corridor, options } = await loadAllCorridors();
  for (const { type } of types) {
    const known = corridor(type);
    if (known === undefined) continue;
    const details = sampleDetails(known, 'person', options);
    const method = { type, details };
    const recipient = { requested_amount: '10', requested_currency: 'EUR', payout_method: method };
    const payment = { input_currency: 'EUR', sender: samplePerson, recipients: [recipient] };
    expect(isPayment(payment), `${type} ${JSON.stringify(isPayment.errors)}`).toBe(true);
  }
});
