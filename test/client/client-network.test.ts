/**
 * The transports over real sockets: what they do, and above all what they say when something goes wrong. One suite over each: the
 * one of writes (undici), the one of reads (node:http), and the two as the program uses them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createRequire } from 'node:module';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createNetworkTransport,
  type NetworkOptions,
  type NetworkTransport,
} from '../../src/client/network-transport.ts';
import { createReadTransport } from '../../src/client/read-transport.ts';
import { createTransports } from '../../src/client/transports.ts';
import type { WireRequest } from '../../src/core/transport.ts';
import { gate, portOf } from '../support/servers.ts';

const tls = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../fixtures/tls', name), 'utf8');

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Listens on a free port; every connection is cut when the test ends. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return portOf(server);
}

const http = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listen(createHttpServer(answer));
const raw = (talk: (socket: Socket) => void) => listen(createServer(talk));

type Create = (options: NetworkOptions) => Promise<NetworkTransport>;
const overUndici: Create = createNetworkTransport;
const overNode: Create = async (options) => createReadTransport(options);
/** What the build left of undici (src/build/undici-parts.js), as writes use it. */
const overBuiltUndici: Create = (options) => {
  const chunks = join(import.meta.dirname, '../../dist/chunks');
  const chunk = readdirSync(chunks).find((name) => name.startsWith('network-transport-')) ?? '';
  return createRequire(import.meta.url)(join(chunks, chunk)).createNetworkTransport(options);
};
const asTheProgram: Create = async (options) => createTransports(options);

/** Which one the tests are about. */
let create = overUndici;
const about = (made: Create): void =>
  beforeEach(() => {
    create = made;
  });

async function transport(options: NetworkOptions = {}): Promise<NetworkTransport> {
  const made = await create(options);
  closers.push(() => made.close().catch(() => undefined));
  return made;
}

const request = (url: string, over: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  url,
  headers: { 'X-Test': 'yes' },
  connectTimeoutMs: 5000,
  responseTimeoutMs: 5000,
  ...over,
});

async function failure(
  options: NetworkOptions,
  wire: WireRequest,
): Promise<{ reach: string; code: string; message: string }> {
  const { send } = await transport(options);
  const { name, reach, code, message } = await send(wire).then(
    () => expect.fail('it was answered'),
    (error) => error,
  );
  expect(name).toBe('TransportError');
  return { reach, code, message };
}

