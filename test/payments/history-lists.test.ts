/** The journal sifted, and everything that is open or unknown settled in one go. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  baseUrl,
  credentials,
  isWriteRequest,
  lost,
  noAccount,
  only,
  payArgv,
  useBench,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });

const pay = (externalId: string) => bench.run(payArgv(undefined, '--external-id', externalId));

/** The answers to what is sent are lost; `arrives` says whether the requests were not. */
async function payBlind(externalId: string, arrives: boolean): Promise<void> {
  let sent = false;
  bench.intercept(async (request, next) => {
    const isPayment = request.url.endsWith('/accounts/debits');
    if (!isPayment && !sent) return next(request);
    sent = true;
    if (arrives || !isPayment) await next(request);
    return lost(request, next);
  });
  expect((await pay(externalId)).code).toBe(9);
  bench.restore();
}

/** Of the debits: each payment has its creation beside it. */
const listed = async (...flags: string[]): Promise<string[]> =>
  (await bench.run(['history', ...flags, '--fields', 'operation,external_id,state'])).stdout
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('debits.create'))
    .map((line) => line.replace('debits.create\t', ''));

describe('history list', () => {
  beforeEach(async () => {
    await pay('one');
    await pay('two');
    await payBlind('three', true);
  });

  it('is newest first, and sifted by outcome, time, profile and command', async () => {
    const all = ['three\tunknown', 'two\tapplied', 'one\tapplied'];
    expect(await listed()).toEqual(all);
    expect(await listed('--state', 'unknown', '--state', 'open')).toEqual(all.slice(0, 1));
    expect(await listed('--since', '1h')).toEqual(all);
    expect(await listed('--until', '1h')).toEqual([]);
    expect(await listed('--until', new Date(machine.ms).toISOString().slice(0, 10))).toEqual(all);
    expect(await listed('--since', '2099-01-01T00:00:00Z')).toEqual([]);
    expect(await listed('--since', 'today')).toEqual(all);
    expect(await listed('--until', 'yesterday')).toEqual([]);
    expect(await listed('--command', 'tx')).toEqual(all);
    expect(await listed('--command', 'tx fund')).toEqual([]);
    expect(await listed('--limit', '2', '--state', 'applied')).toEqual(['two\tapplied']);
    expect(await listed('--all')).toEqual(all);
  });

  it('is of the profile in force, and says so; --all-profiles has every one', async () => {
    const profile = { baseUrl, environment: 'sandbox', key: credentials.key, secretIn: 'file' };
    const write = (name: string, value: object) =>
      writeFileSync(join(bench.dir, name), JSON.stringify(value), { mode: 0o600 });
    write('config.json', { profiles: { mine: profile, other: profile }, defaultProfile: 'mine' });
    write('secrets.json', { mine: credentials.secret, other: credentials.secret });
    await bench.run(payArgv(undefined, '--external-id', 'four'), {
      env: { ...noAccount, REMIT_PROFILE: 'other' },
    });
    const of = async (...flags: string[]) => {
      const run = await bench.run(['history', ...flags, '--fields', 'external_id'], { env: noAccount });
      return { ids: run.stdout.trim().split('\n').filter(Boolean), said: run.stderr };
    };
    expect(await of()).toEqual({
      ids: [],
      said: 'Only entries of profile mine. --all-profiles lists those of every profile.\n',
    });
    expect((await of('--profile', 'other')).ids).toEqual(['four', 'four']);
    expect(await of('--all-profiles')).toEqual({
      ids: ['four', 'four', 'three', 'three', 'two', 'two', 'one', 'one'],
      said: '',
    });
    const none = await bench.run(['history', '--state', 'unknown'], { env: noAccount, tty: true });
    expect(none.stdout).toBe('No payment or change matches.\n');
    const hostile = { profiles: { '\u001b[2Jevil': profile }, defaultProfile: '\u001b[2Jevil' };
    write('config.json', hostile);
    const nothing = await bench.run(['history'], { env: noAccount, tty: true });
    expect(nothing.stdout).toMatch(/evil yet\.\n$/);
    expect(nothing.stdout).not.toContain('\u001b[2J');
    write('config.json', { profiles: { mine: profile, other: profile }, defaultProfile: 'mine' });
    const short = await bench.run(['history', '--all-profiles', '--limit', '2'], { tty: true, columns: 120 });
    expect(short.stderr).toContain('2 of 8 entries. --limit 100 shows more, --all shows every one.');
  });

  it('as CSV has the whole id and how it is known', async () => {
    const { stdout } = await bench.run(['history', '-o', 'csv']);
    expect(stdout).toMatch(/^created_at,updated_at,intent,command,state,note,amount,currency,summary,/);
    expect(stdout).toMatch(/Z,[0-9a-f]{8}-[0-9a-f-]{27},tx create,applied,/);
  });
});

