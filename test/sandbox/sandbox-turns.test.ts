/** Answers of one turn of the event loop leave the sandbox together: whoever waits for them is woken once. */
import { execFile } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listen } from '../../src/sandbox/http/listen.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startBench } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';
import { ROOT } from '../support/source-tree.ts';

const closing = closeAfterEach();
const TURNS = 20;

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
    socket.write('GET /v1/info HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
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

const FAKED = `
import { get } from 'node:http';
import { startSandbox } from 'remit-cli/sandbox';
const sandbox = await startSandbox({ port: 0 });
globalThis.setImmediate = () => ({});
get(sandbox.url + '/info', ({ statusCode }) => { console.log(statusCode); process.exit(0); });
`;

test('requests are answered while the tests of a partner have fake timers in place of those of Node', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', FAKED], {
    cwd: ROOT,
    timeout: PATIENCE_MS,
  });
  expect(stdout).toBe('401\n');
});
