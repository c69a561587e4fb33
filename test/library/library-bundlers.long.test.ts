/** The packed package within the bundles of others: each entry, by each bundler, does its work against a real sandbox. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPartnerClient, memoryIntents } from '../../src/library/client.ts';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/public.ts';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { type Bundler, bundlers } from '../support/bundlers.ts';
import { freePort } from '../support/fire-listener.ts';
import { npm, packPackage } from '../support/packed.ts';
import { paymentBody } from '../support/sandbox.ts';

const payment = (externalId: string) =>
  paymentBody(externalId, '0123456700', { sender: samplePerson }).transaction;

let folder = '';
let partner = '';
let alone = '';
let hook = 0;
let sandbox: Sandbox;
let child: ChildProcess | undefined;

beforeAll(async () => {
  const packed = await packPackage();
  folder = packed.folder;
  partner = join(folder, 'partner');
  alone = join(folder, 'alone');
  for (const one of [partner, alone]) mkdirSync(one);
  writeFileSync(join(partner, 'package.json'), '{"name":"partner","private":true}');
  npm(partner, 'install', packed.file);
  for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(partner, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  hook = await freePort();
  sandbox = await startSandbox({ port: 0, webhook: hook });
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await sandbox.close();
});

const CLIENT = `
async function main() {
  const { REMIT_BASE_URL: baseUrl, REMIT_API_KEY: key, REMIT_API_SECRET: secret, PAYMENT } = process.env;
  for (const intents of [memoryIntents(), sqliteIntents('payments-' + process.pid + '.db')]) {
    const client = createPartnerClient({ baseUrl, key, secret, intents });
    try {
      const made = await client.transactions.createAndFund(JSON.parse(PAYMENT));
      console.log(made.outcome, made.how, made.record.id.length);
    } catch (error) {
      console.log(error instanceof StoreError, error.kind, error.message);
    }
    await client.close();
    await intents.end?.();
  }
}
main();`;

/** As partners write them; the last is written for CommonJS. */
const PROGRAMS = {
  'client.mjs': `import { createPartnerClient, memoryIntents, sqliteIntents, StoreError } from 'remit-cli/client';${CLIENT}`,
  'edge.mjs': `
    import { signRequest, verifyWebhook } from 'remit-cli/edge';
    const { REMIT_BASE_URL, REMIT_API_KEY: key, REMIT_API_SECRET: secret } = process.env;
    async function main() {
      const url = REMIT_BASE_URL + '/accounts/EUR';
      const headers = await signRequest({ key, secret, method: 'GET', url });
      const delivered = { url, headers: await signRequest({ key, secret, method: 'POST', url, body: '{}' }), body: '{}', key, secret };
      const verdicts = [await verifyWebhook(delivered), await verifyWebhook({ ...delivered, body: '[]' })];
      console.log((await fetch(url, { headers })).status, ...verdicts.map(({ valid }) => valid));
    }
    main();`,
  'sandbox.mjs': `
    import { createPartnerClient, memoryIntents } from 'remit-cli/client';
    import { startSandbox } from 'remit-cli/sandbox';
    async function main(port) {
      const { url: baseUrl, key, secret, fetch, ...sandbox } = await startSandbox(port === 0 ? { port } : {});
      const client = createPartnerClient({ baseUrl, key, secret, intents: memoryIntents(), ...(port === 0 ? {} : { fetch }) });
      const made = await client.transactions.createAndFund(JSON.parse(process.env.PAYMENT));
      await sandbox.drain();
      console.log(made.outcome, (await client.transactions.get(made.record.id)).state);
      await client.close();
      await sandbox.close();
    }
    main().then(() => main(0));`,
  'webhooks.mjs': `
    import { createServer } from 'node:http';
    import { nodeWebhookHandler, sqliteNonces } from 'remit-cli/webhooks';
    const { PORT, REMIT_API_KEY: key, REMIT_API_SECRET: secret } = process.env;
    const nonces = sqliteNonces('nonces-' + process.pid + '.db');
    const url = 'http://127.0.0.1:' + PORT + '/';
    const server = createServer(nodeWebhookHandler({ url, key, secret, nonces, onError: (error) => console.log(error.message),
      onEvent(event) {
        if (event.event !== 'transaction.paid_out') return;
        console.log(event.event);
        setTimeout(() => { server.close(); server.closeAllConnections(); }, 200);
      } })).listen(PORT, '127.0.0.1', () => console.log('listening'));`,
  'required.cjs': `const { createPartnerClient, memoryIntents, sqliteIntents, StoreError } = require('remit-cli/client');${CLIENT}`,
};

