/** Books without names: what is found, what is refused, and that no file has a name or an account. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bookEntryOf } from '../../src/books/entry.ts';
import { openSqliteBooks } from '../../src/books/store/sqlite.ts';
import { GROUPINGS } from '../../src/books/summary/groups.ts';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { baseUrl, controlToken, paymentFlags, person, type RunOptions, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

type Json = Record<string, unknown>;
/** The payments are made elsewhere: here is nothing but the books. */
const here = (): RunOptions => ({ env: { REMIT_CONFIG_DIR: join(bench.dir, 'books') } });
const run = (...argv: string[]) => bench.run([...argv, '-o', 'json'], here());
const sync = (...argv: string[]) => run('books', 'sync', ...argv);
const find = async (...words: string[]) =>
  (await run('search', ...words)).data<Json[]>().map(({ external_id }) => external_id);

const files = () => readdirSync(join(bench.dir, 'books')).map((name) => join(bench.dir, 'books', name));
const bytes = (): string =>
  files()
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
const keyFile = (): string => files().find((file) => file.endsWith('.key')) ?? '';

/** What nobody may read out of a copy of the books: as it was said, and as it is searched for. Short words stand in a hash by chance. */
const PERSONAL = [
  ...['Zoëlinde', 'zoelinde', 'Okonkwoski', 'okonkwoski', 'Adalberta', 'adalberta', 'Rent May', 'rent may'],
  ...['0123454471', '0123454400', person.first_name, person.last_name, person.last_name.toLowerCase()],
  ...[person.street, person.phone_number, person.email, person.birth_date, person.postal_code, person.ip],
];

const pay = async (id: string, first: string, account: string): Promise<void> => {
  const flags = paymentFlags('customer-1', account).map((one) =>
    one.replace('=Ada', `=${first}`).replace('=Obi', '=Okonkwoski'),
  );
  const made = await bench.run([
    ...['tx', 'create', ...flags, '--external-id', id],
    ...['--metadata', 'order=Rent May', '--fund', '--max-input', '20'],
  ]);
  expect(made.code, made.stderr).toBe(0);
};

beforeEach(async () => {
  await pay('INV-2044', 'Zoëlinde', '0123454471');
  await pay('INV-2045', 'Adalberta Maria', '0123454400');
  const first = await sync('--no-names');
  expect([first.code, first.data<Json>()], first.stderr).toMatchObject([0, { added: 2, complete: true }]);
});

it('no file of the folder has a byte of a name or an account; the key is a file of its own', async () => {
  const text = bytes();
  for (const one of PERSONAL) expect(text, one).not.toContain(Buffer.from(one).toString('latin1'));
  expect(text).toContain('INV-2044');
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  const key = readFileSync(keyFile(), 'utf8').trim();
  for (const file of files()) if (file !== keyFile()) expect(readFileSync(file, 'latin1')).not.toContain(key);
});

it('whole words find: names in any order, accounts, e-mail, metadata; and what is no name as always', async () => {
  expect(await find('0123454471')).toEqual(['INV-2044']);
  expect(await find('0123 4544 71')).toEqual(['INV-2044']);
  expect(await find('zoelinde')).toEqual(['INV-2044']);
  expect(await find('OKONKWOSKI', 'Zoëlinde')).toEqual(['INV-2044']);
  expect(await find('okonkwoski maria adalberta')).toEqual(['INV-2045']);
  expect((await find(person.email)).sort()).toEqual(['INV-2044', 'INV-2045']);
  expect((await find(person.phone_number)).sort()).toEqual(['INV-2044', 'INV-2045']);
  expect((await find('rent', 'may')).sort()).toEqual(['INV-2044', 'INV-2045']);
  expect(await find('inv-2045')).toEqual(['INV-2045']);
  expect(await find('2045', 'EUR')).toEqual(['INV-2045']);
  expect(await find('25000', 'zoelinde', '2026-01-05')).toEqual(['INV-2044']);
  for (const part of ['4471', 'zo', 'zoe', 'mari', 'example.com', '123454471'])
    expect(await find(part), part).toEqual([]);
});

