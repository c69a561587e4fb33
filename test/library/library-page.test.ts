/** Every example of docs/library.md is a program that runs, as a partner would run it. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPartnerClient, memoryIntents, sqliteIntents } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { freePort } from '../support/fire-listener.ts';
import { examples } from '../support/library-examples.ts';
import { ownDatabase } from '../support/one-postgres.ts';
import { partnerFolder } from '../support/partner-folder.ts';
import { paymentBody } from '../support/sandbox.ts';

let folder = '';
let sandbox: Sandbox;
let hook = 0;

beforeAll(async () => {
  folder = partnerFolder('@types', 'pg');
  hook = await freePort();
  sandbox = await startSandbox({ port: 0, webhook: `http://127.0.0.1:${hook}/hook` });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Program {
  /** Resolves with the first piece that it says. */
  said: Promise<string>;
  ended: Promise<string>;
}

function run(name: string, env: Record<string, string> = {}): Program {
  const source = examples.get(name) ?? '';
  const module = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(
    join(folder, `${name}.mjs`),
    ts.transpileModule(source, { compilerOptions: module }).outputText,
  );
  const child = spawn(process.execPath, [`${name}.mjs`], {
    cwd: folder,
    env: { ...process.env, ...sandbox.env, ...env },
  });
  let output = '';
  const said = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        output += piece;
        resolve(output);
      });
  });
  return { said, ended: new Promise((resolve) => child.on('exit', () => resolve(output))) };
}

const payment = (name: string, account?: string) =>
  paymentBody(name, account, { sender: samplePerson }).transaction;

it('the first pays in fifteen lines', async () => {
  const lines = examples
    .get('first')
    ?.trim()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines?.length).toBeLessThanOrEqual(16);
  expect(await run('first').ended).toBe('paid\n');
});

it('a sandbox in memory has no port', async () => {
  expect(await run('memory').ended).toBe('true 100\n');
});

it('a limit binds, and what is rounded is told', async () => {
  const { url: baseUrl, key, secret } = sandbox;
  const client = createPartnerClient({ baseUrl, key, secret, intents: memoryIntents() });
  await client.senders.create({ ...samplePerson, external_id: 'customer-1' } as Public.SenderWrite);
  await client.close();
  expect(await run('limit').ended).toBe('2500.50 NGN is paid as 2501\napplied 1.5\n');
});

it('what a crash left behind is settled', async () => {
  const intents = sqliteIntents(join(folder, 'payments.db'));
  const client = createPartnerClient({
    baseUrl: sandbox.url,
    key: sandbox.key,
    secret: sandbox.secret,
    intents,
  });
  const lost = { fault: 'response-lost', operation: 'transactions.create_and_fund', times: 1 } as const;
  const down = { fault: '5xx', operation: 'transactions.list', times: 9 } as const;
  for (const body of [lost, down]) await sandbox.control('sandbox.faults.arm', { body });
  expect(await client.transactions.createAndFund(payment('left'))).toMatchObject({ outcome: 'unknown' });
  await client.close();
  await intents.end();
  await sandbox.control('sandbox.faults.clear');
  expect(await run('settle').ended).toMatch(/^left applied [0-9a-f-]{36}\n$/);
  expect(await run('settle').ended).toBe('');
});

it('a table in PostgreSQL is a journal', async () => {
  const server = await ownDatabase();
  expect(await run('postgres', { DATABASE_URL: server.url }).ended).toBe('0 unsettled\n');
  await server.stop();
});

it('lists, corrections and errors are as they are shown', async () => {
  const client = createPartnerClient({
    baseUrl: sandbox.url,
    key: sandbox.key,
    secret: sandbox.secret,
    intents: sqliteIntents(join(folder, 'other.db')),
  });
  await client.transactions.createAndFund(payment('to-correct', '0123456719'));
  await sandbox.drain();
  await client.close();
  const output = await run('lists').ended;
  expect(output).toMatch(/^[0-9a-f-]{36} applied\n/);
  expect(output).toMatch(/\n\d+ of \d+\nnot_found 404 false\n$/);
});

it('webhooks are heard', async () => {
  const program = run('webhooks', { PORT: String(hook) });
  const client = createPartnerClient({
    baseUrl: sandbox.url,
    key: sandbox.key,
    secret: sandbox.secret,
    intents: sqliteIntents(join(folder, 'third.db')),
  });
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${hook}/`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBeGreaterThan(0);
  await client.transactions.createAndFund(payment('heard-of', '0123456719'));
  await sandbox.drain();
  expect(await program.said).toMatch(/^[0-9a-f-]{36} \d+\n/);
  await client.transactions.createAndFund(payment('paid'));
  await sandbox.drain();
  await client.close();
  await program.ended;
});

it('an edge signs and verifies', async () => {
  expect(await run('edge').ended).toBe('200\nfalse\n');
});
