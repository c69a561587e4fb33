/** A month is closed with its papers, these are read back, and what changes it afterwards is a correction where it comes. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MonthClosed } from '../../src/books/closing/close.ts';
import type { ClosingFile } from '../../src/books/closing/verify.ts';
import { openBooksFile } from '../support/book-stores.ts';
import { payArgv, type Run, senderFlags, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench();
const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);
const text = (name: string): string => readFileSync(join(bench.dir, name), 'utf8');
const at = (moment: string) => plain('sandbox', 'clock', 'set', moment);
const DECEMBER = '2026-12-01T08:00:00Z';
const ZONE = ['--zone', 'UTC'];

async function plain(...argv: string[]): Promise<Run> {
  const run = await bench.run(argv);
  expect(run.code, `${argv.join(' ')}: ${run.stderr}`).toBe(0);
  return run;
}

const pay = (ending: string, id: string) => plain(...payArgv(`01234567${ending}`, '--external-id', id));

const [COST, LATE] = ['14.99', '2026-10-31T20:00:00Z'];
const LEDGER = `reference,date,amount,currency
W-1,2026-10-12,${COST},EUR
W-2,2026-10-31,${COST},EUR
`;

/** Two payments of October: one is paid; of the other the provider refuses the account, and its money is on its way when the month ends. */
beforeEach(async () => {
  await at('2026-10-01T00:00:00Z');
  await plain('sender', 'create', ...senderFlags('customer-1'));
  await plain('books', 'sync');
  await at('2026-10-12T08:00:00Z');
  await pay('00', 'W-1');
  await at(LATE);
  await pay('08', 'W-2');
  await at('2026-11-01T08:00:00Z');
  await plain('books', 'sync');
  put('ledger.csv', LEDGER);
});

const close = (...argv: string[]): Promise<Run> =>
  bench.run(['books', 'close', '2026-10', '--ledger', 'ledger.csv', ...ZONE, ...argv]);
const verify = (...argv: string[]): Promise<Run> =>
  bench.run(['books', 'verify', 'books-2026-10', '-o', 'json', ...argv]);
const statement = (month: string, ...argv: string[]): Promise<Run> =>
  bench.run(['statement', '--month', month, ...ZONE, ...argv]);
/** The refund of what was in flight comes, and is copied. */
async function refundComes(): Promise<Run> {
  await at('2026-11-03T08:00:00Z');
  return plain('books', 'sync', '-o', 'json');
}

