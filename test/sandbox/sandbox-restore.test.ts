/** Snapshots that are whole by their sum and wrong inside, that never end, and what is asked before a body is read. */
import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CONTROL_TOKEN_HEADER } from '../../src/contract/controls/index.ts';
import { listen } from '../../src/sandbox/http/listen.ts';
import { ImageReader } from '../../src/sandbox/image-reader.ts';
import { isLong } from '../support/long.ts';
import { type Bench, CONTROL_TOKEN, HOST, type Json, paymentBody, startBench } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';

const closing = closeAfterEach();

async function used(): Promise<Bench> {
  const bench = await startBench();
  closing.push(() => bench.sandbox.close());
  await bench.call('POST', '/transactions/create_and_fund', paymentBody('a-1', '0123456719'));
  await bench.sandbox.drain();
  return bench;
}

/** The same snapshot with other lines, and a sum that fits them. */
function rewritten(image: Uint8Array, change: (lines: string[]) => string[]): Uint8Array {
  const lines = change(gunzipSync(image).toString().trimEnd().split('\n').slice(0, -1));
  const text = lines.join('\n');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return gzipSync(`${text}\n${JSON.stringify({ lines: lines.length, sha256 })}\n`);
}

const row = (table: string, value: Json) => (lines: string[]) => [
  ...lines,
  JSON.stringify(['row', table, value]),
];
const piece = (name: string, value: Json) => (lines: string[]) =>
  lines.map((line) =>
    line.startsWith(`["piece","${name}"`) ? JSON.stringify(['piece', name, value]) : line,
  );

const wrong: [string, (lines: string[]) => string[]][] = [
  ['a row that is null', row('senders', null)],
  ['a row that is a text', row('transactions', 'x')],
  ['a row without an id', row('recipients', { state: 'success' })],
  ['a task without a time', row('tasks', { sequence: 99 })],
  ['a row twice', (lines) => [...lines, lines.find((line) => line.startsWith('["row","senders"')) ?? '']],
  ['a table of no sandbox', row('secrets', { id: 'x' })],
  ['a line that is no list', (lines) => [...lines, '{"a":1}']],
  ['a line that is no JSON', (lines) => [...lines, 'nonsense']],
  ['a line of no kind', (lines) => [...lines, '["else","senders",{}]']],
  ['a clock that is null', piece('clock', null)],
  ['balances that are null', piece('balances', null)],
  ['balances that are not the sum of what was posted', piece('balances', { 'wallet:EUR': '999999999' })],
  ['settings that cannot be', piece('settings', { kyc: 'x' })],
  ['faults of another shape', piece('faults', 'none')],
  ['dice of another shape', piece('random', 'none')],
  ['no clock', (lines) => lines.filter((line) => !line.startsWith('["piece","clock"'))],
];

describe('a snapshot that is whole by its sum', () => {
  test.each(wrong)('with %s is refused, and nothing is lost', async (_, change) => {
    const bench = await used();
    const image = rewritten(bench.sandbox.snapshot(), change);
    const before = gunzipSync(bench.sandbox.snapshot()).toString();
    const headers = {
      host: HOST,
      [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN,
      'content-type': 'application/octet-stream',
    };
    const url = '/_sandbox/restore';
    const answer = await bench.sandbox.handle({ method: 'POST', url, headers, body: image });
    expect(answer.status, String(answer.body)).toBe(422);
    expect(gunzipSync(bench.sandbox.snapshot()).toString()).toBe(before);
    bench.sandbox.audit();
    const made = await bench.call('POST', '/transactions', paymentBody('a-2', '0123456700'));
    expect(made.status, 'it works on').toBe(201);
  });

  test('and right inside is restored', async () => {
    const bench = await used();
    const image = rewritten(bench.sandbox.snapshot(), (lines) => lines);
    const other = await startBench();
    other.sandbox.restore(image);
    expect((await other.call('GET', '/transactions?external_id=a-1')).body.object).toHaveLength(1);
    await other.sandbox.close();
  });
});

describe('a snapshot that unpacks to more than it may', () => {
  test('is refused as soon as that shows', () => {
    const reader = new ImageReader({ maxBytes: 10_000, maxLineBytes: 1_000 });
    reader.push(Buffer.from('{"remit_sandbox_snapshot":1}\n'));
    expect(() => reader.push(Buffer.alloc(2_000, 'x'))).toThrow('too long');
    const many = new ImageReader({ maxBytes: 10_000, maxLineBytes: 1_000 });
    many.push(Buffer.from('{"remit_sandbox_snapshot":1}\n'));
    const line = Buffer.from(`["row","senders",${' '.repeat(480)}{}]\n`);
    expect(() => {
      for (let i = 0; i < 100; i++) many.push(line);
    }).toThrow('too large');
  });

  test.runIf(isLong)('a gigabyte of nothing costs neither the gigabyte nor what is there', async () => {
    const bench = await used();
    const bomb = gzipSync(
      Buffer.concat([Buffer.from('{"remit_sandbox_snapshot":1}\n'), Buffer.alloc(2 ** 28)]),
    );
    const before = bench.sandbox.control.state();
    expect(() => bench.sandbox.restore(bomb)).toThrow(/too l/);
    expect(bench.sandbox.control.state()).toEqual(before);
  });
});

async function listening() {
  const bench = await used();
  const port = await listen(bench.sandbox, { port: 0 });
  closing.unshift(() => port.close());
  return { bench, port: port.port };
}

interface Sent {
  path: string;
  headers: Record<string, string>;
  chunks?: Iterable<Uint8Array>;
}

/** Announces a body and sends no more of it than is given: an answer that needs the rest never comes. */
function ask(port: number, { path, headers, chunks }: Sent): Promise<{ status: number; body: Json }> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, method: 'POST', headers };
    const request = httpRequest(options, (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        request.destroy();
        resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const chunk of chunks ?? []) request.write(chunk);
    if (chunks) request.end();
    else request.flushHeaders();
  });
}

