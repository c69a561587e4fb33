/** `remit bug-report`: what is somebody's is planted wherever remit looks, and found in no report. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { settingsPath } from '../../src/profiles/profiles.ts';
import { openStore } from '../../src/store/open.ts';
import { noAccount, useBench } from '../support/cli.ts';
import { standingClock } from '../support/stores.ts';

const bench = useBench();

const KEY = 'pk-Zq81kd02mcQ7-0042';
const SECRET = 'sk-9fQ2mcTTkd02mcQ7Zq81';
/** Each stands somewhere in what is read, and is no one's business. */
const PLANTED = [
  ...[
    SECRET,
    KEY,
    'mallory',
    'Mallory',
    'Okonkwo',
    'ZOE-PAYROLL',
    '0123456700',
    '4471',
    '233302123400',
    'zoe@example.org',
  ],
  ...[
    'hook-token-77',
    'pr0xy-pass',
    'store-pass',
    'pass-file',
    'reports-token',
    'tok3n',
    'INV-2044',
    'because she left',
  ],
];

const env = () => ({
  ...noAccount,
  USER: 'mallory',
  HOME: '/var/lib/mallory',
  REMIT_PUBLIC_URL: 'https://hooks.example.org/hook-token-77',
  REMIT_APPROVER_PASSPHRASE_FILE: '/var/lib/mallory/pass-file',
  HTTPS_PROXY: 'http://mallory:pr0xy-pass@127.0.0.1:9',
  SOME_TOKEN: SECRET,
  [`REMIT_${'ZOE'}`]: 'tok3n',
});

beforeEach(async () => {
  const { dir } = bench;
  const login = ['login', '--profile', 'ZOE-PAYROLL', '--base-url', 'http://127.0.0.1:4010/v1', '--key', KEY];
  const run = await bench.run([...login, '--secret-stdin', '--no-keychain', '--no-check'], {
    env: env(),
    stdin: SECRET,
  });
  expect(run.code, run.stderr).toBe(0);
  const path = settingsPath({ REMIT_CONFIG_DIR: dir });
  const settings = JSON.parse(readFileSync(path, 'utf8'));
  settings.profiles['ZOE-PAYROLL'].reports_url = 'https://reports.example.org/reports-token?k=tok3n';
  settings.profiles['ZOE-PAYROLL'].approvers = '/var/lib/mallory/approvers.txt';
  settings.profiles['Zoe Okonkwo'] = {
    ...settings.profiles['ZOE-PAYROLL'],
    baseUrl: 'https://mallory:tok3n@db.internal.example/tok3n',
  };
  writeFileSync(path, JSON.stringify(settings));
});

/** The last error, as the service could have worded it. */
async function plantIntent(): Promise<void> {
  const store = await openStore(join(bench.dir, 'remit.db'), {
    clock: standingClock(),
    random: seededRandom(1),
  });
  const opened = await store.intents.open({
    command: 'tx create --fund Okonkwo',
    operation: 'transactions.create',
    user: 'mallory',
    profile: 'ZOE-PAYROLL',
    environment: 'sandbox',
    baseUrl: 'http://127.0.0.1:4010/v1',
    keyLast4: '0042',
    keyHash: 'a'.repeat(64),
    digest: 'b'.repeat(64),
    externalId: 'INV-2044',
    summary: '12 EUR to Zoe Okonkwo 0123456700',
    request: '{"recipients":[{"details":{"first_name":"Okonkwo","bank_account":"0123456700"}}]}',
  } as never);
  if (!('opened' in opened)) throw new Error('not opened');
  await store.intents.close(opened.opened.id, {
    state: 'not_applied',
    note: '422: bank_account 0123456700 of Zoe Okonkwo (zoe@example.org, +233 302 123 400) is invalid, because she left; 233302123400 4471',
  });
  store.close();
}

const free = (text: string): void => {
  for (const planted of PLANTED) expect(text, planted).not.toContain(planted);
};

describe('nothing that was planted stands in it', () => {
  beforeEach(plantIntent);

  it.each(['json', 'table', 'text', 'csv', 'yaml'])('as %s', async (format) => {
    const run = await bench.run(['bug-report', '-o', format], { env: env() });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain('bank_account');
    free(run.stdout);
    free(run.stderr);
  });

  it('in the file, with --reveal too; and what helps is there', async () => {
    const run = await bench.run(['bug-report', '--out', 'report.json', '--yes', '--reveal'], { env: env() });
    expect(run.code, run.stderr).toBe(0);
    const path = join(bench.dir, 'report.json');
    const text = readFileSync(path, 'utf8');
    free(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const report = JSON.parse(text);
    expect(report.versions).toMatchObject({
      remit: '0.0.0-test',
      node: process.versions.node,
      from: 'clone',
    });
    expect(report.environment).toEqual(
      expect.arrayContaining(['HTTPS_PROXY', 'REMIT_CONFIG_DIR', 'REMIT_PUBLIC_URL']),
    );
    expect(report.environment).not.toContain('SOME_TOKEN');
    expect(report.profiles[0]).toMatchObject({
      name: 'Z•••',
      is_default: true,
      base_url: 'http://127.0.0.1:4010',
      key: '…0042',
    });
    expect(report.profiles[1]).toMatchObject({ name: 'Z•••', base_url: 'https://db.internal.example' });
    expect(report.checks.map(({ check }: { check: string }) => check)).toEqual(
      expect.arrayContaining(['settings', 'journal', 'signature']),
    );
    expect(report.last_error).toMatchObject({
      command: 'tx create',
      operation: 'transactions.create',
      outcome: 'not_applied',
      names: expect.arrayContaining(['bank_account']),
    });
  });
});

it('what cannot be read is named, and the rest is there', async () => {
  writeFileSync(settingsPath({ REMIT_CONFIG_DIR: bench.dir }), `{"profiles": ${SECRET}`);
  const run = await bench.run(['bug-report', '-o', 'json'], { env: env() });
  expect(run.code, run.stderr).toBe(0);
  expect(run.data<{ unreadable: string[] }>().unreadable).toContain('config_broken');
  free(run.stdout);
});

describe('the file', () => {
  const there = () => existsSync(join(bench.dir, 'report.json'));

  it('is not written without a terminal and without --yes: it is printed alone', async () => {
    const run = await bench.run(['bug-report', '--out', 'report.json', '-o', 'json'], { env: env() });
    expect([run.code, there()]).toEqual([2, false]);
    expect(run.data()).toHaveProperty('versions');
    expect(run.stderr).toContain('--yes');
  });

  it('is not written over another, unless that is said', async () => {
    writeFileSync(join(bench.dir, 'report.json'), 'mine');
    const refused = await bench.run(['bug-report', '--out', 'report.json', '--yes'], { env: env() });
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(readFileSync(join(bench.dir, 'report.json'), 'utf8')).toBe('mine');
    const run = await bench.run(['bug-report', '--out', 'report.json', '--yes', '--force'], { env: env() });
    expect(run.code).toBe(0);
    expect(JSON.parse(readFileSync(join(bench.dir, 'report.json'), 'utf8'))).toHaveProperty('checks');
  });

  it('that cannot be written is said', async () => {
    const run = await bench.run(['bug-report', '--out', 'no/such/report.json', '--yes'], { env: env() });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('cannot be written');
  });
});
