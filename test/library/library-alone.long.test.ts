/** `@remit/client`: the libraries as a package of their own, which installs from its file alone and brings no native code. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkNative } from '../../src/build/packages.js';
import { samplePerson } from '../../src/sandbox/sample-person.ts';
import { npm, packPackage } from '../support/packed.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const root = join(import.meta.dirname, '..', '..');
const script = (name: string) => join(root, 'node_modules', name);
const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
let packed: { folder: string; file: string };
let partner = '';
let home = '';

beforeAll(async () => {
  packed = await packPackage('@remit/client');
  partner = join(packed.folder, 'partner');
  mkdirSync(partner);
  writeFileSync(join(partner, 'package.json'), '{"name":"partner","private":true}');
  // A cache that has nothing, and no network: what it needs is in the file.
  const cache = mkdtempSync(join(packed.folder, 'cache-'));
  npm(partner, 'install', packed.file, '--offline', '--cache', cache);
  home = join(partner, 'node_modules', '@remit', 'client');
});
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }));

function run(name: string, text: string): string {
  writeFileSync(join(partner, name), text);
  const child = spawnSync(process.execPath, [name], { cwd: partner, encoding: 'utf8', timeout: PATIENCE_MS });
  return child.stdout + child.stderr;
}

it('weighs less than 3 MB, with no native code and no other package', () => {
  expect(readdirSync(join(partner, 'node_modules')).filter((one) => !one.startsWith('.'))).toEqual([
    '@remit',
  ]);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((one) =>
    statSync(join(home, one)).isFile(),
  );
  expect(files.filter((one) => /\.(node|wasm|so|dll|dylib)$/.test(one))).toEqual([]);
  expect(files.reduce((sum, one) => sum + statSync(join(home, one)).size, 0)).toBeLessThan(3_000_000);
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: '@remit/client',
    peerDependenciesMeta: { '@photostructure/sqlite': { optional: true } },
  });
  for (const key of ['private', 'scripts', 'dependencies', 'devDependencies', 'bin'])
    expect(manifest[key]).toBeUndefined();
});

it('is found whole by publint and by are-the-types-wrong', () => {
  const publint = execFileSync(process.execPath, [script('publint/src/cli.js'), packed.file, '--strict'], {
    encoding: 'utf8',
  });
  expect(publint).toContain('All good!');
  const attw = script('@arethetypeswrong/cli/dist/index.js');
  const said = execFileSync(process.execPath, [attw, packed.file, '--no-emoji', '--format', 'ascii'], {
    encoding: 'utf8',
  });
  expect(said).toContain('No problems found');
});

it('its own first page runs as it is printed, and its links lead to what is packed', () => {
  const page = readFileSync(join(home, 'README.md'), 'utf8');
  const [, first = ''] = /```ts\n\/\/ first\.ts\n([\s\S]+?)```/.exec(page) ?? [];
  expect(first).toContain("from '@remit/client'");
  expect(run('first.mjs', first.replaceAll(' as const', ''))).toBe('paid\n');
  expect(page).not.toContain('remit-cli');
  const links = [...page.matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, link = '']) => link);
  expect(links).toContain('docs/webhooks.md');
  expect(links.filter((link) => !existsSync(join(home, link)))).toEqual([]);
});

const PAYS = (extension: string) => `
${extension === 'mjs' ? 'import' : 'const'} { createPartnerClient, sqliteIntents } ${extension === 'mjs' ? "from '@remit/client'" : "= require('@remit/client')"};
${extension === 'mjs' ? 'import' : 'const'} { startSandbox } ${extension === 'mjs' ? "from '@remit/client/sandbox'" : "= require('@remit/client/sandbox')"};
(async () => {
  const sandbox = await startSandbox({ port: 0 });
  const client = createPartnerClient({ baseUrl: sandbox.url, key: sandbox.key, secret: sandbox.secret, intents: sqliteIntents('${extension}.db') });
  const made = await client.transactions.createAndFund({ external_id: 'a', input_currency: 'EUR', sender: ${JSON.stringify(samplePerson)},
    recipients: [{ requested_amount: '2', requested_currency: 'EUR', payout_method: { type: 'NGN::Bank',
      details: { first_name: 'Chidi', last_name: 'Eze', bank_code: '044', bank_account: '0123456700' } } }] }).catch((error) => ({ outcome: error.message }));
  console.log(made.outcome);
  await client.close();
  await sandbox.close();
})();`;

it.skipIf(hasSqlite)(
  'on Node 20 a journal in a file wants the optional package, and says so before it pays',
  () => {
    for (const extension of ['mjs', 'cjs'])
      expect(run(`pays.${extension}`, PAYS(extension))).toMatch(
        /@remit\/client with @photostructure\/sqlite, must be installed/,
      );
    const peer = join(partner, 'node_modules', '@photostructure', 'sqlite');
    cpSync(script('@photostructure/sqlite'), peer, { recursive: true, dereference: true });
    cpSync(script('node-gyp-build'), join(partner, 'node_modules', 'node-gyp-build'), {
      recursive: true,
      dereference: true,
    });
    for (const extension of ['mjs', 'cjs'])
      expect(run(`pays.${extension}`, PAYS(extension))).toBe('applied\n');
  },
);

it('a native build that is not the one we looked at is not packed', () => {
  const other = mkdtempSync(join(packed.folder, 'other-'));
  cpSync(join(script('@photostructure/sqlite'), 'prebuilds'), join(other, 'prebuilds'), { recursive: true });
  expect(() => checkNative(other)).not.toThrow();
  const [first = ''] = readdirSync(join(other, 'prebuilds'), { recursive: true, encoding: 'utf8' }).filter(
    (one) => one.endsWith('.node'),
  );
  const bytes = readFileSync(join(other, 'prebuilds', first));
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  writeFileSync(join(other, 'prebuilds', first), bytes);
  expect(() => checkNative(other)).toThrow(/is not the one/);
  rmSync(join(other, 'prebuilds', first));
  expect(() => checkNative(other)).toThrow(/is not the one/);
});