it('search says that only whole words find, and shows neither names nor hashes', async () => {
  const found = await run('search', 'zoelinde');
  expect(found.stderr).toContain('kept without names');
  expect(found.data<Json[]>()).toMatchObject([{ external_id: 'INV-2044', why: 'name', state: 'error' }]);
  expect(found.stdout).not.toMatch(/hashes|#[0-9a-z]{16}|Zo/);
  const shown = await bench.run(['search', 'zoelinde'], { ...here(), tty: true });
  expect(shown.stdout).toContain('INV-2044');
  expect((await run('books', 'status')).data<Json>().names).toBe(false);
});

it('they stay so, agree with the service, and a change of a name is a difference', async () => {
  const checked = async () => {
    const run = await sync('--check');
    return [run.code, run.data<Json[]>().map(({ what }) => what)];
  };
  expect(await checked()).toEqual([0, []]);
  await pay('INV-2046', 'Bolanle', '0123454419');
  expect(await checked()).toEqual([10, ['state received']]);
  expect((await sync()).data<Json>()).toMatchObject({ added: 1, complete: true });
  expect(await checked()).toEqual([0, []]);
  expect(await find('bolanle')).toEqual(['INV-2046']);
  expect(bytes().toLowerCase()).not.toContain('bolanle');
  const edited = await bench.run(['recipient', 'edit', 'INV-2046', '--detail', 'first_name=Chidi', '--yes']);
  expect(edited.code, edited.stderr).toBe(0);
  expect(await checked()).toEqual([10, ['recipients']]);
  await sync();
  expect([await find('bolanle'), await find('chidi')]).toEqual([[], ['INV-2046']]);
});

it('a ledger is reconciled against them as against books with names', async () => {
  const rows = ['INV-2044', 'INV-2045', 'INV-2099'].map((id) => `${id},2026-01-05,14.99,EUR`);
  writeFileSync(join(bench.dir, 'ledger.csv'), ['external_id,date,amount,currency', ...rows, ''].join('\n'));
  const argv = ['reconcile', 'ledger.csv', '--against', 'books', '-o', 'json'];
  const hidden = await bench.run(argv, here());
  const named = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'named') } };
  await bench.run(['books', 'sync'], named);
  const full = await bench.run(argv, named);
  expect([hidden.code, hidden.data<Json[]>()]).toEqual([full.code, full.data()]);
  expect(full.data<Json[]>().length).toBeGreaterThan(0);
});

it('a statement and summaries come to the same as from books with names', async () => {
  const named = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'named') } };
  await bench.run(['books', 'sync'], named);
  await bench.run(['sandbox', 'seed', '--rounds', '3']);
  await bench.run(['sandbox', 'clock', 'advance', '1d']);
  for (const options of [here(), named]) {
    keepControlToken(options.env ?? {}, baseUrl, controlToken);
    const synced = await bench.run(['books', 'sync'], options);
    expect(synced.code, synced.stderr).toBe(0);
  }
  for (const command of [['statement'], ...GROUPINGS.map((by) => ['summary', '--by', by])]) {
    const argv = [...command, '--month', '2026-01', '-o', 'json'];
    const [hidden, full] = [await bench.run(argv, here()), await bench.run(argv, named)];
    const nameless = hidden.data<Json[]>().map(({ name: _, ...rest }) => rest);
    expect([hidden.code, nameless], command.join(' ')).toEqual([
      full.code,
      full.data<Json[]>().map(({ name: _, ...rest }) => rest),
    ]);
    expect(full.data<Json[]>().length).toBeGreaterThan(0);
  }
});

it('books with names are not kept on without them, nor the other way round before forget --all', async () => {
  const other = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'named') } };
  await bench.run(['books', 'sync'], other);
  const refused = await bench.run(['books', 'sync', '--no-names'], other);
  expect([refused.code, refused.stderr]).toMatchObject([
    2,
    expect.stringContaining('remit books forget --all'),
  ]);
  const file = readdirSync(join(bench.dir, 'named')).find((name) => /-books-.*\.db$/.test(name)) ?? '';
  const [own = ''] = files().filter((name) => /-books-.*\.db$/.test(name));
  const [named, hidden] = [await openSqliteBooks(join(bench.dir, 'named', file)), await openSqliteBooks(own)];
  const [full] = await named.bodies('', 1);
  const entry = bookEntryOf(JSON.parse(full?.body ?? ''), 0);
  if (!entry) throw new Error('an entry');
  await expect(hidden.keep([entry])).rejects.toMatchObject({ kind: 'remade' });
  await expect(named.keep([{ ...entry, hiddenBy: 'another' }])).rejects.toMatchObject({ kind: 'remade' });
  named.close();
  hidden.close();
  await run('books', 'forget', '--all');
  expect([keyFile(), bytes().includes('INV-2044')]).toEqual(['', false]);
  expect((await sync()).data<Json>()).toMatchObject({ added: 2, complete: true });
  expect(await find('4471')).toEqual(['INV-2044']);
});

it('without their key nothing is found or kept, and what to do is said; the rest goes on', async () => {
  rmSync(keyFile());
  for (const argv of [
    ['search', 'zoe'],
    ['books', 'sync'],
    ['books', 'sync', '--no-names'],
  ]) {
    const refused = await bench.run(argv, here());
    expect([refused.code, refused.requests], argv.join(' ')).toEqual([78, []]);
    expect(refused.stderr).toContain('put it back');
  }
  expect((await run('books', 'status')).data<Json>()).toMatchObject({ transactions: 2, names: false });
  expect((await run('books', 'forget', '--all')).code).toBe(0);
});
