/** The file of `remit sandbox start --data`: whose it is, who may use it, and what is said when it cannot be used. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { isLong } from '../support/long.ts';
import { openStore } from '../support/open-store.ts';
import { runRemit, startRemit } from '../support/program.ts';
import { inDatabase } from '../support/sandbox-file.ts';
import { standingClock } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const newPath = () => join(temporaryFolder(), 'sandbox.db');

describe('the data file', () => {
  const put = (data: RecordDatabase, sequence: number, body = '{}') =>
    data.put({ sequence, kind: 'debits', body });
  const read = async (path: string) => {
    const data = await openRecords(path);
    const records = [...data.all()];
    data.close();
    return records;
  };

  it('is for its owner alone, and whole by itself once it is closed', async () => {
    const path = newPath();
    const data = await openRecords(path);
    put(data, 1);
    data.commit();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    data.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(await read(path)).toEqual([{ sequence: 1, kind: 'debits', body: '{}' }]);
  });

  it('holds what was committed, and nothing that was not', async () => {
    const path = newPath();
    const data = await openRecords(path);
    put(data, 1);
    put(data, 2);
    put(data, 3);
    data.commit();
    put(data, 2, '{"a":1}');
    data.remove(3);
    data.commit();
    put(data, 4);
    data.remove(1);
    data.rollback();
    data.clear();
    data.close();
    expect((await read(path)).map(({ sequence, body }) => `${sequence} ${body}`)).toEqual([
      '1 {}',
      '2 {"a":1}',
    ]);
  });

  it('hands back many records in order', async () => {
    const path = newPath();
    const data = await openRecords(path);
    for (let i = 2_500; i > 0; i--) put(data, i);
    data.commit();
    expect([...data.all()].map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 2_500 }, (_, i) => i + 1),
    );
    data.close();
  });

  it('is left alone when it is something else', async () => {
    const text = newPath();
    writeFileSync(text, 'a shopping list', { mode: 0o644 });
    const journal = newPath();
    (await openStore(journal, { clock: standingClock(), random: seededRandom(1) })).close();
    for (const path of [text, journal]) {
      const before = [readFileSync(path), statSync(path).mode];
      await expect(openRecords(path)).rejects.toMatchObject({ kind: 'foreign' });
      expect([readFileSync(path), statSync(path).mode]).toEqual(before);
    }
  });

  it('of a newer version is not read', async () => {
    const path = newPath();
    await inDatabase(path, { newest: 3, steps: {}, whole: '' });
    await expect(openRecords(path)).rejects.toMatchObject({ kind: 'newer' });
  });

  it('that is damaged is said to be', async () => {
    const path = newPath();
    (await openRecords(path)).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 100, 3_000));
    await expect(openRecords(path)).rejects.toMatchObject({ kind: 'corrupt' });
  });
});

describe('remit sandbox start --data', () => {
  const env = () => ({ REMIT_CONFIG_DIR: temporaryFolder(), HOME: temporaryFolder() });

  it('names the file, the reason and the way on, with exit code 78', async () => {
    const path = newPath();
    writeFileSync(path, 'a shopping list');
    const { code, stderr } = await runRemit(['sandbox', 'start', '--port', '0', '--data', path], env());
    expect(code).toBe(78);
    expect(stderr).toContain(path);
    expect(stderr).toContain('it is not the data of a sandbox');
    expect(stderr).toContain('name another file');
  });

  it('says which record cannot be read', async () => {
    const path = newPath();
    const data = await openRecords(path);
    data.put({ sequence: 4, kind: 'senders', body: 'a shopping list' });
    data.commit();
    data.close();
    const { code, stderr } = await runRemit(['sandbox', 'start', '--port', '0', '--data', path], env());
    expect(code).toBe(78);
    expect(stderr).toContain(path);
    expect(stderr).toContain('record 4 of senders cannot be read');
  });

  it.runIf(isLong)(
    'lets one sandbox use a file at a time, and goes on where the one before ended',
    async () => {
      const path = newPath();
      const home = env();
      const argv = ['sandbox', 'start', '--port', '0', '--data', path, '-o', 'json'];
      const ready = async () => {
        const program = startRemit(argv, home);
        const { key } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
        return { program, key };
      };
      const first = await ready();
      const second = await runRemit(argv, home);
      expect([second.code, second.stderr]).toEqual([
        78,
        expect.stringContaining('another sandbox is using it'),
      ]);
      first.program.signal('SIGINT');
      await first.program.ended;
      const third = await ready();
      expect(third.key).toBe(first.key);
      third.program.signal('SIGINT');
      await third.program.ended;
    },
  );
});
