/** The package as it is published: what it exports, its types under every resolution, what it costs, and that it warns of nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { npm, packPackage } from '../support/packed.ts';
import { paymentBody } from '../support/sandbox.ts';

const root = join(import.meta.dirname, '..', '..');
let packed: { folder: string; file: string };
let partner = '';
let said = '';

beforeAll(async () => {
  packed = await packPackage();
  partner = join(packed.folder, 'partner');
  mkdirSync(partner);
  writeFileSync(join(partner, 'package.json'), '{"name":"partner","private":true}');
  const nodeTypes = `@types/node@file:${join(root, 'node_modules', '@types', 'node')}`;
  said = npm(partner, 'install', packed.file, nodeTypes);
});
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }));

const manifest = () =>
  JSON.parse(readFileSync(join(partner, 'node_modules', 'remit-cli', 'package.json'), 'utf8'));
const script = (name: string) => join(root, 'node_modules', name);

it('installs without a word about scripts, and with the packages that run alone', () => {
  expect(said).not.toMatch(/script/i);
  expect(manifest().scripts).toBeUndefined();
  expect(manifest().dependencies).toBeUndefined();
  expect(Object.keys(manifest().optionalDependencies)).toEqual(['@napi-rs/keyring']);
  const size = execFileSync('du', ['-sm', join(partner, 'node_modules', 'remit-cli')], { encoding: 'utf8' });
  // Manual pages are 0.6 of it: 150 small files, on blocks of 4 kB (decision 0100).
  expect(Number.parseInt(size, 10)).toBeLessThan(31);
});

it('brings its manual pages to where man looks, when it is installed for all', () => {
  const prefix = join(packed.folder, 'global');
  npm(partner, 'install', '--global', '--prefix', prefix, packed.file);
  const pages = readdirSync(join(prefix, 'share', 'man', 'man1'));
  expect(pages).toEqual(readdirSync(join(root, 'dist', 'man', 'man1')));
  expect(pages).toContain('remit-tx-create.1');
});

it('installs from its file alone too, without a network: what it keeps is read and written, and secrets go to a file', () => {
  const alone = join(packed.folder, 'alone');
  mkdirSync(alone);
  writeFileSync(join(alone, 'package.json'), '{"name":"alone","private":true}');
  npm(alone, 'install', packed.file, '--offline', '--cache', join(packed.folder, 'no-cache'));
  const remit = join(alone, 'node_modules', '.bin', 'remit');
  const env = { ...process.env, REMIT_CONFIG_DIR: join(alone, 'settings') };
  const asked = (args: string[], input = '') => spawnSync(remit, args, { encoding: 'utf8', env, input });
  const account = [
    '--profile',
    'one',
    '--base-url',
    'http://127.0.0.1:9/v1',
    '--key',
    'k-1234567890',
    '--no-check',
    '--secret-stdin',
  ];
  const signedIn = asked(['login', ...account], 'made-up-secret');
  expect(signedIn.status, signedIn.stderr).toBe(0);
  expect(asked(['profiles', '-o', 'json']).stdout).toContain('"secret_in":"file"');
  const kept = asked(['history', '-o', 'json']);
  expect([kept.status, kept.stdout]).toEqual([0, expect.stringContaining('"data":[]')]);
});

it('is found whole by publint and by are-the-types-wrong, for every resolution', () => {
  const publint = spawnSync(process.execPath, [script('publint/src/cli.js'), packed.file, '--strict'], {
    encoding: 'utf8',
  });
  expect(publint.stdout).toContain('All good!');
  const attw = spawnSync(
    process.execPath,
    [script('@arethetypeswrong/cli/dist/index.js'), packed.file, '--no-emoji', '--format', 'ascii'],
    {
      encoding: 'utf8',
    },
  );
  expect(attw.stdout).toContain('No problems found');
  expect(attw.status).toBe(0);
});

const USE = `
import { ApiError, createPartnerClient, memoryIntents, type Outcome, type Transaction } from 'remit-cli/client';
import { signRequest, verifyWebhook as verifyAtTheEdge } from 'remit-cli/edge';
import { type Sandbox, startSandbox } from 'remit-cli/sandbox';
import { fetchWebhookHandler, verifyWebhook } from 'remit-cli/webhooks';
export async function main(sandbox: Sandbox): Promise<string> {
  const client = createPartnerClient({ baseUrl: sandbox.url, key: 'k', secret: 's', intents: memoryIntents() });
  const made: Outcome<Transaction> = await client.transactions.createAndFund({
    external_id: 'wages-1',
    input_currency: 'EUR',
    sender: { id: 'x' },
    recipients: [{ requested_amount: '12.50', requested_currency: 'EUR', payout_method: { type: 'NGN::Bank' } }],
  });
  if (made.outcome === 'unknown') await client.settle(made.intent, { look: true });
  if (made.outcome === 'not_applied' && made.error instanceof ApiError) made.error.fields.map(({ path }) => path);
  for await (const one of client.recipients.list({ state: ['error'] })) one.requested_amount?.padStart(3);
  // @ts-expect-error an amount is a decimal text
  await client.transactions.createAndFund({ external_id: 'a', input_currency: 'EUR', sender: {}, recipients: [{ requested_amount: 1 }] });
  // @ts-expect-error a payment has a name
  await client.transactions.create({ input_currency: 'EUR', sender: {}, recipients: [] });
  // @ts-expect-error there is no such filter
  client.recipients.list({ colour: 'red' });
  // @ts-expect-error the record is there only where it was applied
  made.record;
  await signRequest({ key: 'k', secret: 's', method: 'GET', url: sandbox.url });
  const event = { url: 'u', headers: {}, body: '', key: 'k', secret: 's' };
  await verifyAtTheEdge(event);
  fetchWebhookHandler({ url: 'https://a.example/hook', key: 'k', secret: 's', onEvent: (one) => one.event });
  return verifyWebhook(event).valid ? 'yes' : (await startSandbox()).url;
}
`;

describe('types are clean, libraries checked too', () => {
  const DOM = ['es2022', 'dom', 'dom.iterable'];
  it.each([
    ['nodenext', 'nodenext', 'mts', DOM, []],
    ['nodenext', 'nodenext', 'cts', ['es2022'], ['node']],
    ['node16', 'node16', 'mts', ['es2022'], []],
    ['node16', 'node16', 'cts', DOM, ['node']],
    ['bundler', 'esnext', 'ts', DOM, ['node']],
    ['node10', 'commonjs', 'ts', ['es2022'], ['node']],
  ])('under %s, %s, .%s, with the types of %j and %j', (moduleResolution, module, extension, lib, types) => {
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    const options = {
      ...strict,
      target: 'es2022',
      ignoreDeprecations: '6.0',
      module,
      moduleResolution,
      lib,
      types,
    };
    writeFileSync(join(partner, `use.${extension}`), USE);
    const config = { compilerOptions: options, files: [`use.${extension}`] };
    writeFileSync(join(partner, 'tsconfig.json'), JSON.stringify(config));
    const tsc = spawnSync(process.execPath, [script('typescript/bin/tsc'), '-p', partner], {
      encoding: 'utf8',
    });
    expect(tsc.stdout).toBe('');
  });
});

describe('loading it', () => {
  const ENTRIES = ['client', 'edge', 'sandbox', 'webhooks'];

  it.each(['mjs', 'cjs'])('does no work, as .%s: nothing is opened, said or left running', (extension) => {
    const load = extension === 'mjs' ? 'await import' : 'require';
    const text = `
      const running = () => process.getActiveResourcesInfo().filter((one) => !/^(CloseReq|FSReq)/.test(one)).join();
      const before = running();
      const flags = process.execArgv.join() + process.listenerCount('exit') + process.listenerCount('warning');
      for (const name of ${JSON.stringify(ENTRIES)}) ${load}('remit-cli/' + name);
      const after = running();
      if (before !== after) console.log('left running:', after);
      if (flags !== process.execArgv.join() + process.listenerCount('exit') + process.listenerCount('warning')) console.log('listens');`;
    writeFileSync(join(partner, `load.${extension}`), text);
    const child = spawnSync(process.execPath, [`load.${extension}`], { cwd: partner, encoding: 'utf8' });
    expect([child.stdout, child.stderr, child.status]).toEqual(['', '', 0]);
  });

  it.each(['mjs', 'cjs'])('as .%s it pays on a sandbox of its own, each journal in turn', (extension) => {
    const [open, names] =
      extension === 'mjs'
        ? ['import', (from: string) => `from '${from}'`]
        : ['const', (from: string) => `= require('${from}')`];
    const text = `
      ${open} { createPartnerClient, memoryIntents, sqliteIntents } ${names('remit-cli/client')};
      ${open} { startSandbox } ${names('remit-cli/sandbox')};
      (async () => {
        const sandbox = await startSandbox({ port: 0 });
        for (const intents of [memoryIntents(), sqliteIntents('payments-${extension}.db')]) {
          const client = createPartnerClient({ baseUrl: sandbox.url, key: sandbox.key, secret: sandbox.secret, intents });
          const made = await client.transactions.createAndFund({ external_id: 'a', input_currency: 'EUR',
            sender: ${JSON.stringify({ type: 'person', first_name: 'Ada', last_name: 'Okafor', country: 'DE' })},
            recipients: [{ requested_amount: '2', requested_currency: 'EUR', payout_method: { type: 'NGN::Bank', details: {} } }] });
          console.log(made.outcome, made.intent.state);
          await client.close();
        }
        await sandbox.close();
      })();`;
    writeFileSync(join(partner, `pay.${extension}`), text);
    const child = spawnSync(process.execPath, [`pay.${extension}`], { cwd: partner, encoding: 'utf8' });
    expect([child.stdout, child.stderr]).toEqual(['not_applied not_applied\nnot_applied not_applied\n', '']);
  });
});

/** Pays twice: without the piece that is named, and with it. No write is answered. Says how it ended, what was sent, and what was written down. */
const PIECES = `
import { renameSync } from 'node:fs';
import { createPartnerClient, memoryIntents } from './bundle.js';
const [piece, payment] = process.argv.slice(2);
const intents = memoryIntents();
let sent = 0;
const fetch = async ({ method }) => {
  if (method === 'GET') return Response.json({ object: [] });
  sent += 1;
  throw new TypeError('fetch failed');
};
const client = createPartnerClient({ baseUrl: 'https://api.example/v1', key: 'k', secret: 's', intents, fetch });
async function pay() {
  const ended = await client.transactions.createAndFund(JSON.parse(payment)).catch((error) => ({ outcome: error.code }));
  console.log(ended.outcome, sent, await intents.count({}));
}
renameSync(piece, 'away');
await pay();
renameSync('away', piece);
await pay();
`;

