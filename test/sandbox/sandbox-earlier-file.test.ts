/**
 * A data file that version 1 wrote. `sandbox-version-1.sql` was written by the code of that version: every kind of record, postings as
 * lists of objects, a delivery on its way. `sandbox-version-1.ndjson` is the snapshot that this code took of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openRecords } from '../../src/disk/record-file.ts';
import { tableNames } from '../../src/sandbox/store/memory.ts';
import { runRemit } from '../support/program.ts';
import { credentials, startBench } from '../support/sandbox.ts';
import { inDatabase } from '../support/sandbox-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR = 3_600_000;
const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const snapshot = fixture('sandbox-version-1.ndjson');

/** With the SQL run after it, all as version 1. */
async function writeFile(more = ''): Promise<string> {
  const path = join(temporaryFolder(), 'sandbox.db');
  await inDatabase(path, { newest: 1, steps: {}, whole: fixture('sandbox-version-1.sql') + more });
  return path;
}

const countsOf = (path: string) =>
  inDatabase(path, { newest: 1, steps: {} }, (database) => ({
    ...database.get(
      'SELECT (SELECT count(*) FROM senders) AS senders, (SELECT count(*) FROM postings) AS postings',
    ),
  }));

it('has every kind of record', () => {
  for (const name of tableNames) expect(snapshot).toContain(`["row","${name}",`);
});

it('is read whole, and once: it is of the new version then', async () => {
  const path = await writeFile();
  for (const _ of ['of version 1', 'of version 2']) {
    const data = await openRecords(path);
    const { sandbox } = await startBench({ data, seed: 9, credentials: { key: 'another', secret: 'one' } });
    expect(gunzipSync(sandbox.snapshot()).toString()).toBe(snapshot);
    expect(sandbox.credentials).toEqual(credentials);
    sandbox.audit();
    await sandbox.close();
    data.close();
  }
});

it('goes on as its snapshot goes on in memory', async () => {
  const data = await openRecords(await writeFile());
  const there = await startBench({ data });
  const here = await startBench({ data: undefined });
  here.sandbox.restore(gzipSync(snapshot));
  for (const { sandbox, received } of [there, here]) {
    await sandbox.advance(25 * HOUR);
    sandbox.audit();
    expect(received.map(({ event }) => event)).toContain('transaction.refunded');
  }
  expect(gunzipSync(there.sandbox.snapshot()).toString()).toBe(
    gunzipSync(here.sandbox.snapshot()).toString(),
  );
  await there.sandbox.close();
  data.close();
});

it.each([
  ['lacks a table', 'DROP TABLE debits;'],
  ['has another table of that name', 'CREATE TABLE records (a TEXT);'],
])('that %s is refused in words, and is as it was', async (_, more) => {
  const path = await writeFile(more);
  const before = await countsOf(path);
  expect(before).toEqual({ senders: 1, postings: 14 });
  const env = { REMIT_CONFIG_DIR: temporaryFolder(), HOME: temporaryFolder() };
  const { code, stderr } = await runRemit(['sandbox', 'start', '--port', '0', '--data', path], env);
  expect([code, stderr]).toEqual([78, expect.stringContaining('it is damaged')]);
  expect(await countsOf(path)).toEqual(before);
});
