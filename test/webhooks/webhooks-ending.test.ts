/** The first SIGTERM ends a listener, whatever its senders do: packets as they were sent, to the program itself. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credentials } from '../support/cli.ts';
import { bodyOf, deliverTo, headersFor, startListening } from '../support/listening.ts';
import { isLong, some } from '../support/long.ts';
import { type Program, startRemit } from '../support/program.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const opened: (Socket | Program)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) 'destroy' in one ? one.destroy() : one.process.kill('SIGKILL');
});

async function listener(): Promise<{ program: Program; port: number }> {
  const program = startRemit(['webhooks', 'listen', '--port', '0', '-o', 'ndjson'], service.env);
  opened.push(program);
  const { port } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
  return { program, port };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}
const said = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    socket.on('close', () => resolve(text));
  });
const written = (socket: Socket, text: string): Promise<void> =>
  new Promise((resolve) => socket.write(text, () => resolve()));

const WHOLE = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}';
const HALF = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 900\r\n\r\n{"half":';
const HALF_HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ncont';

/** A genuine one: it is being kept, and not answered yet, when the connection breaks off. */
function genuine(port: number): string {
  const url = `http://127.0.0.1:${port}/`;
  const body = bodyOf(`o-${port}`);
  const headers = {
    ...headersFor(url, body, { by: credentials }),
    host: `127.0.0.1:${port}`,
    'content-length': `${body.length}`,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST / HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** What a sender does before the signal comes. It waits for an answer where it can expect one: the packet has arrived then. */
const senders: Record<string, (port: number) => Promise<unknown>> = {
  'a whole and a half request in one packet, then gone': async (port) => {
    const socket = await dial(port);
    await written(socket, WHOLE + HALF);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
  },
  'a genuine and a half request in one packet, cut off before the answer': async (port) => {
    const socket = await dial(port);
    await written(socket, genuine(port) + HALF);
    socket.destroy();
  },
  'two genuine requests and a half one, reset before the answers': async (port) => {
    const socket = await dial(port);
    await written(socket, genuine(port) + genuine(port) + HALF);
    socket.resetAndDestroy();
  },
  'five halves behind each other, reset': async (port) => {
    const socket = await dial(port);
    await written(socket, WHOLE + WHOLE + WHOLE + HALF);
    socket.resetAndDestroy();
  },
  'half a request, and the connection kept': async (port) => written(await dial(port), HALF),
  'half a head, and the connection kept': async (port) => written(await dial(port), HALF_HEAD),
  'a connection that says nothing': (port) => dial(port),
  'a whole and a half request, and the connection kept': async (port) => {
    const socket = await dial(port);
    await written(socket, WHOLE + HALF);
    await new Promise((resolve) => socket.once('data', resolve));
  },
  'answers that nobody reads': async (port) => {
    const socket = await dial(port);
    socket.pause();
    await written(socket, WHOLE.repeat(500));
  },
};

describe('SIGTERM', () => {
  it.each(some(Object.keys(senders), 3))('after %s: the listener ends within ten seconds', async (name) => {
    const { program, port } = await listener();
    await senders[name]?.(port);
    // It was kept: the half one behind it has been read by then.
    if (name.includes('genuine')) await program.line((line) => line.includes(`o-${port}`));
    const from = performance.now();
    program.signal('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - from).toBeLessThan(10_500);
    expect(program.stdout()).toContain('"stopped"');
  });

  it('half a request gets 503, and not a cut connection', async () => {
    const { program, port } = await listener();
    const socket = await dial(port);
    const answer = said(socket);
    await written(socket, HALF);
    // Behind it on another connection comes one that is answered: the half one has arrived by then.
    const other = await dial(port);
    await written(other, WHOLE);
    await new Promise((resolve) => other.once('data', resolve));
    program.signal('SIGTERM');
    expect(await answer).toContain('503');
    expect((await program.ended).code).toBe(0);
  });
});

// It waits for the eight seconds of the grace period.
it.runIf(isLong)('what cannot be kept for ever is answered 503 when its time is over', async () => {
  const at = await startListening();
  const kept = new Promise<void>((reached) => {
    at.inbox.keep = () => {
      reached();
      return new Promise(() => undefined);
    };
  });
  const answer = deliverTo(at.base, bodyOf('a'));
  await kept;
  const from = performance.now();
  await at.close();
  expect(performance.now() - from).toBeLessThan(10_500);
  expect((await answer).status).toBe(503);
});

it('a port that another process took meanwhile is free again', async () => {
  const { program, port } = await listener();
  await senders['a whole and a half request in one packet, then gone']?.(port);
  program.signal('SIGTERM');
  await program.ended;
  const server = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  expect((server.address() as AddressInfo).port).toBe(port);
  server.close();
});
