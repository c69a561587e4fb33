/** Answers of one turn of the event loop leave the sandbox together: whoever waits for them is woken once. */
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { listen } from '../../src/sandbox/http/listen.ts';
import { startBench } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';

const closing = closeAfterEach();
const TURNS = 20;
const INFO = 'GET /v1/info HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

afterEach(() => void vi.useRealTimers());

test('two requests that came in one turn are both read before the first is answered', async () => {
  const bench = await startBench();
  closing.push(() => bench.sandbox.close());
  const told: string[] = [];
  const port = await listen(
    {
      ...bench.sandbox,
      handle: (request) => {
        told.push('read');
        return bench.sandbox.handle(request);
      },
    },
    { port: 0 },
  );
  closing.push(() => port.close());
  const finished = () => void told.push('answered');
  diagnostics.subscribe('http.server.response.finish', finished);
  closing.push(() => void diagnostics.unsubscribe('http.server.response.finish', finished));
  const sockets = [connect(port.port, '127.0.0.1'), connect(port.port, '127.0.0.1')];
  closing.push(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const ask = async (socket: Socket) => {
    socket.write(INFO);
    await once(socket, 'data');
  };
  for (const socket of sockets) await ask(socket);
  const turns: string[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    told.length = 0;
    await Promise.all(sockets.map(ask));
    turns.push(told.join(' '));
  }
  // Where the two came in different turns, each was answered in its own.
  expect(turns).toContain('read read answered answered');
});

test('requests are answered while the tests of a partner have fake timers', async () => {
  const bench = await startBench();
  closing.push(() => bench.sandbox.close());
  const port = await listen(bench.sandbox, { port: 0 });
  closing.push(() => port.close());
  const socket = connect(port.port, '127.0.0.1');
  closing.push(() => void socket.destroy());
  await once(socket, 'connect');
  vi.useFakeTimers();
  socket.write(INFO);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
});
