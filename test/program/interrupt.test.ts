/** Ctrl-C in a real process: a read ends at once; money on its way is waited for, and a second Ctrl-C leaves it to history. */
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { credentials, payArgv, senderFlags } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { runRemit, startRemit, temporaryHome } from '../support/program.ts';
import { type Gate, gate, portOf, shut } from '../support/servers.ts';
import { variablesFor } from '../support/service.ts';

let sandbox: Sandbox;
let server: Server;
let home: ReturnType<typeof temporaryHome>;
let env: Record<string, string>;
/** Paths whose answer is held back, and how to let it go. */
let held: string | undefined;
let arrived: Gate;
let released: Gate;

beforeEach(async () => {
  sandbox = await createSandbox({ credentials, seed: 11 });
  held = undefined;
  arrived = gate();
  released = gate();
  server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    const answer = await sandbox.handle({ method, url, headers, body: body.length > 0 ? body : undefined });
    await sandbox.drain();
    if (held !== undefined && url.includes(held)) {
      arrived.open();
      await released.passed;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  home = temporaryHome();
  env = variablesFor({ url: `http://127.0.0.1:${await portOf(server)}/v1` }, home.dir);
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
});
afterEach(async () => {
  released.open();
  await shut(server);
  await sandbox.close();
  home.remove();
});

const pay = payArgv();
const wallet = async (): Promise<string> =>
  JSON.parse((await runRemit(['balance', 'EUR', '-o', 'json'], env)).stdout).data.amount;

it('a read that hangs ends at once with 130', async () => {
  held = '/accounts';
  const program = startRemit(['balance'], env);
  await arrived.passed;
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(130);
  expect(program.stderr()).toContain('remit: stopped');
  expect(program.stderr()).not.toContain('nothing was sent');
});

it.runIf(isLong)('a second Ctrl-C before anything was written is 130', async () => {
  held = 'calculate';
  const program = startRemit(pay, env);
  await arrived.passed;
  program.signal('SIGINT');
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(130);
  held = undefined;
  released.open();
  expect(await wallet()).toBe('250000');
});

it('a payment on its way is waited for, and its outcome told', async () => {
  held = 'accounts/debits';
  const program = startRemit(pay, env);
  await arrived.passed;
  program.signal('SIGINT');
  await program.says('waiting for the answer');
  released.open();
  expect((await program.ended).code).toBe(0);
  expect(await wallet()).toBe('249985.01');
});

it('a second Ctrl-C leaves it to the journal, where it is settled once', async () => {
  held = 'accounts/debits';
  const program = startRemit(pay, env);
  await arrived.passed;
  program.signal('SIGINT');
  await program.says('waiting for the answer');
  program.signal('SIGINT');
  // 130 would say that nothing was sent.
  expect((await program.ended).code).toBe(9);
  held = undefined;
  released.open();
  const [open] = JSON.parse((await runRemit(['history', '-o', 'json'], env)).stdout).data;
  expect(['open', 'unknown']).toContain(open.state);
  expect((await runRemit(['history', 'settle', open.id], env)).code).toBe(0);
  expect(await wallet()).toBe('249985.01');
});