describe('closing', () => {
  it('writes the papers, for this user alone, with a manifest that proves them', async () => {
    const run = await close('-o', 'json');
    expect(run.code, run.stderr + run.stdout).toBe(0);
    const closed = run.data<MonthClosed>();
    expect(closed).toMatchObject({ month: '2026-10', zone: 'UTC', open: 0, files: 8 });
    const folder = join(bench.dir, 'books-2026-10');
    expect(readdirSync(folder).sort()).toEqual([
      'in-flight-totals.csv',
      'in-flight.csv',
      'manifest.json',
      'reconciliation-totals.csv',
      'reconciliation.csv',
      'sources',
      'statement-totals.csv',
      'statement.csv',
      'summary.csv',
    ]);
    expect(readdirSync(join(folder, 'sources'))).toEqual(['1-ledger.csv']);
    expect(text('books-2026-10/sources/1-ledger.csv')).toBe(LEDGER);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(run.stderr).toContain('Nothing is locked at the service.');
    const back = await verify('--manifest', closed.manifest.slice(0, 12));
    expect(back.code, back.stderr).toBe(0);
    expect(back.data<ClosingFile[]>().map(({ state }) => state)).toEqual(Array(8).fill('same'));
    expect(back.stderr).toContain('as you kept it');
  });

  it('prints the same statement, summary and money in flight as the commands do', async () => {
    await close();
    for (const [name, argv] of [
      ['statement.csv', ['statement', '--month', '2026-10']],
      ['statement-totals.csv', ['statement', '--month', '2026-10', '--totals']],
      ['summary.csv', ['summary', '--month', '2026-10']],
      ['in-flight.csv', ['summary', '--as-of', '2026-10-31']],
      ['in-flight-totals.csv', ['summary', '--as-of', '2026-10-31', '--totals']],
    ] as const) {
      const printed = await bench.run([...argv, ...ZONE, '-o', 'csv']);
      expect(text(`books-2026-10/${name}`), name).toBe(printed.stdout);
    }
    const cases = await bench.run(
      'reconcile ledger.csv --against books --month 2026-10 --zone UTC --totals -o csv',
    );
    expect(text('books-2026-10/reconciliation-totals.csv')).toBe(cases.stdout);
  });

  it('is refused where something is open, and lists that in the folder where it is wanted', async () => {
    put('ledger.csv', `${LEDGER}W-3,2026-10-20,99.50,EUR\n`);
    const refused = await close();
    expect([refused.code, existsSync(join(bench.dir, 'books-2026-10'))]).toEqual([10, false]);
    expect(refused.stdout).toContain('W-3');
    expect(refused.stderr).toContain('2026-10 is not closed: 1 difference is open.');
    expect(readdirSync(bench.dir).filter((name) => name.endsWith('.part'))).toEqual([]);
    const run = await close('--with-open', '-o', 'json');
    expect(run.code, run.stderr).toBe(0);
    expect(run.data<MonthClosed>().open).toBe(1);
    expect(text('books-2026-10/open.csv')).toMatch(/^reconciliation,.*W-3,99\.50,EUR,2026-10-20,/m);
    expect((await verify()).stderr).toContain('with 1 open difference');
  });

  it('keeps what people decided, with who and why', async () => {
    put('ledger.csv', `${LEDGER}W-3,2026-10-20,99.50,EUR\n`);
    await bench.run('reconcile ledger.csv --against books --month 2026-10 --zone UTC --exceptions open.csv');
    const [head = '', row = ''] = text('open.csv').split('\n');
    const cells = head.split(',');
    const filled = row.split(',');
    filled[cells.indexOf('decision')] = 'accept';
    filled[cells.indexOf('note')] = 'paid by hand';
    put('decided.csv', `${head}\n${filled.join(',')}\n`);
    const run = await close('--decisions', 'decided.csv');
    expect(run.code, run.stderr).toBe(0);
    expect(text('books-2026-10/decisions.csv')).toContain('paid by hand');
    expect(readdirSync(join(bench.dir, 'books-2026-10', 'sources'))).toEqual([
      '1-decided.csv',
      '2-ledger.csv',
    ]);
  });

  it.each<[string, number, RegExp, () => Promise<Run>]>([
    [
      'a month that is not over',
      2,
      /2026-11 is not over/,
      () => bench.run('books close 2026-11 --ledger ledger.csv'),
    ],
    ['no ledger', 2, /--ledger is needed/, () => bench.run('books close 2026-10')],
    ['no month', 2, /is not a month/, () => bench.run('books close October --ledger ledger.csv')],
    [
      'a folder that is there',
      2,
      /is there already/,
      () => {
        mkdirSync(join(bench.dir, 'books-2026-10'));
        return close();
      },
    ],
    [
      'one that was broken off',
      2,
      /a closing was broken off/,
      () => {
        mkdirSync(join(bench.dir, 'books-2026-10.part'));
        return close();
      },
    ],
  ])('refuses %s', async (_, code, words, run) => {
    const refused = await run();
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringMatching(words)]);
    expect((await bench.run('books status -o json')).data<{ closed: unknown[] }>().closed).toEqual([]);
  });

  it('is too early where nobody looked since the month ended', async () => {
    const { ms } = machine;
    // By our clock, to which the books compare: the month is over, and nobody looked since.
    machine.ms += 40 * 86_400_000;
    const early = await bench.run(['books', 'close', '2026-11', '--ledger', 'ledger.csv', ...ZONE]);
    machine.ms = ms;
    expect([early.code, early.stderr]).toEqual([8, expect.stringContaining('remit books sync')]);
  });

  it('is done once; --again writes the papers again, and the books keep the new manifest', async () => {
    const first = (await close('-o', 'json')).data<MonthClosed>();
    const refused = await close('--folder', 'other');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('2026-10 was closed on')]);
    put('ledger.csv', `${LEDGER}\n`);
    const again = await close('--again', '--folder', 'other', '-o', 'json');
    expect(again.code, again.stderr).toBe(0);
    const { manifest } = again.data<MonthClosed>();
    expect(manifest).not.toBe(first.manifest);
    const status = (await bench.run('books status -o json')).data<{ closed: { manifest: string }[] }>();
    expect(status.closed.map((one) => one.manifest)).toEqual([manifest]);
    expect(
      (await bench.run(['books', 'close', '2026-09', '--again', '--ledger', 'ledger.csv', ...ZONE])).code,
    ).toBe(2);
  });

  it('has one time zone for all months', async () => {
    await close();
    await at(DECEMBER);
    await plain('books', 'sync');
    const other = await bench.run('books close 2026-11 --ledger ledger.csv --zone Africa/Lagos');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--zone UTC')]);
  });
});

