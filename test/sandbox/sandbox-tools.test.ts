/** Faults, settings, samples and snapshots, by command. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultNames } from '../../src/contract/controls/faults.ts';
import { type Run, useBench } from '../support/cli.ts';

const bench = useBench();

const sandbox = (words: string, ...rest: string[]): Promise<Run> =>
  bench.run(['sandbox', ...words.split(' '), ...rest]);
const controls = (run: Run) => run.requests.filter(({ path }) => path.startsWith('/_sandbox/'));
const counts = async (): Promise<string> => (await sandbox('state -o json --query counts')).stdout;

describe('fail and faults', () => {
  it('arms each fault, and lists what is armed', async () => {
    for (const name of faultNames) {
      const run = await sandbox(`fail ${name}`);
      expect([name, run.code, run.stderr]).toEqual([name, 0, '']);
    }
    const { stdout } = await sandbox('faults --fields fault');
    expect(stdout.trim().split('\n')).toEqual([...faultNames]);
  });

  it.each([
    ['response-lost --operation transactions.create_and_fund --next 3', 'transactions.create_and_fund', 3],
    ['webhook-delayed --event recipient.error --delay 90s', 'recipient.error', 1],
    ['provider-outage --corridor NGN::Bank --always', 'NGN::Bank', 'always'],
    ['5xx --status 502', null, 1],
  ])('fail %s', async (flags, only, left) => {
    const run = await sandbox(`fail ${flags} -o json`);
    const [armed] = run.data<Record<string, unknown>[]>();
    expect(armed).toMatchObject({ id: 'f1', fired: 0, left });
    expect(armed?.operation ?? armed?.event ?? armed?.corridor).toBe(only);
    if (flags.includes('--delay')) expect(armed?.delay_ms).toBe(90_000);
    if (flags.includes('--status')) expect(armed?.status).toBe(502);
  });

  it('for one endpoint, by its id', async () => {
    const hook = await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/', '--query', 'id']);
    const run = await sandbox(`fail webhook-duplicate --webhook ${hook.stdout.trim()}`);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining(hook.stdout.trim())]);
  });

  it.each<[string, number, string]>([
    ['earthquake', 2, faultNames.join(', ')],
    ['slow --delay soon', 2, '"soon" is not a duration'],
    ['slow --next 0', 2, '--next 0 is not a whole number above zero'],
    ['slow --next 2 --always', 2, 'say --next or --always'],
    ['5xx --status 404', 5, 'status'],
    ['slow --corridor NGN::Bank', 5, 'slow is narrowed down by operation, not by corridor'],
    ['provider-outage --operation accounts.list', 5, 'narrowed down by corridor, not by operation'],
    ['slow --operation accounts.rob', 5, 'there is no operation accounts.rob'],
    ['provider-outage --corridor XYZ::Bank', 5, 'there is no corridor XYZ::Bank'],
    ['webhook-delayed --event moon.rise', 5, 'there is no event moon.rise'],
    ['webhook-delayed --webhook nobody', 5, 'there is no webhook nobody'],
  ])('fail %s ends with %i, and nothing is armed', async (flags, code, said) => {
    const run = await sandbox(`fail ${flags}`);
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect((await sandbox('faults')).stdout).toBe('');
  });

  it('what fired is told; one is disarmed, or all are', async () => {
    for (const flags of ['5xx --operation accounts.list', 'slow --always --delay 5ms', 'refused'])
      await sandbox(`fail ${flags}`);
    expect((await sandbox('faults --disarm f3')).stdout).not.toContain('refused');
    expect((await bench.run(['balance'])).code).toBe(0);
    const fired = await sandbox('faults --fired');
    expect(fired.stdout).toMatch(/\tf1\t5xx\taccounts\.list\n/);
    expect((await sandbox('faults')).stderr).toContain('remit sandbox faults --fired');
    expect((await sandbox('faults --clear')).stdout).toBe('');
    expect((await sandbox('faults --disarm f9')).code).toBe(6);
    expect((await sandbox('faults --disarm f1 --clear')).code).toBe(2);
    expect((await bench.run(['sandbox', 'faults'], { tty: true })).stdout).toContain('no fault is armed');
  });
});

describe('settings, seed, state', () => {
  it('settings are shown and changed, and a wrong one changes none', async () => {
    expect((await sandbox('settings --query kyc')).stdout).toBe('waived\n');
    const changed = await sandbox('settings kyc=operator review=true -o json');
    expect(changed.data<object>()).toMatchObject({ kyc: 'operator', review: true });
    for (const [words, code] of [
      ['review=false kyc=never', 5],
      ['review=maybe', 5],
      ['colour=red', 5],
      ['review', 2],
    ] as const)
      expect((await sandbox(`settings ${words}`)).code).toBe(code);
    expect((await sandbox('settings --query review')).stdout).toBe('true\n');
    expect((await sandbox('settings', 'holder_name=ADA OBI', '--query', 'holder_name')).stdout).toBe(
      'ADA OBI\n',
    );
  });

  it('seed fills the account with ten transactions a round, and says when the balance is spent', async () => {
    expect((await sandbox('seed')).stdout.trim().split('\n')).toHaveLength(10);
    expect((await sandbox('seed --rounds 2')).stdout.trim().split('\n')).toHaveLength(20);
    for (const rounds of ['0', '101', 'many'])
      expect((await sandbox(`seed --rounds ${rounds}`)).code).toBe(2);
    const spent = await sandbox('seed --rounds 100');
    expect([spent.code, spent.stderr]).toEqual([5, expect.stringContaining('the samples were refused')]);
  });

  it.each(['table', 'text', 'json', 'ndjson', 'csv', 'yaml'])('state as %s', async (format) => {
    await sandbox('seed');
    const run = await sandbox(`state -o ${format}`);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('transactions');
    if (format === 'json' || format === 'ndjson')
      expect(run.data<object>()).toMatchObject({ counts: { transactions: 10 } });
  });

  it('state on 80 columns is no wider', async () => {
    await sandbox('seed');
    const { stdout } = await bench.run(['sandbox', 'state'], { tty: true, columns: 80 });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/ledger wallet +EUR \d+\.\d\d/);
  });
});

describe('snapshot, restore, reset', () => {
  it('a snapshot is a file of its owner alone, and comes back with its time', async () => {
    await sandbox('seed');
    const before = await counts();
    const taken = await sandbox('snapshot before.snap');
    const path = join(bench.dir, 'before.snap');
    expect(taken.code).toBe(0);
    expect(taken.stdout).toBe(`${path}\t${statSync(path).size}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await sandbox('clock advance 48h');
    await sandbox('reset --yes');
    expect(await counts()).not.toBe(before);
    const back = await sandbox('restore before.snap --yes');
    expect([back.code, await counts()]).toEqual([0, before]);
  });

  it('a file that exists is left as it is, and so is what cannot be written', async () => {
    const path = join(bench.dir, 'mine.txt');
    writeFileSync(path, 'mine');
    const run = await sandbox('snapshot mine.txt');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('exists')]);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect((await sandbox('snapshot no/such/folder.snap')).code).toBe(2);
  });

  it.each([
    ['junk', Buffer.from('no snapshot of anything')],
    ['nothing', Buffer.alloc(0)],
    ['a snapshot cut short', 'cut'],
  ] as const)('restoring %s is 5, and nothing has changed', async (_, bytes) => {
    await sandbox('seed');
    await sandbox('snapshot whole.snap');
    const whole = readFileSync(join(bench.dir, 'whole.snap'));
    writeFileSync(join(bench.dir, 'bad.snap'), bytes === 'cut' ? whole.subarray(0, -9) : bytes);
    const before = await sandbox('state -o json');
    expect((await sandbox('restore bad.snap --yes')).code).toBe(5);
    expect((await sandbox('state -o json')).stdout).toBe(before.stdout);
  });

  it('restore and reset ask; off a terminal they need --yes; a missing file is 2', async () => {
    await sandbox('seed');
    await sandbox('snapshot one.snap');
    const before = await counts();
    for (const words of ['restore one.snap', 'reset', 'restore missing.snap --yes', 'reset all --yes']) {
      const run = await sandbox(words);
      expect([words, run.code, controls(run)]).toEqual([words, 2, []]);
    }
    for (const words of ['restore one.snap', 'reset']) {
      const run = await bench.run(['sandbox', ...words.split(' ')], { tty: true, stdin: '\n' });
      expect([words, run.code, controls(run)]).toEqual([words, 130, []]);
    }
    expect(await counts()).toBe(before);
  });
});

describe('balance', () => {
  const amount = async () => (await bench.run('balance EUR -o json --query amount --fresh')).stdout.trim();

  it('tops a balance up, and says what it is now', async () => {
    const run = await sandbox('balance eur +500.25 -o json');
    expect([run.code, run.data()], run.stderr).toEqual([
      0,
      expect.objectContaining({ currency: 'EUR', amount: '250500.25' }),
    ]);
    expect(await amount()).toBe('"250500.25"');
    await sandbox('balance EUR +0.75');
    expect(await amount()).toBe('"250501"');
    expect((await sandbox('balance KES +7')).code).toBe(0);
    expect((await bench.run('balance KES -o json --query amount')).stdout.trim()).toBe('"7"');
  });

  it.each<[string, number, string]>([
    ['balance EUR 500', 2, '+500'],
    ['balance EUR +', 2, 'is not an amount'],
    ['balance EUR +0', 2, 'more than 0'],
    ['balance EUR +5.0011', 2, 'more decimals than EUR has (2)'],
    ['balance EUR +1.234', 2, 'can be read in two ways'],
    ['balance QQQ +5', 2, '"QQQ" is no currency'],
    ['balance EUR', 2, 'AMOUNT'],
  ])('%s ends with %i, and nothing moves', async (words, code, said) => {
    const before = await amount();
    const run = await sandbox(words);
    expect([run.code, run.stderr, controls(run)]).toEqual([code, expect.stringContaining(said), []]);
    expect(await amount()).toBe(before);
  });
});
