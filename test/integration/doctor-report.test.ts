/** `remit doctor --report`: what is somebody's is planted wherever remit looks, and found in no report. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { scrub } from '../../src/integration/cli/doctor/report.ts';
import { settingsPath } from '../../src/profiles/profiles.ts';
import { credentials, noAccount, useBench } from '../support/cli.ts';
import { openStore } from '../support/open-store.ts';
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

const path = () => join(bench.dir, 'report.txt');
const report = (...more: string[]) =>
  bench.run(['doctor', '--report', 'report.txt', ...more], { env: env() });
const free = (text: string): void => {
  for (const planted of PLANTED) expect(text, planted).not.toContain(planted);
};

describe('nothing that was planted stands in it', () => {
  beforeEach(plantIntent);

  it.each([[[]], [['--reveal']]])('with %j; and what helps is there', async (more) => {
    const run = await report(...more);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('written to report.txt')]);
    const text = readFileSync(path(), 'utf8');
    free(text);
    expect(text).toContain(`remit 0.0.0-test (clone), Node ${process.versions.node}, ${process.platform}`);
    expect(text).toMatch(/^ {2}HTTPS_PROXY\n(?: {2}\w+\n)*? {2}REMIT_PUBLIC_URL$/m);
    expect(text).not.toContain('SOME_TOKEN');
    expect(text).toMatch(/^ {2}Z••• · sandbox · secret in file · approvers · reports_url$/m);
    expect(text).toMatch(/^ {2}pass settings$/m);
    expect(text).toMatch(/^ {2}skip journal: there is no profile to look at$/m);
    expect(text).toMatch(/ · transactions\.create · not_applied · sandbox · .*\bbank_account\b/);
  });
});

it('what cannot be read is named, and the rest is there', async () => {
  writeFileSync(settingsPath({ REMIT_CONFIG_DIR: bench.dir }), `{"profiles": ${SECRET}`);
  expect((await report()).code).toBe(1);
  const text = readFileSync(path(), 'utf8');
  expect(text).toMatch(/^Profiles:\n {2}cannot be read: config_broken$/m);
  expect(text).toMatch(/^ {2}fail settings$/m);
  free(text);
});

describe('the file', () => {
  it('is for its user alone, and has what doctor found', async () => {
    const run = await bench.run(['doctor', '--report', 'report.txt']);
    expect(run.code, run.stderr).toBe(0);
    const text = readFileSync(path(), 'utf8');
    expect(text).toMatch(/^ {2}pass journal: can be written; nothing is unsettled$/m);
    for (const check of ['profile', 'secret', 'limits'])
      expect(text).toMatch(new RegExp(`^ {2}pass ${check}$`, 'm'));
    expect(text).not.toContain(credentials.key);
    expect(text).not.toContain(credentials.secret);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('is never written over another', async () => {
    writeFileSync(path(), 'mine');
    const run = await report();
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('report.txt is there already');
    expect(readFileSync(path(), 'utf8')).toBe('mine');
  });

  it('that cannot be written is said', async () => {
    const run = await bench.run(['doctor', '--report', 'no/such/report.txt'], { env: env() });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('report.txt');
  });
});

/** The second net: each kind of text that it takes out, by itself, and what it leaves. */
describe('of a sentence', () => {
  it.each([
    ['a number of a bank account', 'account 0123456789 was refused', '0123456789'],
    ['a phone number with blanks', 'call +49 151 123 456', '151 123'],
    ['an address of e-mail', 'sent to ada@example.com now', 'ada'],
    ['an address that begins oddly', 'sent to @@ada@example.com now', 'ada'],
    ['a URL', 'GET https://partner.example/hooks?name=Ada failed', 'partner'],
    ['a URL behind a digit', '1http://partner.example/x', 'partner'],
    ['a path', '/var/lib/adaobi/remit.db cannot be opened', 'adaobi'],
    ['a path of Windows', 'C:\\Users\\adaobi cannot be opened', 'adaobi'],
    ['an id of the service', 'tx 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 is gone', '6f2c1b1e'],
    ['a key', 'key AKfycbx3QmZ9pL0sT7uVwXyZ is refused', 'AKfyc'],
  ])('%s is taken out', (_, text, secret) => {
    expect(text).toContain(secret);
    expect(scrub(text)).not.toContain(secret);
  });

  it('what somebody needs who mends it is left', () => {
    const text = '422 on transactions.create after 3 tries in 1200 ms: taken, en_GB';
    expect(scrub(text)).toBe(text);
  });
});