describe('what a bundler makes of it', () => {
  async function bundled(what: string, entry: string, to?: string): Promise<OutputChunk[]> {
    const input = join(partner, 'bundle.mjs');
    writeFileSync(input, `export ${what} from 'remit-cli/${entry}';`);
    const bundle = await rolldown({ input, platform: 'node', external: [/^node:/] });
    const how = { format: 'esm', minify: true } as const;
    const { output } = await (to === undefined ? bundle.generate(how) : bundle.write({ ...how, dir: to }));
    await bundle.close();
    return output.flatMap((one) => (one.type === 'chunk' ? [one] : []));
  }

  const named = (chunks: OutputChunk[], name: string): OutputChunk => {
    const found = chunks.filter(({ fileName }) => fileName.startsWith(name));
    expect(found).toHaveLength(1);
    return found[0] as OutputChunk;
  };

  /** The entry, which is the first, the chunks of these names, and all that is loaded with them. */
  function loaded(chunks: OutputChunk[], ...names: string[]): string[] {
    const files = new Set([chunks[0]?.fileName, ...names.map((name) => named(chunks, name).fileName)]);
    for (const file of files)
      for (const one of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(one);
    return chunks.filter(({ fileName }) => files.has(fileName)).map(({ code }) => code);
  }
  const allOf = (chunks: OutputChunk[]): string[] => chunks.map(({ code }) => code);
  const gzipped = (codes: string[]) => codes.reduce((sum, code) => sum + gzipSync(code).length, 0);

  it('leaves out what is not used', async () => {
    const client = allOf(await bundled('{ createPartnerClient }', 'client')).join('');
    expect(client).toContain('transactions');
    expect(client).not.toMatch(/INSERT INTO|pg_advisory|DatabaseSync/);
    const verify = allOf(await bundled('{ verifyWebhook }', 'webhooks'));
    expect(verify.join('')).not.toContain('INSERT INTO');
    expect(gzipped(verify)).toBeLessThan(5_000);
  });

  // What writes is one part, loaded by the first write; so is what is known of a payout type, by the first payment of it (decision 0048).
  it('the client without stores is 35 kB; with the HTTP engine 125 kB, and with all that a first payment loads 156 kB', async () => {
    const chunks = await bundled('{ createPartnerClient }', 'client');
    expect(gzipped(loaded(chunks))).toBeLessThan(35_000);
    expect(gzipped(loaded(chunks, 'network-transport'))).toBeLessThan(125_000);
    expect(gzipped(loaded(chunks, 'network-transport', 'writing', 'ngn-bank'))).toBeLessThan(156_000);
  });

  it('what cannot be loaded ends a payment before anything is written down or sent, and the next call loads it', async () => {
    const folder = join(partner, 'pieces');
    const chunks = await bundled('{ createPartnerClient, memoryIntents }', 'client', folder);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'pay.mjs'), PIECES);
    const { transaction } = paymentBody('wages-1', '0123456700', { sender: samplePerson });
    for (const name of ['writing', 'ngn-bank', 'fetch-transport']) {
      const { fileName } = named(chunks, name);
      const args = ['pay.mjs', fileName, JSON.stringify(transaction)];
      const child = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      expect(child.stdout.split('\n'), name).toEqual(['ERR_MODULE_NOT_FOUND 0 0', 'unknown 2 1', '']);
    }
  });

  it('an edge is 3 kB, without a module of Node', async () => {
    const all = allOf(await bundled('*', 'edge'));
    expect(gzipped(all)).toBeLessThan(3_000);
    expect(all.join('')).not.toMatch(/node:|require\(/);
  });
});