describe.each([
  ['undici', overUndici],
  ['undici as it is built', overBuiltUndici],
  ['node:http', overNode],
  ['the program', asTheProgram],
])('over %s', (_, made) => {
  about(made);

  describe('an answer', () => {
    it('comes whole, with its headers in lower case, over one connection for many requests', async () => {
      let connections = 0;
      const server = createHttpServer((incoming, response) => {
        response.writeHead(201, { 'Retry-After': '3', 'X-Many': ['a', 'b'] });
        incoming.pipe(response);
      });
      server.on('connection', () => {
        connections += 1;
      });
      const port = await listen(server);
      const { send } = await transport({ connections: 1 });
      const body = JSON.stringify({ note: 'naïve', long: 'x'.repeat(200_000) });
      for (let i = 0; i < 5; i++) {
        const answer = await send(request(`http://127.0.0.1:${port}/v1/x`, { method: 'POST', body }));
        expect(answer.status).toBe(201);
        expect(answer.headers).toMatchObject({ 'retry-after': '3', 'x-many': 'a, b' });
        expect(answer.body).toBe(body);
      }
      expect(connections).toBe(1);
    });

    it('leaves a connection that is closed when nobody has used it for a while', async () => {
      const closed = gate();
      const server = createHttpServer({ keepAliveTimeout: 0 }, (_, response) => response.end('{}'));
      server.on('connection', (socket) => socket.once('close', () => closed.open()));
      const port = await listen(server);
      const { send } = await transport({ keptMs: 50 });
      await send(request(`http://127.0.0.1:${port}/v1`));
      await closed.passed;
    });

    it('is asked for at the very target that was signed', async () => {
      const targets: (string | undefined)[] = [];
      const port = await http(({ url }, response) => {
        targets.push(url);
        response.end('{}');
      });
      const { send } = await transport();
      const odd = ["/v1/a?b=%7e'c'&state%5B%5D=x&d=", '/v1/%2e%2e/x', '/v1/x?'];
      for (const target of odd) await send(request(`http://127.0.0.1:${port}${target}`));
      expect(targets).toEqual(odd);
    });

    it('behind an interim one is the final one', async () => {
      const early = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
      const port = await raw((socket) =>
        socket.once('data', () =>
          socket.write(`${early}${early}HTTP/1.1 203 Fine\r\nX-A: b\r\nContent-Length: 2\r\n\r\n{}`),
        ),
      );
      const { send } = await transport();
      expect(await send(request(`http://127.0.0.1:${port}/v1`))).toEqual({
        status: 203,
        headers: { 'x-a': 'b', 'content-length': '2' },
        body: '{}',
      });
    });

    it('of bytes is bytes, both ways', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const port = await http((incoming, response) => void incoming.pipe(response));
      const { send } = await transport();
      const wire = { method: 'PUT', body: bytes.toString('latin1'), binary: true } as const;
      const { body } = await send(request(`http://127.0.0.1:${port}/v1`, wire));
      expect(Buffer.from(body, 'latin1')).toEqual(bytes);
    });

    it('that is a redirect is given as it is: the secret goes nowhere else', async () => {
      let elsewhere = 0;
      const other = await http((_, response) => {
        elsewhere += 1;
        response.end();
      });
      const port = await http((_, response) =>
        response.writeHead(307, { location: `http://127.0.0.1:${other}/` }).end(),
      );
      const { send } = await transport();
      expect((await send(request(`http://127.0.0.1:${port}/v1/x`))).status).toBe(307);
      expect(elsewhere).toBe(0);
    });
  });

  describe('nothing left', () => {
    it('connection refused', async () => {
      const port = await raw(() => undefined);
      await closers.pop()?.();
      expect(await failure({}, request(`http://127.0.0.1:${port}/v1`))).toEqual({
        reach: 'not_sent',
        code: 'ECONNREFUSED',
        message: 'connection refused',
      });
    });

    it('a name that nobody knows', async () => {
      const failed = await failure({}, request('http://no-such-host.invalid/v1'));
      expect(failed.reach).toBe('not_sent');
      expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(failed.code);
    });

    it('no connection in time: a handshake that nobody answers', async () => {
      const port = await raw(() => undefined);
      expect(await failure({ connectTimeoutMs: 150 }, request(`https://127.0.0.1:${port}/v1`))).toMatchObject(
        {
          reach: 'not_sent',
          code: 'UND_ERR_CONNECT_TIMEOUT',
        },
      );
    });

    it('a certificate that is not trusted', async () => {
      const port = await listen(
        createHttpsServer({ key: tls('server-key.pem'), cert: tls('server.pem') }, (_, response) =>
          response.end(),
        ),
      );
      expect((await failure({}, request(`https://127.0.0.1:${port}/v1`))).reach).toBe('not_sent');
    });

    it('stopped before it began', async () => {
      let arrived = 0;
      const port = await http((_, response) => {
        arrived += 1;
        response.end();
      });
      const failed = await failure(
        {},
        request(`http://127.0.0.1:${port}/v1`, { signal: AbortSignal.abort() }),
      );
      expect(failed).toMatchObject({ reach: 'not_sent', code: 'AbortError' });
      expect(arrived).toBe(0);
    });

    it('stopped while the connection was being made', async () => {
      const hello = gate();
      const port = await raw((socket) => socket.on('data', () => hello.open()));
      const controller = new AbortController();
      const failed = failure({}, request(`https://127.0.0.1:${port}/v1`, { signal: controller.signal }));
      await hello.passed;
      controller.abort();
      expect((await failed).reach).toBe('not_sent');
    });
  });

  describe('it may have arrived', () => {
    const cuts: [string, (socket: Socket) => void][] = [
      ['cut before the first byte of the answer', (socket) => socket.once('data', () => socket.destroy())],
      [
        'reset before the first byte of the answer',
        (socket) => socket.once('data', () => socket.resetAndDestroy()),
      ],
      ['cut within the headers', (socket) => socket.once('data', () => socket.end('HTTP/1.1 201 Cre'))],
      [
        'cut within the body',
        (socket) =>
          socket.once('data', () =>
            socket.end('HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{"object"'),
          ),
      ],
      [
        'cut within a chunk',
        (socket) =>
          socket.once('data', () =>
            socket.end('HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"obj'),
          ),
      ],
      [
        'answered with another protocol',
        (socket) =>
          socket.once('data', () =>
            socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
          ),
      ],
      [
        'answered with headers without end',
        (socket) =>
          socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(40_000)}`)),
      ],
      ['answered with no HTTP', (socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n'))],
    ];
    it.each(cuts)('%s', async (_, talk) => {
      const port = await raw(talk);
      const wire = request(`http://127.0.0.1:${port}/v1`, { method: 'POST', body: '{}' });
      expect((await failure({}, wire)).reach).toBe('may_have_arrived');
    });

    it('no answer in time', async () => {
      const port = await raw((socket) => socket.resume());
      const wire = request(`http://127.0.0.1:${port}/v1`, {
        method: 'POST',
        body: '{}',
        responseTimeoutMs: 150,
      });
      expect(await failure({}, wire)).toEqual({
        reach: 'may_have_arrived',
        code: 'UND_ERR_HEADERS_TIMEOUT',
        message: 'no answer in time',
      });
    });

    it('an answer that stops half way', async () => {
      const port = await raw((socket) =>
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{')),
      );
      const wire = request(`http://127.0.0.1:${port}/v1`, { responseTimeoutMs: 150 });
      expect(await failure({}, wire)).toMatchObject({
        reach: 'may_have_arrived',
        code: 'UND_ERR_BODY_TIMEOUT',
      });
    });

    it('a connection that was kept and died', async () => {
      let served = 0;
      const port = await raw((socket) =>
        socket.on('data', () => {
          served += 1;
          if (served === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
          else socket.destroy();
        }),
      );
      const { send } = await transport({ connections: 1 });
      const wire = request(`http://127.0.0.1:${port}/v1`, { method: 'POST', body: '{}' });
      await send(wire);
      await expect(send(wire)).rejects.toMatchObject({ reach: 'may_have_arrived' });
      // It is never sent a second time behind our back.
      expect(served).toBe(2);
    });

    it('interrupted while it waits', async () => {
      const controller = new AbortController();
      const port = await raw((socket) => socket.once('data', () => controller.abort()));
      const wire = request(`http://127.0.0.1:${port}/v1`, {
        method: 'POST',
        body: '{}',
        signal: controller.signal,
      });
      expect(await failure({}, wire)).toEqual({
        reach: 'may_have_arrived',
        code: 'AbortError',
        message: 'interrupted',
      });
    });
  });
});

