/** Books in a PostgreSQL that several machines share. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { only, paymentFlags, type RunOptions, useBench } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { openPool, type PostgresServer, startPostgres } from '../support/postgres.ts';

const bench = useBench({ sender: true });
let server: PostgresServer;
let url: string;
let databases = 0;
const admin = async (...statements: string[]): Promise<Record<string, unknown>[]> => {
  const pool = openPool(server, 1);
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) ({ rows } = await pool.query(statement));
  await pool.end();
  return rows;
};
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const name = `books_${databases++}`;
  await admin(`CREATE DATABASE ${name}`);
  url = server.url.replace(/postgres$/, name);
});
const inDatabase = async (sql: string): Promise<Record<string, unknown>[]> => {
  const pool = openPool({ url }, 1);
  const { rows } = await pool.query(sql);
  await pool.end();
  return rows;
};

type Json = Record<string, unknown>;
/** A machine has settings of its own, and nothing else. */
const on = (machine: string): RunOptions => ({
  env: { REMIT_CONFIG_DIR: join(bench.dir, machine), REMIT_STORE: url },
});
const run = (machine: string, ...argv: string[]) => bench.run([...argv, '-o', 'json'], on(machine));
const seed = (rounds: number) => bench.run(['sandbox', 'seed', '--rounds', String(rounds)]);
const agrees = async (machine: string): Promise<void> => {
  const checked = await run(machine, 'books', 'sync', '--check');
  expect([checked.code, checked.data()], checked.stderr).toEqual([0, []]);
};
const pay = (id: string, account: string) =>
  bench.run([
    ...['tx', 'create', ...paymentFlags('customer-1', account), '--external-id', id],
    ...['--fund', '--max-input', '20'],
  ]);

it('are synced by one machine, and searched, compared and forgotten by another; looking makes none', async () => {
  await seed(12);
  await pay('INV-2044', '0123454471');
  for (const argv of [
    ['books', 'status'],
    ['search', '4471'],
    ['books', 'forget', '--all'],
  ])
    expect((await run('b', ...argv)).code, argv.join(' ')).toBe(6);
  expect(await inDatabase("SELECT 1 FROM pg_namespace WHERE nspname = 'remit_books'")).toEqual([]);
  const first = await run('a', 'books', 'sync');
  expect([first.code, first.data<Json>()], first.stderr).toMatchObject([0, { added: 121, complete: true }]);
  expect(existsSync(join(bench.dir, 'a'))).toBe(false);
  const status = (await run('b', 'books', 'status')).data<Json>();
  expect(status).toMatchObject({ transactions: 121, names: true, file: url.replace('hush-hush', '***') });
  const found = await run('b', 'search', '4471', 'obi');
  expect(found.data<Json[]>()).toMatchObject([{ external_id: 'INV-2044' }]);
  expect(found.requests).toEqual([]);
  await agrees('b');
  await bench.run(['sandbox', 'clock', 'advance', '2d']);
  await seed(1);
  expect((await run('b', 'books', 'sync')).data<Json>()).toMatchObject({ added: 10, complete: true });
  await agrees('a');
  const stated = await run('a', 'statement', '--month', '2026-01', '--totals', '--from-first-seen');
  expect([stated.code, stated.data<Json[]>().length > 0], stated.stderr).toEqual([0, true]);
  const ledger = 'external_id,date,amount,currency\nINV-2044,2026-01-05,14.99,EUR\n';
  writeFileSync(join(bench.dir, 'ledger.csv'), ledger);
  const compared = await run('b', 'reconcile', 'ledger.csv', '--against', 'books', '--ending', 'matched');
  expect([compared.code, compared.requests], compared.stderr).toEqual([10, []]);
  // A machine without the word that opens the controls goes by its own clock.
  expect((await run('a', 'books', 'forget', '--before', '1d')).data<Json>()).toMatchObject({ forgotten: 0 });
  expect((await run('a', 'books', 'forget', '--all')).data<Json>()).toMatchObject({
    forgotten: 131,
    left: 0,
  });
  const tables = ['entries', 'marks', 'moved', 'balances', 'rates'].map(
    (name) => `(SELECT count(*) FROM remit_books.${name})`,
  );
  expect(await inDatabase(`SELECT (${tables.join(' + ')})::int AS left`)).toEqual([{ left: 0 }]);
});

