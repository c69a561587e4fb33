/** Damaged books: what is said speaks of books, and they can be forgotten. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/disk/driver.ts';
import { storeAccountOf } from '../../src/payments/shared-store.ts';
import { booksPath } from '../../src/profiles/paths.ts';
import { baseUrl, credentials, useBench } from '../support/cli.ts';

const bench = useBench();

it('are called books, and can be forgotten and made anew', async () => {
  const path = booksPath({ REMIT_CONFIG_DIR: bench.dir }, storeAccountOf({ baseUrl, credentials }).short);
  writeFileSync(path, 'this is no database, and long enough to be looked at as one'.repeat(200), {
    mode: 0o600,
  });
  const status = await bench.run('books status');
  expect(status.code, status.stderr).toBe(78);
  expect(status.stderr).toContain('the books are a copy');
  expect(status.stderr).not.toContain('journal');
  expect((await bench.run('books forget --before 2y')).code).toBe(78);
  expect(existsSync(path)).toBe(true);
  const forgotten = await bench.run('books forget --all -o json');
  expect([forgotten.code, forgotten.data()], forgotten.stderr).toEqual([
    0,
    { forgotten: null, before: null, left: 0 },
  ]);
  expect(existsSync(path)).toBe(false);
  expect((await bench.run('books sync -o json')).data()).toMatchObject({ added: 0, complete: true });
});

it('of a version before the first are left as they are, and made anew once they are forgotten', async () => {
  const path = booksPath({ REMIT_CONFIG_DIR: bench.dir }, storeAccountOf({ baseUrl, credentials }).short);
  const whole = 'CREATE TABLE entries (seq INTEGER PRIMARY KEY) STRICT';
  (await openDatabase(path, { newest: 2, steps: {}, whole })).close();
  const before = readFileSync(path);
  const status = await bench.run('books status');
  expect([status.code, status.stderr]).toEqual([78, expect.stringContaining('before 0.1')]);
  expect(status.stderr).toContain('make them anew');
  expect(readFileSync(path).equals(before)).toBe(true);
  expect((await bench.run('books forget --all -o json')).code).toBe(0);
  expect((await bench.run('books sync -o json')).data()).toMatchObject({ added: 0, complete: true });
});
