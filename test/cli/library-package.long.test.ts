/** The package as it is published: what it exports, its types under every resolution, what it costs, and that it warns of nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npm, packPackage } from '../support/packed.ts';

const root = join(import.meta.dirname, '..', '..');
let packed: { folder: string; file: string };
let partner = '';
let said = '';

beforeAll(() => {
  packed = packPackage();
  partner = join(packed.folder, 'partner');
  mkdirSync(partner);
  writeFileSync(join(partner, 'package.json'), '{"name":"partner","private":true}');
  const nodeTypes = `@types/node@file:${join(root, 'node_modules', '@types', 'node')}`;
  said = npm(partner, 'install', packed.file, nodeTypes);
}, 180_000);
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }));

const manifest = () =>
  JSON.parse(readFileSync(join(partner, 'node_modules', 'remit-cli', 'package.json'), 'utf8'));
const script = (name: string) => join(root, 'node_modules', name);

it('installs without a word about scripts, and with the packages that run alone', () => {
  expect(said).not.toMatch(/script/i);
  expect(manifest().scripts).toBeUndefined();
  expect(Object.keys(manifest().dependencies)).toEqual(['@napi-rs/keyring', 'node-gyp-build']);
  const size = execFileSync('du', ['-sm', join(partner, 'node_modules', 'remit-cli')], { encoding: 'utf8' });
  expect(Number.parseInt(size, 10)).toBeLessThan(30);
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
}, 120_000);

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

describe('what a bundler makes of it', () => {
  /** The chunks, the first of which is the entry, and those that it loads with itself. */
  async function bundled(
    what: string,
    entry: string,
  ): Promise<{ all: string[]; atOnce: string[]; engine: string[] }> {
    const input = join(partner, 'bundle.mjs');
    writeFileSync(input, `export ${what} from 'remit-cli/${entry}';`);
    const bundle = await rolldown({ input, platform: 'node', external: [/^node:/] });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    const chunks = output.flatMap((one) => (one.type === 'chunk' ? [one] : []));
    const [first] = chunks;
    const atOnce = chunks.filter((one) => one === first || first?.imports.includes(one.fileName));
    const engine = chunks.filter(({ fileName }) => fileName.startsWith('network-transport'));
    const codes = (some: typeof chunks) => some.map(({ code }) => code);
    return { all: codes(chunks), atOnce: codes(atOnce), engine: codes(engine) };
  }
  const gzipped = (codes: string[]) => codes.reduce((sum, code) => sum + gzipSync(code).length, 0);

  it('leaves out what is not used', async () => {
    const client = (await bundled('{ createPartnerClient }', 'client')).all.join('');
    expect(client).toContain('transactions');
    expect(client).not.toMatch(/INSERT INTO|pg_advisory|DatabaseSync/);
    const verify = (await bundled('{ verifyWebhook }', 'webhooks')).all;
    expect(verify.join('')).not.toContain('INSERT INTO');
    expect(gzipped(verify)).toBeLessThan(5_000);
  });

  // It was 40 kB before it paid under a limit and kept the checks of the command line (decision 0074). What is known of a payout type is loaded
  // with the first payment of that type.
  it('the client without stores is 46 kB, and with the HTTP engine that its first call loads 140 kB', async () => {
    const { atOnce, engine } = await bundled('{ createPartnerClient }', 'client');
    expect(engine).toHaveLength(1);
    expect(gzipped(atOnce)).toBeLessThan(46_000);
    expect(gzipped([...atOnce, ...engine])).toBeLessThan(140_000);
  });

  it('an edge is 3 kB, without a module of Node', async () => {
    const { all } = await bundled('*', 'edge');
    expect(gzipped(all)).toBeLessThan(3_000);
    expect(all.join('')).not.toMatch(/node:|require\(/);
  });
});
