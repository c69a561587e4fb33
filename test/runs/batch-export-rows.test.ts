/** What is left of a run cannot be paid twice: whichever store says it, and whoever pays it. */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, only, type Run, unreachable, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');
const sent = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;
const at = (name: string): string => join(bench.dir, name);

async function plan(text: string, name = 'wages', ...more: string[]): Promise<void> {
  writeFileSync(at(`${name}.csv`), text);
  const made = await batch('plan', at(`${name}.csv`), '--name', name, '--max-input', 'EUR=1000', ...more);
  expect(made.code, made.stderr).toBe(0);
}
const states = async (name = 'wages') =>
  (await batch('status', name, '-o', 'json')).data<{ states: Record<string, number> }>().states;
const payments = async () =>
  (await bench.run('tx list --limit 100 -o json')).data<{ external_id: string; state: string }[]>();
const ENDS = ['', '-wal'];
function keep(name: string): void {
  for (const end of ENDS)
    if (existsSync(at(`remit.db${end}`))) copyFileSync(at(`remit.db${end}`), at(name + end));
}
function putBack(name: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(at(`remit.db${end}`), { force: true });
  for (const end of ENDS) if (existsSync(at(name + end))) copyFileSync(at(name + end), at(`remit.db${end}`));
}
const externalIds = (csv: string): string[] => {
  const [header = '', ...lines] = csv.trim().split('\n');
  const place = header.split(',').indexOf('external_id');
  return lines.map((line) => line.split(',')[place] ?? '');
};

describe('what was paid is not left, nor paid again', () => {
  it('by an old copy of the store', async () => {
    await plan(fileOfRows(3));
    keep('old.db');
    expect((await batch('run', 'wages')).code).toBe(0);
    putBack('old.db');
    expect(await states()).toEqual({ planned: 3 });
    const left = await batch('remaining', 'wages');
    expect([left.code, left.stdout, left.stderr]).toEqual([
      10,
      '',
      expect.stringContaining('Left out: the service has a payment of rows E-0, E-1, E-2'),
    ]);
    const handed = await batch('remaining', 'wages', '--hand-on', at('rest.csv'), '--yes');
    expect([handed.code, handed.stderr]).toEqual([
      1,
      expect.stringContaining('no row of run "wages" is left'),
    ]);
    const cancelled = await batch('cancel', 'wages', '--yes');
    expect([cancelled.code, cancelled.stderr]).toEqual([
      10,
      expect.stringContaining('But the service has a payment of rows E-0, E-1, E-2'),
    ]);
    expect(await payments()).toHaveLength(3);
  });

  it('by a second store with the same run', async () => {
    await plan(fileOfRows(3));
    keep('second.db');
    bench.intercept(
      only(
        (request) => isPayment(request) && (request.body ?? '').includes('wages:E-2'),
        answering(422, '{"object":{"errors":{"sender":[{"error":"invalid"}]}},"meta":{}}'),
      ),
    );
    await batch('run', 'wages');
    bench.restore();
    putBack('second.db');
    const left = await batch('remaining', 'wages');
    expect([left.code, externalIds(left.stdout)]).toEqual([10, ['wages:E-2']]);
  });

  it('by an open run that is continued later', async () => {
    await plan(fileOfRows(3));
    const left = await batch('remaining', 'wages');
    expect([left.code, externalIds(left.stdout)]).toEqual([0, ['wages:E-0', 'wages:E-1', 'wages:E-2']]);
    await plan(left.stdout, 'next');
    expect((await batch('run', 'next')).code).toBe(0);
    await batch('run', 'wages');
    expect(await payments()).toHaveLength(3);
  });

  it('by a corrected amount under an id that is used', async () => {
    const mine = (amount: string) =>
      `key,external_id,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account\nE-0,mine-1,NGN::Bank,${amount},EUR,customer-1,Ada,Obi,044,0000000000\n`;
    await plan(mine('1000'));
    await batch('run', 'wages');
    await plan(mine('1500'), 'corrected', '--offline');
    const ran = await batch('run', 'corrected');
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining('1 needs you: another payment has the external id'),
    ]);
    expect(await states('corrected')).toEqual({ conflict: 1 });
    const row = await bench.run('batch show corrected E-0', { tty: true });
    expect(row.stdout).toMatch(/who must act +you: another payment has its external id/);
    const left = await batch('remaining', 'corrected', '--refunded');
    expect([left.code, left.stdout]).toEqual([0, '']);
    // What the service has under the id is the other payment: it does not make this row paid.
    await batch('status', 'corrected', '--update');
    expect(await states('corrected')).toEqual({ conflict: 1 });
    expect(await payments()).toHaveLength(1);
  });
});