it.each([
  ['--since', 'tomorrow'],
  ['--since', '2026-13-01'],
  ['--since', '2026-13'],
  ['--since', '2026-02-30'],
  ['--until', '5 o’clock'],
  ['--state', 'fine'],
  ['--limit', '0'],
  ['--look'],
  ['show', '--all'],
  ['settle'],
  ['settle', '1f0d7c0b', '--all'],
  ['settle', '--all', '--as', 'applied'],
  ['settle', '--all', '--state', 'open'],
])('history %s %s %s is a usage error', async (...flags) => {
  const argv = ['history', ...flags.filter((flag) => flag !== undefined)];
  expect((await bench.run(argv)).code).toBe(2);
});

describe('history settle --all', () => {
  it('settles each by itself, a row each, and pays nothing twice', async () => {
    await payBlind('came-through', true);
    await payBlind('never-arrived', false);
    const run = await bench.run(['history', 'settle', '--all', '-o', 'ndjson']);
    expect(run.code).toBe(0);
    const rows = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data);
    expect(rows.map(({ external_id, state }) => [external_id, state])).toEqual([
      ['never-arrived', 'applied'],
      ['came-through', 'applied'],
    ]);
    expect(run.requests.filter(({ path }) => path.endsWith('/accounts/debits'))).toHaveLength(1);
    expect((await bench.run(['balance', 'EUR', '-o', 'json', '--query', 'amount'])).stdout).toBe(
      '"249970.02"\n',
    );
    expect(rows[0].request).toBeUndefined();
  });

  it('--look sends nothing, and what is not found stays unknown: 9', async () => {
    await payBlind('came-through', true);
    await payBlind('never-arrived', false);
    const run = await bench.run(['history', 'settle', '--all', '--look'], { tty: true, columns: 160 });
    expect(run.code).toBe(9);
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(run.stdout).toMatch(/unknown .*never-arrived|unknown/);
    expect(run.stdout).toMatch(/applied: [0-9a-f-]{36}/);
  });

  it('where nothing is left says so, and asks nobody', async () => {
    const run = await bench.run(['history', 'settle', '--all', '--yes'], { tty: true });
    expect([run.code, run.stdout]).toEqual([0, 'nothing is open or unknown on this account\n']);
    expect(run.stderr).toBe('');
  });

  it('leaves another account’s alone', async () => {
    await payBlind('came-through', true);
    const run = await bench.run(['history', 'settle', '--all'], {
      env: { REMIT_API_KEY: 'key_of_another_9999' },
    });
    expect([run.code, run.requests.length]).toEqual([0, 0]);
    expect(await listed('--state', 'unknown')).toHaveLength(1);
  });

  it('a raw call that remit cannot look for stays unknown, and says what to do; the others are settled', async () => {
    bench.intercept(only(isWriteRequest, lost));
    await bench.run(['api', 'POST', '/transfers', '--data', '{}']);
    bench.restore();
    await payBlind('came-through', true);
    const run = await bench.run(['history', 'settle', '--all', '--yes'], { tty: true, columns: 200 });
    expect(run.code).toBe(9);
    expect(run.stdout).toContain('look yourself, with remit api');
    expect(await listed('--state', 'applied')).toEqual(['came-through\tapplied']);
  });

  it('in production without a terminal asks for --yes and --live once, before anything is sent', async () => {
    const env = { REMIT_BASE_URL: 'https://api.example.com/v1' };
    bench.intercept(only(({ url }) => url.endsWith('/accounts/debits'), lost));
    await bench.run(payArgv(undefined, '--yes', '--live', 'key:7f3c'), { env });
    bench.restore();
    const run = await bench.run(['history', 'settle', '--all'], { env });
    expect(run.code).toBe(2);
    expect(run.requests).toEqual([]);
  });
});