/** A proxy that opens tunnels, and knows one host that no name server knows. */
async function proxy(target: number): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const server = createHttpServer((_, response) => response.writeHead(400).end());
  server.on('connect', ({ url = '' }, socket: Socket) => {
    tunnels.push(url);
    if (!url.startsWith('api.partner.example:')) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const onward = dial(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
    socket.on('close', () => onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, tunnels };
}

const secure = () =>
  listen(
    createHttpsServer({ key: tls('server-key.pem'), cert: tls('server.pem') }, ({ url, headers }, response) =>
      response.end(`${headers.host}${url}`),
    ),
  );

it.each([
  ['undici', overUndici],
  ['undici as it is built', overBuiltUndici],
  ['node:http', overNode],
])('over %s a certificate authority of their own', async (_, made) => {
  create = made;
  const port = await secure();
  const { send } = await transport({ ca: tls('ca.pem') });
  for (const path of ['/v1/x', '/v1/y'])
    expect((await send(request(`https://127.0.0.1:${port}${path}`))).body).toBe(`127.0.0.1:${port}${path}`);
});

describe.each([
  ['undici', overUndici],
  ['undici as it is built', overBuiltUndici],
  ['the program', asTheProgram],
])('companies, over %s', (_, made) => {
  about(made);

  it('a proxy, through which the host is reached by its name, and TLS goes from end to end', async () => {
    const { url, tunnels } = await proxy(await secure());
    const { send } = await transport({ ca: tls('ca.pem'), proxy: { httpsProxy: url } });
    expect((await send(request('https://api.partner.example/v1/x?y=1'))).body).toBe(
      'api.partner.example/v1/x?y=1',
    );
    expect(tunnels).toEqual(['api.partner.example:443']);
  });

  it('through the proxy an unknown authority is refused all the same', async () => {
    const { url } = await proxy(await secure());
    expect(
      (await failure({ proxy: { httpsProxy: url } }, request('https://api.partner.example/v1'))).reach,
    ).toBe('not_sent');
  });

  it('a host that is named in NO_PROXY, and this machine, are reached without', async () => {
    const port = await http((_, response) => response.end('direct'));
    const { url, tunnels } = await proxy(port);
    const { send } = await transport({
      proxy: { httpProxy: url, httpsProxy: url, noProxy: 'no-such-host.invalid' },
    });
    expect((await send(request(`http://127.0.0.1:${port}/v1`))).body).toBe('direct');
    await expect(send(request('https://no-such-host.invalid/v1'))).rejects.toMatchObject({
      reach: 'not_sent',
    });
    expect(tunnels).toEqual([]);
  });

  it.each(['https', 'http'])('a proxy that opens no tunnel (%s): nothing left', async (scheme) => {
    const { url } = await proxy(1);
    const options = { proxy: { httpProxy: url, httpsProxy: url } };
    expect(
      (await failure(options, request(`${scheme}://other.example/v1`, { method: 'POST', body: '{}' }))).reach,
    ).toBe('not_sent');
  });

  it('a proxy that is not there: nothing left', async () => {
    const options = { proxy: { httpsProxy: 'http://127.0.0.1:1' } };
    expect((await failure(options, request('https://api.partner.example/v1'))).reach).toBe('not_sent');
  });
});

describe('the program', () => {
  about(asTheProgram);

  it('has as many payments under way as it is asked to have', async () => {
    const many = 100;
    const waiting: ServerResponse[] = [];
    const port = await http((_, response) => {
      waiting.push(response);
      if (waiting.length === many) for (const one of waiting) one.writeHead(201).end();
    });
    const { send } = await transport();
    const payment = request(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    const answers = await Promise.all(Array.from({ length: many }, () => send(payment)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
  });
});