describe('what was broken off', () => {
  it('gets its name when the month is closed again, where the books know its manifest', async () => {
    await close();
    renameSync(join(bench.dir, 'books-2026-10'), join(bench.dir, 'books-2026-10.part'));
    const run = await close('-o', 'json');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('2026-10 was closed already, and its folder was not finished: it is now.');
    expect((await verify()).code).toBe(0);
  });

  it('is never taken for the papers where the manifest is another one', async () => {
    await close();
    renameSync(join(bench.dir, 'books-2026-10'), join(bench.dir, 'books-2026-10.part'));
    put('books-2026-10.part/manifest.json', `${text('books-2026-10.part/manifest.json')} `);
    expect((await close()).code).toBe(2);
    expect(existsSync(join(bench.dir, 'books-2026-10'))).toBe(false);
  });
});

describe('the papers', () => {
  it.each<[string, () => void, string, string]>([
    ['one that was changed', () => put('books-2026-10/summary.csv', 'x'), 'summary.csv', 'changed'],
    [
      'a digit that was changed',
      () => put('books-2026-10/statement.csv', text('books-2026-10/statement.csv').replace('14.99', '14.98')),
      'statement.csv',
      'changed',
    ],
    [
      'one that is gone',
      () => rmSync(join(bench.dir, 'books-2026-10', 'in-flight.csv')),
      'in-flight.csv',
      'missing',
    ],
    [
      'one that came later',
      () => put('books-2026-10/sources/x.csv', ''),
      'sources/x.csv',
      'not in the manifest',
    ],
  ])('say of %s', async (_, change, name, state) => {
    await close();
    change();
    const back = await verify();
    expect(back.code).toBe(10);
    const wrong = back.data<ClosingFile[]>().filter((one) => one.state !== 'same');
    expect(wrong.map((one) => [one.name, one.state])).toEqual([[name, state]]);
  });

  it('are not believed on a manifest that was changed with them', async () => {
    const { manifest } = (await close('-o', 'json')).data<MonthClosed>();
    const path = 'books-2026-10/manifest.json';
    put(path, text(path).replace('"open": 0', '"open": 1'));
    const back = await verify('--manifest', manifest);
    expect([back.code, back.stderr]).toEqual([10, expect.stringContaining('The manifest is another one')]);
  });

  it.each([
    ['a folder without one', () => rmSync(join(bench.dir, 'books-2026-10/manifest.json')), 6],
    ['no JSON', () => put('books-2026-10/manifest.json', '{'), 10],
    [
      'another document',
      () => put('books-2026-10/manifest.json', '{"version":1,"kind":"books","data":{}}'),
      10,
    ],
    [
      'a name outside of the folder',
      () =>
        put(
          'books-2026-10/manifest.json',
          text('books-2026-10/manifest.json').replace('"summary.csv"', '"../ledger.csv"'),
        ),
      10,
    ],
  ])('are refused: %s', async (_, change, code) => {
    await close();
    change();
    expect((await verify()).code).toBe(code);
  });
});

