/** What protects a production profile is taken off by whoever names it, and leaves a line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { policyDowngrades } from '../../src/profiles/policy-downgrade.ts';
import type { ProfileLimits } from '../../src/profiles/schema.ts';
import { credentials, type Run, baseUrl as sandboxUrl, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const env = { REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined };
const PRODUCTION = 'https://api.example.com/v1';
const remit = (...argv: string[]): Promise<Run> => bench.run(argv, { env });
const login = (...more: string[]): Promise<Run> =>
  bench.run(
    [
      'login',
      '--base-url',
      more.includes('production') ? PRODUCTION : sandboxUrl,
      '--key',
      credentials.key,
      '--secret-stdin',
      '--no-check',
      ...more,
    ],
    { env, stdin: credentials.secret },
  );
const limitsOf = async (name: string) =>
  (await remit('profiles', '-o', 'json'))
    .data<{ name: string }[]>()
    .find((profile) => profile.name === name) as unknown as Record<string, unknown>;

describe('is looser', () => {
  it.each<[ProfileLimits, ProfileLimits, string[]]>([
    [{}, {}, []],
    [{}, { read_only: true, two_person: true, max_amount: { EUR: '5' } }, []],
    [{ read_only: true }, {}, ['read_only is off']],
    [{ two_person: true }, { read_only: true }, ['two_person is off']],
    [{ max_amount: { EUR: '5' } }, {}, ['max_amount is off']],
    [{ max_amount: { EUR: '5' } }, { max_amount: { EUR: '5.00' } }, []],
    [{ max_amount: { EUR: '5' } }, { max_amount: { EUR: '4' } }, []],
    [{ max_amount: { EUR: '5' } }, { max_amount: { EUR: '5.01' } }, ['max_amount.EUR is 5.01, and was 5']],
    [{ max_amount: { EUR: '5', GBP: '4' } }, { max_amount: { EUR: '5' } }, []],
    [
      { max_amount: { EUR: '5' } },
      { max_amount: { EUR: '5', GBP: '1' } },
      ['max_amount.GBP is 1, and was none: it was refused'],
    ],
    [
      { read_only: true, two_person: true, max_amount: { EUR: '5' }, max_per_day: { EUR: '9' } },
      {},
      ['read_only is off', 'two_person is off', 'max_amount is off', 'max_per_day is off'],
    ],
    [{}, { max_per_day: { EUR: '5' } }, []],
    [{ max_per_day: { EUR: '5' } }, { max_per_day: { EUR: '4' } }, []],
    [{ max_per_day: { EUR: '5' } }, { max_per_day: { EUR: '5.01' } }, ['max_per_day.EUR is 5.01, and was 5']],
    [
      { max_per_day: { EUR: '5' } },
      { max_per_day: { EUR: '5', GBP: '1' } },
      ['max_per_day.GBP is 1, and was none: it was refused'],
    ],
  ])('%j to %j: %j', (before, after, words) => {
    expect(policyDowngrades(before, after)).toEqual(words);
  });
});

describe('a production profile', () => {
  beforeEach(async () => {
    const made = await login('--profile', 'acme', '--environment', 'production', '--max-amount', 'EUR=100');
    expect(made.code, made.stderr).toBe(0);
    await remit('profiles', 'set', 'acme', 'two_person=true', 'read_only=true', 'max_per_day.EUR=300');
  });

  it.each([
    ['profiles set acme two_person=false', 'two_person is off'],
    ['profiles set acme read_only=', 'read_only is off'],
    ['profiles set acme max_amount.EUR=101', 'max_amount.EUR is 101.00, and was 100.00'],
    ['profiles set acme max_amount=', 'max_amount is off'],
    ['profiles set acme max_per_day.EUR=301', 'max_per_day.EUR is 301.00, and was 300.00'],
    ['profiles set acme max_per_day=', 'max_per_day is off'],
    ['profiles set acme two_person=false --live=other', 'two_person is off'],
    ['profiles set acme two_person=false --yes', 'two_person is off'],
  ])('is not loosened by %s', async (line, words) => {
    const before = await limitsOf('acme');
    const { code, stderr } = await remit(...line.split(' '));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`takes off what protects it: ${words}`)]);
    expect(stderr).toContain('--live=acme');
    expect(await limitsOf('acme')).toEqual(before);
    expect((await remit('history', '--profile', 'acme', '-o', 'json')).data()).toEqual([]);
  });

  it('is tightened without a word', async () => {
    const { code } = await remit('profiles', 'set', 'acme', 'max_amount.EUR=99');
    expect([code, await limitsOf('acme')]).toEqual([0, expect.objectContaining({ two_person: true })]);
  });

  it('loosened by its name, leaves a line that history and doctor show', async () => {
    const made = await remit('profiles', 'set', 'acme', 'two_person=false', '--live=acme');
    expect(made.code, made.stderr).toBe(0);
    expect(await limitsOf('acme')).not.toMatchObject({ two_person: true });
    const [line] = (await remit('history', '--profile', 'acme', '-o', 'json')).data<{ id: string }[]>();
    expect(line).toMatchObject({
      state: 'applied',
      command: 'profiles',
      summary: 'loosened: two_person is off',
    });
    const shown = await remit('history', 'show', line?.id ?? '', '--profile', 'acme');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('loosened: two_person is off')]);
    const doctor = (await remit('doctor', '--profile', 'acme', '-o', 'json')).data<{ check: string }[]>();
    expect(doctor.find(({ check }) => check === 'limits')).toMatchObject({
      verdict: 'warn',
      says: expect.stringMatching(/^loosened on \d{4}-\d\d-\d\d.*: two_person is off$/),
    });
    expect((await remit('history', 'settle', '--all', '--profile', 'acme')).code).toBe(0);
  });

  it('keeps what protects it when somebody signs in again, and a higher limit wants its name', async () => {
    const again = await login('--profile', 'acme', '--environment', 'production');
    expect(again.code, again.stderr).toBe(0);
    expect(await limitsOf('acme')).toMatchObject({
      two_person: true,
      read_only: true,
      max_per_day: { EUR: '300.00' },
    });
    const higher = ['--profile', 'acme', '--environment', 'production', '--max-amount', 'EUR=200'];
    expect((await login(...higher)).code).toBe(2);
    expect((await login(...higher, '--live=acme')).code).toBe(0);
  });
});

it('a run says that its profile was loosened since it was planned; of a sandbox nothing is said', async () => {
  await login('--profile', 'own', '--environment', 'sandbox');
  writeFileSync(join(bench.dir, 'wages.csv'), fileOfRows(1));
  const path = join(bench.dir, 'wages.csv');
  const planned = await remit('batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=9');
  expect(planned.code, planned.stderr).toBe(0);
  const status = async () => (await remit('batch', 'status', 'wages')).stderr;
  await remit('profiles', 'set', 'own', 'two_person=true');
  await remit('profiles', 'set', 'own', 'two_person=false');
  expect(await status()).not.toContain('loosened');
  // The same profile, of production for a while.
  await login('--profile', 'own', '--environment', 'production');
  await remit('profiles', 'set', 'own', 'two_person=true');
  expect((await remit('profiles', 'set', 'own', 'two_person=false', '--live=own')).code).toBe(0);
  await login('--profile', 'own', '--environment', 'sandbox');
  expect(await status()).toMatch(/The profile own was loosened on .*: two_person is off\./);
});