describe('rows that are handed on', () => {
  const handOn = (...more: string[]) =>
    batch('remaining', 'wages', '--hand-on', at('rest.csv'), '--yes', ...more);

  it('are in a file for this user alone, the same again and again, and never sent by their run', async () => {
    await plan(fileOfRows(4));
    await batch('cancel', 'wages', '--rows', 'E-1', '--yes');
    const handed = await handOn();
    expect([handed.code, handed.stdout.includes('\t')], handed.stderr).toEqual([0, true]);
    expect(handed.stderr).toContain('4 of 4 rows are in ');
    expect(statSync(at('rest.csv')).mode & 0o777).toBe(0o600);
    const first = readFileSync(at('rest.csv'), 'utf8');
    expect(externalIds(first)).toEqual(['wages:E-0', 'wages:E-1', 'wages:E-2', 'wages:E-3']);
    expect(await states()).toEqual({ handed_on: 4 });
    expect((await handOn()).code).toBe(0);
    expect(readFileSync(at('rest.csv'), 'utf8')).toBe(first);
    rmSync(at('rest.csv'));
    expect((await handOn()).code).toBe(0);
    expect(readFileSync(at('rest.csv'), 'utf8')).toBe(first);
    const ran = await batch('run', 'wages');
    expect([sent(ran), ran.stderr]).toEqual([0, expect.stringContaining('4 are handed on to another file')]);
    await plan(first, 'rest');
    expect((await batch('run', 'rest')).code).toBe(0);
    // The first run does not count what the second one paid.
    const { spent, states: now } = (await batch('status', 'wages', '--update', '-o', 'json')).data<{
      spent: object;
      states: object;
    }>();
    expect([spent, now]).toEqual([{}, { handed_on: 4 }]);
    expect((await handOn()).code).toBe(0);
    expect(readFileSync(at('rest.csv'), 'utf8')).toBe(first);
    expect(await payments()).toHaveLength(4);
  });

  it('are taken back where the service has no record of them, and paid by their run again', async () => {
    await plan(fileOfRows(3));
    await handOn();
    await plan(readFileSync(at('rest.csv'), 'utf8').split('\n').slice(0, 2).join('\n'), 'rest');
    await batch('run', 'rest');
    const back = await batch('take-back', 'wages', '--yes');
    expect([back.code, back.stderr]).toEqual([
      10,
      expect.stringContaining('Still handed on, since the service has a record: row E-0'),
    ]);
    expect(await states()).toEqual({ planned: 2, handed_on: 1 });
    expect(sent(await batch('run', 'wages'))).toBe(2);
    expect((await payments()).map(({ external_id }) => external_id).sort()).toEqual([
      'wages:E-0',
      'wages:E-1',
      'wages:E-2',
    ]);
    const none = await batch('take-back', 'rest', '--yes');
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('no row of run "rest" is handed on'),
    ]);
  });

  it('may be paid by another: their file is asked about again, and so is taking them back once another run pays them', async () => {
    const original = fileOfRows(3);
    await plan(original);
    await handOn();
    const again = (...more: string[]) =>
      batch('plan', at('wages.csv'), '--name', 'again', '--max-input', 'EUR=1000', ...more);
    const asked = await again();
    expect([asked.code, asked.stderr]).toEqual([
      10,
      expect.stringMatching(
        /3 of 3 rows pay the same account the same amount as the run "wages".*--repeat wages/s,
      ),
    ]);
    expect(await batch('list', '-o', 'json').then((made) => made.data<unknown[]>())).toHaveLength(1);
    // The file of these rows has their own external ids: it is no other payment.
    await plan(readFileSync(at('rest.csv'), 'utf8').split('\n').slice(0, 2).join('\n'), 'rest');
    expect((await batch('run', 'rest')).code).toBe(0);
    expect((await again('--repeat', 'wages', '--repeat', 'rest')).code).toBe(0);
    // Planned later, and later still than a plan is asked about.
    await bench.run(['sandbox', 'clock', 'advance', '9d']);
    const back = await batch('take-back', 'wages', '--yes');
    expect([back.code, back.stderr]).toEqual([
      10,
      expect.stringMatching(
        /2 of 2 rows pay the same account the same amount as the run "again".*--repeat again/s,
      ),
    ]);
    expect(await states()).toEqual({ handed_on: 3 });
    expect((await batch('run', 'again')).code).toBe(0);
    expect((await batch('take-back', 'wages', '--yes')).code).toBe(10);
    expect(sent(await batch('run', 'wages'))).toBe(0);
    expect((await payments()).map(({ external_id }) => external_id).sort()).toEqual([
      'again:E-0',
      'again:E-1',
      'again:E-2',
      'wages:E-0',
    ]);
    expect((await batch('take-back', 'wages', '--repeat', 'again', '--yes')).code).toBe(10);
    expect(await states()).toEqual({ planned: 2, handed_on: 1 });
  });

  it('are taken back beside one row of another run alone only once that run is named', async () => {
    await plan(fileOfRows(3));
    await handOn();
    const [header = '', , , last = ''] = fileOfRows(3).split('\n');
    await plan([header, last].join('\n'), 'alone', '--repeat', 'wages');
    const back = await batch('take-back', 'wages', '--yes');
    expect([back.code, back.stderr]).toEqual([10, expect.stringContaining('1 of 3 rows pay')]);
    expect((await batch('take-back', 'wages', '--repeat', 'alone', '--yes')).code).toBe(0);
    expect(await states()).toEqual({ planned: 3 });
  });

  it('whose payment came back have the next external id, the same on two machines', async () => {
    await plan(fileOfRows(2, { ending: () => '19' }));
    keep('second.db');
    await batch('run', 'wages');
    await bench.sandbox.drain();
    const { data } = JSON.parse((await batch('rows', 'wages', '-o', 'json')).stdout) as {
      data: { recipient_id: string }[];
    };
    for (const { recipient_id: id } of data) await bench.run(['recipient', 'cancel', id, '--yes', '--wait']);
    await batch('status', 'wages', '--update');
    expect((await handOn()).code).toBe(1);
    const handed = await handOn('--refunded');
    expect(handed.code, handed.stderr).toBe(0);
    const text = readFileSync(at('rest.csv'), 'utf8');
    expect(externalIds(text)).toEqual(['wages:E-0~2', 'wages:E-1~2']);
    rmSync(at('rest.csv'));
    putBack('second.db');
    expect((await handOn()).code).toBe(0);
    expect(readFileSync(at('rest.csv'), 'utf8')).toBe(text);
  });

  it('are none while the service cannot be asked, or another file has the name', async () => {
    await plan(fileOfRows(2));
    writeFileSync(at('rest.csv'), 'something else\n');
    const other = await handOn();
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('is there already, with something else'),
    ]);
    expect(readFileSync(at('rest.csv'), 'utf8')).toBe('something else\n');
    rmSync(at('rest.csv'));
    bench.intercept(unreachable);
    expect((await handOn()).code).toBe(75);
    expect(await states()).toEqual({ planned: 2 });
    const cancelled = await batch('cancel', 'wages', '--yes');
    expect([cancelled.code, cancelled.stderr]).toEqual([
      0,
      expect.stringContaining('The service could not be asked whether it has a payment of them'),
    ]);
  });

  it('leave an approved run approved', async () => {
    await plan(fileOfRows(2));
    const { digest } = (await batch('status', 'wages', '-o', 'json')).data<{ digest: string }>();
    await batch('approve', 'wages', '--digest', digest);
    await handOn();
    expect((await batch('status', 'wages', '-o', 'json')).data()).toMatchObject({ state: 'approved' });
  });
});