const token = { [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN };
const octets = { 'content-type': 'application/octet-stream' };
const length = (bytes: number) => ({ 'content-length': String(bytes) });

describe('before a body is read', () => {
  test.each<[string, string, Record<string, string>, number]>([
    ['no token', '/_sandbox/restore', { ...octets, ...length(5_000) }, 401],
    ['a wrong token', '/_sandbox/faults', { [CONTROL_TOKEN_HEADER]: 'x', ...length(5_000) }, 401],
    [
      'a web page',
      '/_sandbox/restore',
      { ...token, ...octets, origin: 'http://evil.example', ...length(50) },
      403,
    ],
    ['another name', '/v1/documents', { host: 'evil.example', ...length(5_000) }, 403],
    [
      'another name at a control',
      '/_sandbox/restore',
      { ...token, host: 'evil.example', ...length(50) },
      403,
    ],
    ['no such control', '/_sandbox/nothing', { ...token, ...length(5_000) }, 404],
    ['a query that names the restore', '/v1/transactions?x=/_sandbox/restore', length(2_000_000), 413],
    [
      'a query at another control',
      '/_sandbox/seed?x=/_sandbox/restore',
      { ...token, ...length(2_000_000) },
      413,
    ],
    ['a query that names documents', '/v1/transactions?x=/v1/documents', length(2_000_000), 413],
    ['a path that begins alike', '/v1/documentsandmore', length(2_000_000), 413],
    ['a snapshot beyond its bound', '/_sandbox/restore', { ...token, ...octets, ...length(2 ** 31) }, 413],
  ])('%s: %s', async (_, path, headers, status) => {
    const { port } = await listening();
    expect((await ask(port, { path, headers })).status).toBe(status);
  });

  test('the same is so without a port', async () => {
    const bench = await used();
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1_000));
        if (pulled > 50) controller.close();
      },
    });
    const url = `http://${HOST}/_sandbox/restore`;
    const init = { method: 'POST', body, headers: octets, duplex: 'half' } as RequestInit;
    expect((await bench.sandbox.fetch(new Request(url, init))).status).toBe(401);
    expect(pulled).toBeLessThan(5);
  });
});

describe('a restore over HTTP', () => {
  const pieces = function* (image: Uint8Array, size: number) {
    for (let at = 0; at < image.length; at += size) yield image.subarray(at, at + size);
  };
  const headers = { ...token, ...octets };

  test('is read as it comes', async () => {
    const { bench, port } = await listening();
    const image = bench.sandbox.snapshot();
    await bench.call('POST', '/transactions', paymentBody('a-2', '0123456700'));
    const chunks = pieces(image, 100);
    const { status, body } = await ask(port, { path: '/_sandbox/restore', headers, chunks });
    expect([status, body.object.counts.transactions]).toEqual([200, 1]);
  });

  test('that turns out to be wrong is a 422 while the rest is still on its way', async () => {
    const { bench, port } = await listening();
    const before = bench.sandbox.control.state();
    for (const bytes of [Buffer.alloc(300_000, 'x'), gzipSync(Buffer.alloc(60_000_000)), Buffer.alloc(0)]) {
      const { status } = await ask(port, {
        path: '/_sandbox/restore',
        headers,
        chunks: pieces(bytes, 10_000),
      });
      expect(status).toBe(422);
    }
    expect(bench.sandbox.control.state()).toEqual(before);
  });
});

test.each(['/_sandbox/explain/%', '/_sandbox/senders/%E0%A4%A', '/_sandbox/faults/%zz'])(
  'a bad escape in %s is the caller’s mistake',
  async (path) => {
    const bench = await used();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status } = await bench.call(method, path, { decision: 'ban' });
      expect(status, method).toBeGreaterThanOrEqual(400);
      expect(status, method).toBeLessThan(500);
    }
  },
);