describe('what comes after a month was closed', () => {
  it('is said by sync, status and statement, and stands where it came', async () => {
    await close();
    const before = (await statement('2026-10', '--totals', '-o', 'json')).stdout;
    const synced = await refundComes();
    const correction = { month: '2026-10', currency: 'EUR', movements: 1, amount: COST };
    expect(synced.data<{ corrections: object[] }>().corrections).toEqual([correction]);
    expect(synced.stderr).toContain(`1 movement corrects 2026-10, which is closed: ${COST} EUR.`);
    const status = await bench.run('books status -o json');
    expect(status.data<{ closed: object[] }>().closed).toEqual([
      expect.objectContaining({ month: '2026-10', corrections: [correction] }),
    ]);
    expect((await bench.run('books status', { tty: true, columns: 100 })).stdout).toContain(
      `1 movement corrects it: ${COST} EUR`,
    );
    expect((await statement('2026-10', '--totals', '-o', 'json')).stdout).toBe(before);
    const october = await statement('2026-10', '-o', 'json');
    expect(october.stderr).toContain(`1 movement of its payments came since, ${COST} EUR`);
    expect(october.data<{ corrects: string | null }[]>().every(({ corrects }) => corrects === null)).toBe(
      true,
    );
    const summary = await bench.run(['summary', '--month', '2026-10', ...ZONE]);
    expect(summary.stderr).toContain(`1 movement of its payments came since, ${COST} EUR`);
    const november = await statement('2026-11', '-o', 'json');
    expect(november.stderr).toContain('1 movement corrects 2026-10, which is closed');
    const lines = november.data<{ kind: string; corrects: string | null }[]>();
    expect(lines.flatMap(({ kind, corrects }) => (corrects === null ? [] : [[kind, corrects]]))).toEqual([
      ['refund', '2026-10'],
    ]);
    expect((await statement('2026-11')).stdout).toContain('refund of 2026-10');
    expect((await statement('2026-11', '--camt053')).stdout).toContain(
      'It corrects 2026-10, which was closed before.',
    );
  });

  it('is no correction where the month was closed after it came', async () => {
    await refundComes();
    put('ledger.csv', LEDGER.replace(/W-2.*\n/, ''));
    const run = await close('--with-open');
    expect(run.code, run.stderr).toBe(0);
    const lines = (await statement('2026-11', '-o', 'json')).data<{ corrects: string | null }[]>();
    expect(lines.every(({ corrects }) => corrects === null)).toBe(true);
  });

  it('is told once by sync', async () => {
    await close();
    await refundComes();
    await at('2026-11-04T08:00:00Z');
    const again = await plain('books', 'sync', '-o', 'json');
    expect(again.data<{ corrections: object[] }>().corrections).toEqual([]);
  });
});

it('sync --check knows that a correction makes up for a movement of a closed month', async () => {
  await close();
  const [file = ''] = readdirSync(bench.dir).filter((name) => /^remit-books-.*\.db$/.test(name));
  const database = await openBooksFile(join(bench.dir, file));
  const set = (amount: string, correction: string) => {
    database.run("DELETE FROM marks WHERE kind = 'correction'");
    database.run(
      "UPDATE marks SET amount = ? WHERE kind = 'debit' AND at < ?",
      amount,
      Date.UTC(2026, 9, 20),
    );
    database.run(
      "INSERT INTO marks SELECT seq, 'correction', of, ?, currency, ? FROM marks WHERE kind = 'debit' AND at < ?",
      ...[Date.UTC(2026, 10, 1, 9), correction, Date.UTC(2026, 9, 20)],
    );
  };
  set('-10', '-5');
  const wrong = await bench.run('books sync --check -o json');
  expect([wrong.code, wrong.stdout]).toEqual([10, expect.stringContaining('movements differ')]);
  // The right sum, of another payout.
  set('-10', '-4.99');
  database.run("UPDATE marks SET of = 'another' WHERE kind = 'correction'");
  expect((await bench.run('books sync --check -o json')).stdout).toContain('movements differ');
  set('-10', '-4.99');
  const right = await bench.run('books sync --check -o json');
  database.close();
  expect(right.stdout).not.toContain('movements differ');
});