/** Bundles one of them, and answers its path: in a folder of its own, beside the package. */
async function bundled(name: string, { kind, bundle }: { kind: string; bundle: Bundler }): Promise<string> {
  const out = join(partner, `built-${Math.random().toString(36).slice(2)}`);
  mkdirSync(out);
  const file = join(out, `program.${kind}`);
  expect(await bundle(join(partner, name), file)).toEqual([]);
  return file;
}

function run(file: string): { listening: Promise<void>; ended: Promise<string> } {
  const started = spawn(process.execPath, [basename(file)], {
    cwd: join(file, '..'),
    env: {
      ...process.env,
      ...sandbox.env,
      PORT: String(hook),
      PAYMENT: JSON.stringify(payment('wages-1')),
      NODE_PATH: '',
    },
  });
  child = started;
  let output = '';
  let heard = (): void => {};
  const listening = new Promise<void>((resolve) => {
    heard = resolve;
  });
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (piece) => {
      output += piece;
      if (output.includes('listening')) heard();
    });
  const ended = new Promise<string>((resolve) =>
    started.on('exit', () => {
      heard();
      resolve(output);
    }),
  );
  return { listening, ended };
}

describe.each(Object.keys(bundlers))('%s', (name) => {
  const bundler = bundlers[name] as (typeof bundlers)[string];

  it('pays with the client, and keeps its journal in SQLite', async () => {
    const output = await run(await bundled('client.mjs', bundler)).ended;
    expect(output).toBe('applied answered 36\napplied existing 36\n');
  });

  it('signs and verifies at an edge', async () => {
    expect(await run(await bundled('edge.mjs', bundler)).ended).toBe('200 true false\n');
  });

  it('plays the service, in memory and on a port', async () => {
    expect(await run(await bundled('sandbox.mjs', bundler)).ended).toBe('applied paid\napplied paid\n');
  });

  it('takes a webhook that verifies', async () => {
    const { listening, ended } = run(await bundled('webhooks.mjs', bundler));
    await listening;
    const { url: baseUrl, key, secret } = sandbox;
    const client = createPartnerClient({ baseUrl, key, secret, intents: memoryIntents() });
    await client.transactions.createAndFund(payment('wages-2'));
    await sandbox.drain();
    await client.close();
    expect(await ended).toBe('listening\ntransaction.paid_out\n');
  });
});

it.each(['webpack', 'next', 'esbuild as CommonJS', 'rollup as CommonJS'])(
  '%s takes what is required, too',
  async (name) => {
    const file = await bundled('required.cjs', bundlers[name] as (typeof bundlers)[string]);
    expect(await run(file).ended).toBe('applied answered 36\napplied existing 36\n');
  },
);

/** Node has SQLite built in from 22.13 on. */
const hasSqlite = process.getBuiltinModule?.('node:sqlite' as never) !== undefined;

it.each(Object.keys(bundlers))(
  '%s: without the package beside it, SQLite is refused in words',
  async (name) => {
    const file = await bundled('client.mjs', bundlers[name] as (typeof bundlers)[string]);
    const [installed, away] = [join(partner, 'node_modules'), join(partner, 'away')];
    cpSync(join(file, '..'), join(alone, basename(join(file, '..'))), { recursive: true });
    renameSync(installed, away);
    try {
      const output = await run(join(alone, basename(join(file, '..')), basename(file))).ended;
      const [paid, kept] = output.split('\n');
      expect(paid).toBe('applied answered 36');
      if (hasSqlite) expect(kept).toBe('applied existing 36');
      else expect(kept).toMatch(REFUSED);
    } finally {
      renameSync(away, installed);
    }
  },
);

const REFUSED =
  /^true unavailable .*cannot be opened, since SQLite was not found \(Node has it from 22\.13 on; .*the package remit-cli, or @remit\/client with .* must be installed beside/;
