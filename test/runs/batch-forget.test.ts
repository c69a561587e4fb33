/** `batch forget`: who was paid leaves the store, what was paid stays, and nothing is done with such a run any more. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { type Database, openDatabase } from '../../src/disk/driver.ts';
import { answering, lost, noAccount, only, type Run, unreachable, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');
const sent = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;
const at = (name: string): string => join(bench.dir, name);

const HEADER =
  'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account,external_id';
/** By the last digits of an account the bank pays (00), or says that the account is wrong (19). */
const rowOf = (key: string, { ending = '00', amount = 1000, externalId = '' } = {}): string =>
  `${key},NGN::Bank,${amount},EUR,customer-1,Adaobi,Nwosu-Eze,044,73129847${ending},${externalId}`;

const plan = (name: string, ...rows: string[]): Promise<Run> => planWith(name, rows);
/** What the service has already is found when the row is sent. */
const planUnasked = (name: string, ...rows: string[]): Promise<Run> => planWith(name, rows, '--offline');
async function planWith(name: string, rows: readonly string[], ...more: string[]): Promise<Run> {
  writeFileSync(at('file.csv'), `${[HEADER, ...rows].join('\n')}\n`);
  const made = await batch(
    'plan',
    'file.csv',
    '--name',
    name,
    '--max-input',
    'EUR=1000',
    '-o',
    'json',
    ...more,
  );
  rmSync(at('file.csv'));
  return made;
}
async function paid(name: string, ...rows: string[]): Promise<void> {
  expect((await plan(name, ...rows)).code).toBe(0);
  await batch('run', name);
  await bench.sandbox.drain();
  await batch('status', name, '--update');
}
interface Standing {
  states: object;
  spent: object;
  agrees: boolean;
  digest: string | null;
  forgotten_at: string | null;
  compared_from: string | null;
}
const standing = async (name: string) => (await batch('status', name, '-o', 'json')).data<Standing>();
const everyByte = (): string =>
  readdirSync(bench.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
/** Hashes by which somebody who tries all accounts would know whose they are. */
const prints = (): Promise<string[]> =>
  inStore((store) => {
    const one = (sql: string, name: string): string[] => store.all(sql).map((row) => String(row[name]));
    const plans = one('SELECT plan FROM payruns', 'plan').map((text) => JSON.parse(text).windows);
    return [
      ...one('SELECT digest FROM payruns', 'digest'),
      ...one('SELECT content FROM payrun_rows', 'content'),
      ...one("SELECT digest FROM intents WHERE command = 'batch run'", 'digest'),
      ...plans.flat(),
    ];
  });
const PERSON = ['Adaobi', 'Nwosu', '73129847'];
const words = (made: Run): [number, string] => [made.code, made.stderr];
async function inStore<T>(work: (store: Database) => T | Promise<T>): Promise<T> {
  const store = await openDatabase(at('remit.db'), { newest: STORE_VERSION, steps: {} });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe('a run that is over', () => {
  it('has no name and no account in any file, and every count, amount and id is left', async () => {
    await paid('wages', rowOf('E-1'), rowOf('E-2', { amount: 1001 }));
    const before = await standing('wages');
    const row = (await batch('show', 'wages', 'E-1', '-o', 'json')).data();
    const hashes = await prints();
    expect([hashes.length, new Set(hashes).size]).toEqual([6, 6]);
    for (const word of [...PERSON, ...hashes]) expect(everyByte().includes(word), word).toBe(true);

    const tried = await batch('forget', 'wages', '--dry-run', '-o', 'json');
    expect([tried.code, tried.data<object[]>()]).toEqual([
      0,
      [
        expect.objectContaining({
          name: 'wages',
          rows: 2,
          outcome: 'would be forgotten',
          forgotten_at: null,
        }),
      ],
    ]);
    expect(tried.stderr).toContain('dry run: nothing was changed');
    expect(await standing('wages')).toEqual(before);

    const made = await batch('forget', 'wages', '-o', 'json');
    expect([made.code, made.requests, made.data<object[]>()]).toEqual([
      0,
      [],
      [expect.objectContaining({ name: 'wages', rows: 2, outcome: 'forgotten', forgotten_at: TIME })],
    ]);
    expect(made.stderr).toContain("no byte of them is left in the store's file");
    const bytes = everyByte();
    for (const word of [...PERSON, ...hashes]) expect(bytes.includes(word), word).toBe(false);
    const accounts = await inStore((store) => store.all('SELECT DISTINCT account FROM payrun_rows'));
    expect(accounts.map(({ account }) => account)).toEqual([-1]);

    const after = await standing('wages');
    expect(after).toEqual({ ...before, digest: null, forgotten_at: TIME, status: 'paid out, forgotten' });
    expect((await batch('show', 'wages', 'E-1', '-o', 'json')).data()).toEqual({
      ...row,
      name: null,
      account: null,
      account_is: null,
    });
    expect((await batch('list', '-o', 'json')).data<Standing[]>()).toMatchObject([{ forgotten_at: TIME }]);
    for (const argv of [
      ['rows', 'wages'],
      ['report', 'wages'],
      ['show', 'wages', 'E-2'],
      ['status', 'wages'],
    ]) {
      const look = await batch(...argv);
      expect([look.code, look.stdout], look.stderr).toEqual([0, expect.stringMatching(/paid/)]);
      expect(look.stderr).toMatch(
        /It was forgotten on \d{4}-\d\d-\d\d: names, accounts and reasons are gone/,
      );
    }
    expect((await batch('report', 'wages', '--pain002')).stdout).toContain('<OrgnlNbOfTxs>2<');
    const history = await bench.run('history -o json');
    expect(history.stdout).toContain('wages:E-1');

    const again = await batch('forget', 'wages');
    expect(words(again)).toEqual([0, expect.stringContaining('nothing was changed')]);
  });

  it('is not run, approved, cancelled, settled, handed on or planned again: nothing is sent', async () => {
    await paid('wages', rowOf('E-1'));
    const { digest } = await standing('wages');
    await batch('forget', 'wages');
    const file = at('rest.csv');
    for (const argv of [
      ['run', 'wages'],
      ['approve', 'wages', '--digest', digest ?? ''],
      ['cancel', 'wages', '--yes'],
      ['settle', 'wages'],
      ['take-back', 'wages', '--yes'],
      ['remaining', 'wages', '--refunded'],
      ['remaining', 'wages', '--refunded', '--hand-on', file, '--yes'],
    ]) {
      const made = await batch(...argv, '-o', 'json');
      expect([made.code, made.stdout, made.requests, made.error().code], argv.join(' ')).toEqual([
        1,
        '',
        [],
        'run_forgotten',
      ]);
    }
    const planned = await plan('wages', rowOf('E-1'));
    expect([planned.code, planned.error().code]).toEqual([1, 'run_forgotten']);
    const said = await batch('run', 'wages');
    expect(said.stderr).toMatch(/the run "wages" was forgotten on \d{4}.*its name stays taken/);
    expect(said.stderr).toContain('remit batch rows wages');
    // What became of its rows is still heard of.
    expect((await batch('status', 'wages', '--update')).code).toBe(0);
    expect((await batch('watch', 'wages', '--timeout', '1s')).code).toBe(0);
  });

  it('is compared with no file any more, and a plan says from when on it compares', async () => {
    await paid('wages', rowOf('E-1'));
    const [first] = (await batch('list', '-o', 'json')).data<{ created_at: string }[]>();
    const before = await plan('again', rowOf('E-1'), rowOf('E-2', { amount: 1001 }));
    expect(before.stderr).toContain('1 row has the same account and amount');
    expect([before.data<Standing>().compared_from, before.stderr.includes('was forgotten')]).toEqual([
      null,
      false,
    ]);
    await batch('forget', 'wages');
    const after = await plan('once-more', rowOf('E-1'), rowOf('E-2', { amount: 2001 }));
    expect(after.data<Standing>().compared_from).toBe(first?.created_at);
    expect(after.stderr).toContain(
      `runs that were planned after ${first?.created_at}: what was planned up to then was`,
    );
    // That run was not forgotten: it is compared, whenever it was planned.
    expect(after.stderr).toContain('row 1 (E-1 of again)');
    expect((await standing('once-more')).compared_from).toBe(first?.created_at);
  });
});

describe('a run that is not over', () => {
  const refusal = async (...more: string[]) => {
    const before = await standing('wages');
    const made = await batch('forget', 'wages', '--yes', ...more, '-o', 'json');
    expect([made.code, made.stdout, await standing('wages')]).toEqual([1, '', before]);
    const { code, message, hint } = made.error();
    expect(code).toBe('run_not_ended');
    for (const word of PERSON) expect(everyByte().includes(word), word).toBe(true);
    return `${message} | ${hint}`;
  };

  it('since rows are planned', async () => {
    await plan('wages', rowOf('E-1'), rowOf('E-2', { amount: 1001 }));
    expect(await refusal()).toMatch(
      /2 rows are still open \(2 planned\) \| .*remit batch run wages.*remit batch cancel wages/,
    );
    expect(await refusal('--dry-run')).toContain('2 planned');
    await batch('cancel', 'wages', '--yes');
    expect((await batch('forget', 'wages', '--yes')).code).toBe(0);
  });

  it('since the outcome of a row is not known', async () => {
    await plan('wages', rowOf('E-1'));
    bench.intercept(only(isPayment, lost));
    await batch('run', 'wages');
    bench.restore();
    expect(await refusal()).toMatch(/1 row is still open \(1 unknown\) \| .*remit batch settle wages/);
    await batch('settle', 'wages');
    expect((await batch('forget', 'wages', '--yes')).code).toBe(0);
  });

  it('since a row is sending', async () => {
    await plan('wages', rowOf('E-1'), rowOf('E-2', { amount: 1001 }));
    await inStore((store) => store.exec("UPDATE payrun_rows SET state = 'sending' WHERE key = 'E-1'"));
    expect(await refusal()).toMatch(/2 rows are still open \(1 planned, 1 sending\)/);
  });

  it('since a payout failed', async () => {
    await paid('wages', rowOf('E-1'), rowOf('E-2', { ending: '19' }));
    expect(await refusal()).toMatch(
      /1 row is still open \(1 in error\) \| .*remit batch rows wages --state in_error.*remit batch watch wages/,
    );
    const [row] = (await batch('rows', 'wages', '--state', 'in_error', '-o', 'json')).data<
      { recipient_id: string }[]
    >();
    await bench.run(['recipient', 'cancel', row?.recipient_id ?? '', '--yes', '--wait']);
    await batch('status', 'wages', '--update');
    expect((await batch('forget', 'wages', '--yes')).code).toBe(0);
  });

  it('since another payment has the external id, unless somebody says that they looked', async () => {
    await paid('first', rowOf('E-1', { externalId: 'mine-1' }));
    await planUnasked('wages', rowOf('E-1', { externalId: 'mine-1', amount: 1500 }));
    await batch('run', 'wages');
    expect(await refusal()).toMatch(/1 row is still open \(1 conflict\) \| .*--state conflict.*--conflicts/);
    const made = await batch('forget', 'wages', '--conflicts', '-o', 'json');
    expect([made.code, made.data<object[]>()]).toEqual([
      0,
      [expect.objectContaining({ outcome: 'forgotten' })],
    ]);
    expect((await standing('first')).forgotten_at).toBeNull();
  });
});

describe('runs before a day', () => {
  const changedAt = (name: string, at: string) =>
    inStore((store) => {
      const ms = Date.parse(at);
      store.run('UPDATE payruns SET updated_at = ?, created_at = ? WHERE name = ?', ms - 9, ms - 9, name);
      store.run(
        'UPDATE payrun_rows SET updated_at = ? WHERE run = (SELECT seq FROM payruns WHERE name = ?)',
        ms,
        name,
      );
    });
  const outcomes = (made: Run): Record<string, string> =>
    Object.fromEntries(
      made.data<{ name: string; outcome: string }[]>().map(({ name, outcome }) => [name, outcome]),
    );

  it('are forgotten where they are over and were changed last before it, in UTC', async () => {
    await paid('old', rowOf('E-1'));
    await paid('of-the-day', rowOf('E-1', { amount: 1001 }));
    await plan('open', rowOf('E-1', { amount: 1002 }));
    await changedAt('old', '2026-01-31T23:59:59.999Z');
    await changedAt('of-the-day', '2026-02-01T00:00:00.000Z');
    await changedAt('open', '2026-01-01T00:00:00.000Z');
    const before = ['forget', '--before', '2026-02-01', '-o', 'json'];
    expect(outcomes(await batch(...before, '--dry-run'))).toEqual({
      old: 'would be forgotten',
      open: 'not over',
    });
    const made = await batch(...before);
    expect([made.code, outcomes(made)], made.stderr).toEqual([0, { old: 'forgotten', open: 'not over' }]);
    expect(made.data<{ why: string | null }[]>().map(({ why }) => why)).toEqual(['1 planned', null]);
    const kept = ['of-the-day', 'open', 'old'].map(
      async (name) => (await standing(name)).forgotten_at !== null,
    );
    expect(await Promise.all(kept)).toEqual([false, false, true]);
    const none = await batch('forget', '--before', '2026-01', '-o', 'json');
    expect([none.code, none.data<object[]>()]).toEqual([0, []]);
    expect(sent(none)).toBe(0);
  });

  it.each([[[]], [['wages', '--before', '2026-01-01']], [['--before', '13']], [['--before', '2026-02-30']]])(
    'are not guessed: %j',
    async (argv) => {
      expect((await batch('forget', ...argv)).code).toBe(2);
    },
  );
});

it('where nobody can be asked it wants a yes, in production with the account', async () => {
  await paid('wages', rowOf('E-1'));
  const live = 'https://api.example.com/v1';
  await bench.run(
    `login --profile live --base-url ${live} --environment production --key key_live_11aa --secret-stdin --no-check --no-keychain`,
    { stdin: 'made-up-secret', env: noAccount },
  );
  await inStore((store) => store.run('UPDATE payruns SET base_url = ?', live));
  bench.intercept(unreachable);
  const forget = (...more: string[]) =>
    bench.run(['batch', 'forget', 'wages', ...more], { env: { ...noAccount, REMIT_PROFILE: 'live' } });
  expect(words(await forget())).toEqual([2, expect.stringContaining('nobody is there to ask')]);
  expect((await forget('--dry-run')).code).toBe(0);
  expect(await inStore((store) => store.get('SELECT forgotten_at AS at FROM payruns')?.at)).toBeNull();
  expect((await forget('--yes', '--live=live')).code).toBe(0);
});

it('bytes that another process still reads are owed, and it ends with 8 until they are gone', async () => {
  await paid('wages', rowOf('E-1'));
  await inStore(async (reader) => {
    reader.exec('BEGIN');
    reader.all('SELECT count(*) FROM payrun_rows');
    const owed = await batch('forget', 'wages');
    expect(words(owed)).toEqual([8, expect.stringContaining('which another process uses')]);
    expect((await batch('status', 'wages')).stderr).toContain('remit batch forget wages');
    expect((await batch('run', 'wages')).code).toBe(1);
    reader.exec('COMMIT');
    expect((await batch('forget', 'wages')).code).toBe(0);
    for (const word of PERSON) expect(everyByte().includes(word), word).toBe(false);
  });
});

it('a refusal of the service that names somebody leaves too', async () => {
  await plan('wages', rowOf('E-1'));
  bench.intercept(
    only(isPayment, answering(422, '{"object":{"errors":{"recipients":[{"error":"invalid"}]}},"meta":{}}')),
  );
  await batch('run', 'wages');
  bench.restore();
  await inStore((store) => store.exec("UPDATE payrun_rows SET why = 'held by Adaobi Nwosu-Eze'"));
  expect((await batch('show', 'wages', 'E-1', '-o', 'json')).stdout).toContain('held by');
  expect((await batch('forget', 'wages')).code).toBe(0);
  expect((await batch('show', 'wages', 'E-1', '-o', 'json')).data()).toMatchObject({
    state: 'refused',
    why: null,
  });
  for (const word of PERSON) expect(everyByte().includes(word), word).toBe(false);
  // Its reasons are gone, so nothing says where they are.
  expect((await batch('status', 'wages')).stderr).not.toContain('says why');
});
