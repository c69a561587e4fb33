/** Keys of approvers: made here, never shown, never written over; and whose signatures a profile takes. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { policyDowngrades } from '../../src/profiles/policy-downgrade.ts';
import { readSettings } from '../../src/profiles/profiles.ts';
import type { ProfileLimits } from '../../src/profiles/schema.ts';
import {
  approverOn,
  asProfile,
  type MadeApprover,
  machineOf,
  passphraseFile,
  setApprovers,
  signIn,
} from '../support/approvers.ts';
import { credentials, type Run, useBench } from '../support/cli.ts';

const bench = useBench();
const remit = (argv: string, file?: string): Promise<Run> =>
  bench.run(argv, { env: file === undefined ? {} : { REMIT_APPROVER_PASSPHRASE_FILE: file } });
const folder = (): string => join(bench.dir, 'approvers');

describe('a key', () => {
  it('is made with the passphrase of a file; its public line is exported, and nothing secret is shown or written', async () => {
    const made = await remit('approver create grace -o json', passphraseFile(bench.dir));
    expect(made.code, made.stderr).toBe(0);
    const { fingerprint, public_key: key } = made.data<Record<string, string>>();
    expect(made.data()).toMatchObject({ name: 'grace', algorithm: 'ed25519', kept_in: 'file' });
    expect(fingerprint).toMatch(/^([0-9a-f]{8}-){3}[0-9a-f]{8}$/);
    const exported = await remit('approver export');
    expect(exported.stdout).toBe(`grace ed25519 ${key}\n`);
    expect(exported.stderr).toContain(`fingerprint ${fingerprint}`);
    expect((await remit('approver export grace -o json')).data()).toEqual(made.data());
    expect((await remit('approver list -o json')).data()).toEqual([made.data()]);
    const kept = readFileSync(join(folder(), 'grace.json'), 'utf8');
    for (const text of [kept, made.stdout, made.stderr]) {
      expect(text).not.toContain('PRIVATE KEY');
      expect(text).not.toContain('made-up words');
    }
    expect(statSync(join(folder(), 'grace.json')).mode & 0o777).toBe(0o600);
    // The same name again, however it is spelt, and the key stays.
    const again = await remit('approver create Grace', passphraseFile(bench.dir));
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('never written over')]);
    expect(readFileSync(join(folder(), 'grace.json'), 'utf8')).toBe(kept);
  });

  it.each<[string, string, () => string | undefined, number, string]>([
    ['without a passphrase', 'grace', () => undefined, 2, 'REMIT_APPROVER_PASSPHRASE_FILE'],
    ['with a short one', 'grace', () => passphraseFile(bench.dir, 'short'), 2, '12 characters or more'],
    ['with an empty file', 'grace', () => passphraseFile(bench.dir, ''), 78, 'there is no passphrase in'],
    [
      'with a file that is not there',
      'grace',
      () => join(bench.dir, 'none'),
      78,
      'there is no passphrase in',
    ],
    [
      'with a file that others read',
      'grace',
      () => passphraseFile(bench.dir, undefined, 0o644),
      78,
      'other users can read',
    ],
    [
      'under a name that leads elsewhere',
      '../grace',
      () => passphraseFile(bench.dir),
      2,
      'cannot be an approver',
    ],
  ])('%s is not made', async (_, name, file, code, words) => {
    const made = await remit(`approver create ${name}`, file());
    expect([made.code, made.stderr]).toEqual([code, expect.stringContaining(words)]);
    expect((await remit('approver list -o json')).data()).toEqual([]);
  });

  it('is in no list of a machine without one; several want a name', async () => {
    const none = await remit('approver export');
    expect([none.code, none.stderr]).toEqual([6, expect.stringContaining('approver create')]);
    await approverOn({ ...machineOf(bench, 'x'), dir: bench.dir }, 'ada');
    await approverOn({ ...machineOf(bench, 'x'), dir: bench.dir }, 'grace');
    const two = await remit('approver export');
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('several approvers')]);
    expect((await remit('approver export ada')).stdout).toMatch(/^ada ed25519 /);
    expect(readdirSync(folder())).toEqual(['ada.json', 'grace.json']);
  });

  it('that was damaged is said, and not used', async () => {
    mkdirSync(folder(), { mode: 0o700 });
    writeFileSync(join(folder(), 'grace.json'), '{"version":1', { mode: 0o600 });
    const made = await remit('approver list');
    expect([made.code, made.stderr]).toEqual([78, expect.stringContaining("is no approver's key")]);
  });
});

describe('a profile takes approvers', () => {
  let ada: MadeApprover;
  let grace: MadeApprover;
  const accepted = (name = 'acme') =>
    readSettings({ REMIT_CONFIG_DIR: bench.dir }).profiles[name]?.accepted_approvers;
  const file = (text: string): void => writeFileSync(join(bench.dir, 'approvers.txt'), text);
  const set = (...settings: string[]): Promise<Run> =>
    bench.run(['profiles', 'set', 'acme', ...settings], { env: asProfile('acme') });

  beforeEach(async () => {
    await signIn(bench, 'acme');
    ada = await approverOn(machineOf(bench, 'ada'), 'ada');
    grace = await approverOn(machineOf(bench, 'grace'), 'grace');
  });

  it('whose fingerprint somebody named, each of them', async () => {
    const bare = await setApprovers(bench, [ada, grace], { told: [] });
    expect([bare.code, bare.stderr]).toEqual([
      2,
      expect.stringContaining(`its fingerprint is ${ada.fingerprint}`),
    ]);
    const half = await setApprovers(bench, [ada, grace], { told: [ada] });
    expect([half.code, half.stderr]).toEqual([
      2,
      expect.stringContaining('the key of grace was never accepted'),
    ]);
    expect(accepted()).toBeUndefined();
    const both = await setApprovers(bench, [ada, grace], { needed: 2 });
    expect(both.code, both.stderr).toBe(0);
    expect(both.stderr).toContain(`grace may approve pay runs, with the key ${grace.fingerprint}`);
    expect(Object.keys(accepted() ?? {})).toEqual(['ada', 'grace']);
    // Known keys are not asked about again, and one that left the file is out.
    expect((await setApprovers(bench, [grace], { told: [], needed: 1 })).code).toBe(0);
    expect(Object.keys(accepted() ?? {})).toEqual(['grace']);
  });

  it('a known name with another key is asked about again', async () => {
    await setApprovers(bench, [ada]);
    const before = accepted();
    const swapped = { ...grace, line: grace.line.replace('grace', 'ada') };
    const made = await setApprovers(bench, [swapped], { told: [] });
    expect([made.code, made.stderr]).toEqual([
      2,
      expect.stringContaining(`its fingerprint is ${grace.fingerprint}`),
    ]);
    expect(accepted()).toEqual(before);
  });

  it('a fingerprint of no key there, or half of one, changes nothing', async () => {
    const stray = await setApprovers(bench, [ada], { told: [ada, grace] });
    expect([stray.code, stray.stderr]).toEqual([
      2,
      expect.stringContaining('no key in the file of approvers has'),
    ]);
    const half = await setApprovers(bench, [ada], {
      told: [{ ...ada, fingerprint: ada.fingerprint.slice(0, 17) }],
    });
    expect([half.code, half.stderr]).toEqual([
      2,
      expect.stringContaining('a fingerprint has 32 hexadecimal digits'),
    ]);
    expect(accepted()).toBeUndefined();
    const alone = await set('read_only=true', '--fingerprint', ada.fingerprint);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('a fingerprint goes with')]);
  });

  it('as many as are there, and no more are needed', async () => {
    const many = await setApprovers(bench, [ada], { needed: 2 });
    expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('there is 1 approver')]);
    const none = await set('approvals_needed=1');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('goes with approvers=FILE')]);
    for (const wrong of ['0', '-1', 'two', '100'])
      expect((await set(`approvals_needed=${wrong}`)).code).toBe(2);
    await setApprovers(bench, [ada, grace], { needed: 2 });
    expect((await set('approvers=')).code).toBe(0);
    expect(accepted()).toBeUndefined();
    expect(readSettings({ REMIT_CONFIG_DIR: bench.dir }).profiles.acme?.approvals_needed).toBeUndefined();
  });

  it('a new login over the profile keeps them', async () => {
    await setApprovers(bench, [ada, grace], { needed: 2 });
    await signIn(bench, 'acme');
    expect(Object.keys(accepted() ?? {})).toEqual(['ada', 'grace']);
  });

  it.each<[string, () => string, string]>([
    ['a damaged line', () => `${ada.line}grace ed25519 AAAA\n`, 'line 2 of'],
    ['another algorithm', () => ada.line.replace('ed25519', 'rsa'), 'line 1 of'],
    ['a line with more', () => ada.line.replace('\n', ' x\n'), 'is no public key of an approver'],
    ['one name with two keys', () => `\n# x\n${ada.line}${grace.line.replace('grace', 'Ada')}`, 'line 4 of'],
    ['the same line twice', () => ada.line + ada.line, 'names ada again, as line 1 does'],
    [
      'one key under two names',
      () => ada.line + ada.line.replace('ada', 'eve'),
      'has the key of ada (line 1)',
    ],
  ])('a file with %s is refused, with the line', async (_, text, words) => {
    file(text());
    const made = await set('approvers=approvers.txt', '--fingerprint', ada.fingerprint);
    expect([made.code, made.stderr]).toEqual([78, expect.stringContaining(words)]);
    expect(accepted()).toBeUndefined();
  });

  it('of production only by whoever names it, and the journal keeps it', async () => {
    const production = 'https://api.example.com/v1';
    const flags = ['--environment', 'production', '--key', credentials.key, '--secret-stdin', '--no-check'];
    const made = await bench.run(['login', '--profile', 'live', '--base-url', production, ...flags], {
      env: asProfile('live'),
      stdin: credentials.secret,
    });
    expect(made.code, made.stderr).toBe(0);
    const on = (...more: string[]) =>
      bench.run(['profiles', 'set', 'live', ...more], { env: asProfile('live') });
    file(ada.line);
    const first = await on('approvers=approvers.txt', '--fingerprint', ada.fingerprint);
    expect(first.code, first.stderr).toBe(0);
    file(ada.line + grace.line);
    const more = ['approvers=approvers.txt', '--fingerprint', grace.fingerprint];
    const second = await on(...more);
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining('grace may approve, with the key'),
    ]);
    expect(Object.keys(accepted('live') ?? {})).toEqual(['ada']);
    expect((await on(...more, '--live=live')).code).toBe(0);
    const history = await bench.run('history -o json', { env: asProfile('live') });
    expect(history.stdout).toContain('loosened: grace may approve');
    expect((await on('approvers=')).code).toBe(2);
  });
});

describe('is looser', () => {
  const one: ProfileLimits = {
    approvers: 'f',
    approvals_needed: 1,
    accepted_approvers: { ada: 'a'.repeat(64) },
  };
  it.each<[string, ProfileLimits, ProfileLimits, string[]]>([
    ['none, then some', {}, one, []],
    ['the same', one, one, []],
    ['off', one, {}, ['approvers is off']],
    ['more are needed', one, { ...one, approvals_needed: 2 }, []],
    ['fewer are needed', { ...one, approvals_needed: 2 }, one, ['approvals_needed is 1, and was 2']],
    [
      'the number taken away',
      { ...one, approvals_needed: 2 },
      { approvers: 'f' },
      ['approvals_needed is 1, and was 2'],
    ],
    ['one person fewer', one, { ...one, accepted_approvers: {} }, []],
    [
      'another key',
      one,
      { ...one, accepted_approvers: { ada: 'b'.repeat(64) } },
      [`ada may approve, with the key ${'b'.repeat(32)}`],
    ],
  ])('%s', (_, before, after, words) => {
    expect(policyDowngrades(before, after)).toEqual(words);
  });
});