it.runIf(isLong)('are the same whoever syncs, several at once while payments move', async () => {
  for (let day = 0; day < 6; day++) {
    await seed(2);
    await bench.run(['sandbox', 'clock', 'advance', '1d']);
    const both = await Promise.all(['a', 'b', 'c'].map((machine) => run(machine, 'books', 'sync')));
    for (const { code, stderr } of both) expect(code, stderr).toBe(0);
    await agrees('a');
  }
  expect((await run('b', 'books', 'status')).data<Json>()).toMatchObject({ transactions: 120 });
});

it('without names need the key on each machine', async () => {
  await pay('INV-2044', '0123454471');
  expect((await run('a', 'books', 'sync', '--no-names')).code).toBe(0);
  const refused = await run('b', 'books', 'sync');
  expect([refused.code, refused.error().code]).toEqual([78, 'books_key']);
  const [key = ''] = readdirSync(join(bench.dir, 'a')).filter((name) => name.endsWith('.key'));
  mkdirSync(join(bench.dir, 'b'), { recursive: true });
  copyFileSync(join(bench.dir, 'a', key), join(bench.dir, 'b', key));
  expect((await run('b', 'search', '0123454471')).data<Json[]>()).toMatchObject([
    { external_id: 'INV-2044' },
  ]);
  const [row] = await inDatabase('SELECT body || finds AS text FROM remit_books.entries');
  expect(String(row?.text)).not.toMatch(/0123454471|Obi|Marques|marques/);
  await agrees('b');
});

it('are named by --store with the password from a file, and a file is none', async () => {
  await seed(1);
  const password = join(bench.dir, 'password.txt');
  writeFileSync(password, 'hush-hush\n');
  const bare = url.replace(':hush-hush', '');
  const flags = ['--store', bare, '--store-password-file', password];
  const machine = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'd') } };
  expect((await bench.run(['books', 'sync', ...flags], machine)).code).toBe(0);
  const status = await bench.run(['books', 'status', '-o', 'json', ...flags], machine);
  expect(status.data<Json>()).toMatchObject({ transactions: 10, file: bare });
  const file = await bench.run(['books', 'sync', '--store', 'books.db'], machine);
  expect([file.code, file.stderr]).toMatchObject([2, expect.stringContaining('shared through a PostgreSQL')]);
  const open = await bench.run(['books', 'sync', '--store', url], machine);
  expect([open.code, open.stderr]).toMatchObject([
    2,
    expect.stringContaining('can be read by every process'),
  ]);
});

it('are fed by a pay run in the same PostgreSQL', async () => {
  await seed(1);
  expect((await run('a', 'books', 'sync')).code).toBe(0);
  mkdirSync(join(bench.dir, 'a'), { recursive: true });
  writeFileSync(join(bench.dir, 'wages.csv'), fileOfRows(30));
  await run('a', 'batch', 'plan', 'wages.csv', '--name', 'wages', '--max-input', 'EUR=1000');
  const ran = await run('b', 'batch', 'run', 'wages');
  expect(ran.code, ran.stderr).toBe(0);
  expect((await run('a', 'books', 'status')).data<Json>()).toMatchObject({ transactions: 40 });
});

it('go on after the database was away in the middle of a sync', async () => {
  await seed(25);
  await run('a', 'books', 'sync');
  await bench.run(['sandbox', 'clock', 'advance', '2d']);
  await seed(25);
  bench.bend(
    only(
      ({ url: asked }) => /\/transactions\?.*page=2/.test(asked),
      async (request, next) => {
        await server.halt();
        return next(request);
      },
    ),
  );
  const cut = await run('a', 'books', 'sync');
  bench.straighten();
  await server.start();
  expect([cut.code, cut.error().code], cut.stderr).toEqual([75, 'store_unreachable']);
  expect((await run('b', 'books', 'sync')).data<Json>()).toMatchObject({ complete: true });
  await agrees('a');
});

it('of another version, or out of reach, are said so', async () => {
  await seed(1);
  await run('a', 'books', 'sync');
  await inDatabase('UPDATE remit_books.version SET version = 9');
  const newer = await run('a', 'books', 'status');
  expect([newer.code, newer.error().message]).toMatchObject([78, expect.stringContaining('newer version')]);
  const away = await bench.run(['search', '4471', '-o', 'json'], {
    env: { ...on('a').env, REMIT_STORE: 'postgres://remit@127.0.0.1:9/remit' },
  });
  expect([away.code, away.error().code]).toEqual([75, 'store_unreachable']);
});
