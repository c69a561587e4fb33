/** What the service's documentation prints is answered as it says: over HTTP, and by `remit api`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { type Bench, createBench, credentials } from '../support/cli.ts';
import { type Json, paymentBody } from '../support/sandbox.ts';

interface Printed {
  method: string;
  path: string;
  /** The statuses that may answer. */
  answers: readonly number[];
  body: Json;
}

const file = join(import.meta.dirname, '..', 'fixtures', 'documented-requests.json');
const printed: readonly Printed[] = JSON.parse(readFileSync(file, 'utf8')).requests;

type Send = (method: string, path: string, body: unknown) => Promise<{ status: number; body: Json }>;

let made = 0;
const nextId = () => `documented-${++made}`;

/** A record that was made first, for what a request names. */
async function madeFirst(send: Send, { path, body }: Printed): Promise<string> {
  if (body?.transaction?.sender?.id !== undefined) {
    const sender = { ...samplePerson, source_of_funds: 'Salary' };
    return (await send('POST', '/senders', { sender })).body.object.id;
  }
  const payment = paymentBody(nextId(), '0123456700', {
    input_currency: body?.debit?.currency ?? 'EUR',
    sender: { ...samplePerson, external_id: nextId() },
  });
  const [recipient] = payment.transaction.recipients;
  const { currency = 'EUR', amount = '10' } = body?.debit ?? {};
  Object.assign(recipient ?? {}, { requested_currency: currency, requested_amount: amount });
  const { object } = (await send('POST', '/transactions', payment)).body;
  return path.includes('ID') ? object.recipients[0].id : object.id;
}

/** With ids in the places that are left open, and nothing else changed. */
async function filled(send: Send, one: Printed): Promise<Printed> {
  const needs = one.path.includes('ID') || /"(?:id|to_id)":"EXTERNAL"/.test(JSON.stringify(one.body));
  const id = needs ? await madeFirst(send, one) : '';
  const body = JSON.stringify(one.body)
    .replace(/"(id|to_id)":"EXTERNAL"/g, `"$1":"${id}"`)
    .replaceAll('EXTERNAL', () => nextId());
  return { ...one, path: one.path.replace('ID', id), body: JSON.parse(body) };
}

const rows = printed.map((one, index) => [index, `${one.method} ${one.path}`, one] as const);

test('all that is printed is here', () => expect(printed).toHaveLength(62));

describe('over HTTP', () => {
  let bench: Bench;
  let listening: Listening;
  const send: Send = async (method, path, body) => {
    const url = `${listening.url}${path}`;
    const text = JSON.stringify(body);
    const signed = signedHeaders(credentials, { nonce: nextId(), method, url, body: text });
    const answer = await fetch(url, { method, headers: { ...signed }, body: text });
    return { status: answer.status, body: await answer.json() };
  };
  beforeAll(async () => {
    bench = await createBench();
    listening = await listen(bench.sandbox, { port: 0 });
  });
  afterAll(async () => {
    await listening.close();
    await bench.close();
  });

  test.each(rows)('%i: %s', async (_, __, one) => {
    const { method, path, body } = await filled(send, one);
    const answer = await send(method, path, body);
    expect(one.answers, JSON.stringify(answer.body)).toContain(answer.status);
  });
});

describe('by remit api', () => {
  let bench: Bench;
  const send: Send = async (method, path, body) => {
    const argv = ['api', method, path, '--input', '-', '--yes', '--include'];
    const run = await bench.run(argv, { stdin: JSON.stringify(body) });
    const [, status] = /^HTTP (\d{3})/m.exec(run.stderr) ?? [];
    expect(run.code, run.stderr).toBe(Number(status) < 300 ? 0 : 5);
    return { status: Number(status), body: JSON.parse(run.stdout) };
  };
  beforeAll(async () => {
    bench = await createBench();
  });
  afterAll(() => bench.close());

  test.each(rows)('%i: %s', async (_, __, one) => {
    const { method, path, body } = await filled(send, one);
    const answer = await send(method, path, body);
    expect(one.answers, JSON.stringify(answer.body)).toContain(answer.status);
  });
});
