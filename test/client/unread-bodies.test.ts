/**
 * An answer that is given before the body was read reaches a sender that writes all of it before it looks. A connection that was closed
 * at once is reset under such a sender: it sees a broken connection, and no answer.
 */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { headers as consoleHeaders, routes } from '../../src/console/wire.ts';
import { CONTROL_TOKEN_HEADER } from '../../src/contract/controls/index.ts';
import { nodeWebhookHandler } from '../../src/library/webhooks.ts';
import { plain, serveAdmin } from '../../src/payments/cli/admin/server.ts';
import { listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { useBench } from '../support/cli.ts';
import { useConsole } from '../support/console.ts';
import { credentials, startListening } from '../support/listening.ts';
import { CONTROL_TOKEN } from '../support/sandbox.ts';
import { closeAfterEach, portOf, shut } from '../support/servers.ts';

const MB = 1024 * 1024;
/** More than what both ends of a connection hold for each other. */
const BODY_BYTES = 24 * MB;
/** So long a sender may go on (decision 0024): one that a busy machine makes slower is cut off, as it should be, and tries again. */
const REST_MS = 2_000;
const PIECE = Buffer.alloc(64 * 1024, 'x');

const closing = closeAfterEach();
const consoleOf = useConsole(useBench());

/** Answers what came back once all was written. */
function answerTo(origin: string, line: string, headers: Record<string, string>): Promise<string> {
  const { port, host } = new URL(origin);
  const isChunked = headers['Transfer-Encoding'] !== undefined;
  const head = [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    ...(isChunked ? [] : [`Content-Length: ${BODY_BYTES}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const piece = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]) : PIECE;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    const from = performance.now();
    let text = '';
    socket.on('error', (error) => {
      if (performance.now() - from < REST_MS) reject(error);
      else resolve(answerTo(origin, line, headers));
    });
    socket.on('close', () => resolve(text));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    for (let sent = 0; sent < BODY_BYTES; sent += PIECE.length) socket.write(piece);
    socket.write(isChunked ? '0\r\n\r\n' : '', () => {
      socket.on('data', (data) => {
        text += data;
      });
    });
  });
}

const signed = { 'Content-Type': 'application/json' };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };

describe('all of a large body is written before the answer is read', () => {
  it('the webhook listener: too large, announced or not; at another path', async () => {
    const listening = await startListening({ path: '/hooks' });
    closing.push(() => listening.close());
    const at = (path: string, headers = {}) =>
      answerTo(listening.base, `POST ${path}`, { ...signed, ...headers });
    expect(await at('/hooks')).toContain('HTTP/1.1 413 ');
    expect(await at('/hooks', CHUNKED)).toContain(`at most ${MB} bytes are taken`);
    expect(await at('/elsewhere')).toContain('HTTP/1.1 404 ');
  });

  it('the handler of the library: too large, announced or not; not a POST', async () => {
    const handler = nodeWebhookHandler({
      url: 'https://partner.example/hooks',
      ...credentials,
      onEvent: () => {},
    });
    const server = createServer(handler);
    const origin = `http://127.0.0.1:${await portOf(server)}`;
    closing.push(() => shut(server));
    expect(await answerTo(origin, 'POST /', signed)).toContain('HTTP/1.1 413 ');
    expect(await answerTo(origin, 'POST /', CHUNKED)).toContain('HTTP/1.1 413 ');
    expect(await answerTo(origin, 'PUT /', signed)).toContain('HTTP/1.1 405 ');
  });

  it('the handler of the library, in a framework whose requests do not say whether they are complete', async () => {
    const handler = nodeWebhookHandler({
      url: 'https://partner.example/hooks',
      ...credentials,
      onEvent: () => {},
    });
    const said: unknown[] = [];
    const response = {
      writeHead: (status: number) => said.push(status),
      end: (text?: string) => said.push(text),
    };
    const request = { method: 'GET', headers: {}, async *[Symbol.asyncIterator]() {} };
    await handler(request, response);
    expect(said).toEqual([405, 'only POST is taken here\n']);
  });

  it('the sandbox: too large, announced or not; a snapshot that is none; without a token', async () => {
    const sandbox = await createSandbox({ credentials, controlToken: CONTROL_TOKEN });
    const { port, close } = await listen(sandbox, { port: 0 });
    closing.push(close, () => sandbox.close());
    const at = (line: string, headers = {}) =>
      answerTo(`http://127.0.0.1:${port}`, line, { ...signed, ...headers });
    expect(await at('POST /v1/transactions')).toContain('HTTP/1.1 413 ');
    expect(await at('POST /v1/transactions', CHUNKED)).toContain('HTTP/1.1 413 ');
    const token = { [CONTROL_TOKEN_HEADER]: CONTROL_TOKEN, 'Content-Type': 'application/octet-stream' };
    expect(await at('POST /_sandbox/restore', token)).toContain('HTTP/1.1 422 ');
    expect(await at('POST /_sandbox/restore')).toContain('HTTP/1.1 401 ');
  });

  it('the console: nothing is there; more than a question', async () => {
    const { origin } = await consoleOf();
    expect(await answerTo(origin, 'POST /nothing', signed)).toContain('HTTP/1.1 404 ');
    const asked = {
      ...signed,
      Origin: origin,
      'Sec-Fetch-Site': 'same-origin',
      [consoleHeaders.nonce]: 'a-nonce-of-the-tests',
    };
    expect(await answerTo(origin, `POST ${routes.open.path}`, asked)).toContain('HTTP/1.1 413 ');
  });

  it('the figures for who watches: nothing is there, and nothing is posted', async () => {
    const admin = await serveAdmin({ host: '127.0.0.1', port: 0 }, { '/metrics': () => plain(200, 'none') });
    closing.push(() => admin.close());
    expect(await answerTo(admin.url, 'POST /metrics', signed)).toContain('HTTP/1.1 405 ');
  });

  it('who stops in the middle, or never does, is cut off after two seconds', async () => {
    const listening = await startListening({ path: '/hooks' });
    closing.push(() => listening.close());
    const { port } = new URL(listening.base);
    const closed = (write: (socket: Socket) => void): Promise<number> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1');
        let answeredAt = Number.POSITIVE_INFINITY;
        socket.once('data', () => {
          answeredAt = performance.now();
        });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(performance.now() - answeredAt));
        socket.write(`POST /hooks HTTP/1.1\r\nHost: here\r\nContent-Length: ${2 ** 40}\r\n\r\n`);
        write(socket);
      });
    const stalled = closed((socket) => socket.write('x'));
    const endless = closed((socket) => {
      const more = () => {
        while (socket.write(PIECE));
      };
      socket.on('drain', more);
      more();
    });
    for (const afterMs of await Promise.all([stalled, endless])) {
      expect(afterMs).toBeGreaterThan(1_500);
      expect(afterMs).toBeLessThan(30_000);
    }
  });
});
