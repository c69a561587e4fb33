/** Ctrl-C in a real process: a read ends at once; money on its way is waited for, and a second Ctrl-C leaves it to history. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { credentials, paymentFlags, senderFlags } from '../support/cli.ts';
import { runRemit, startRemit, temporaryHome } from '../support/program.ts';

let sandbox: Sandbox;
let server: Server;
let home: ReturnType<typeof temporaryHome>;
let env: Record<string, string>;
/** Paths whose answer is held back, and how to let it go. */
let held: string | undefined;
let arrived: () => void;
let release: () => void;
let hasArrived: Promise<void>;
let released: Promise<void>;

beforeEach(async () => {
  sandbox = await createSandbox({ credentials, seed: 11 });
  held = undefined;
  hasArrived = new Promise((resolve) => {
    arrived = resolve;
  });
  released = new Promise((resolve) => {
    release = resolve;
  });
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = request;
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const answer = await sandbox.handle({ method, url, headers, body });
    await sandbox.drain();
    if (held !== undefined && url.includes(held)) {
      arrived();
      await released;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  home = temporaryHome();
  const { port } = server.address() as AddressInfo;
  env = {
    REMIT_BASE_URL: `http://127.0.0.1:${port}/v1`,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: home.dir,
  };
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
});
afterEach(async () => {
  release();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await sandbox.close();
  home.remove();
});

const pay = ['tx', 'create', ...paymentFlags('customer-1'), '--fund', '--max-input', '20', '-o', 'json'];
const wallet = async (): Promise<string> =>
  JSON.parse((await runRemit(['balance', 'EUR', '-o', 'json'], env)).stdout).data.amount;

it('a read that hangs ends at once with 130', async () => {
  held = '/accounts';
  const program = startRemit(['balance'], env);
  await hasArrived;
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(130);
  expect(program.stderr()).toContain('remit: stopped');
  expect(program.stderr()).not.toContain('nothing was sent');
});

it('a payment on its way is waited for, and its outcome told', async () => {
  held = 'create_and_fund';
  const program = startRemit(pay, env);
  await hasArrived;
  program.signal('SIGINT');
  while (!program.stderr().includes('waiting for the answer')) {
    await new Promise((resolve) => program.process.stderr?.once('data', resolve));
  }
  release();
  expect((await program.ended).code).toBe(0);
  expect(await wallet()).toBe('249985.01');
});

it('a second Ctrl-C leaves it to the journal, where it is settled once', async () => {
  held = 'create_and_fund';
  const program = startRemit(pay, env);
  await hasArrived;
  program.signal('SIGINT');
  while (!program.stderr().includes('waiting for the answer')) {
    await new Promise((resolve) => program.process.stderr?.once('data', resolve));
  }
  program.signal('SIGINT');
  expect((await program.ended).code).toBe(130);
  held = undefined;
  release();
  const again = await runRemit(pay, env);
  expect(again.code).toBe(9);
  const settle = /remit history settle ([0-9a-f]{8})/.exec(again.stderr)?.[1] ?? '';
  expect((await runRemit(['history', 'settle', settle], env)).code).toBe(0);
  expect(await wallet()).toBe('249985.01');
});
