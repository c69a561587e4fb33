/** The file of `remit sandbox start --data`: whose it is, who may use it, and what is said when it cannot be used. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { sandboxData } from '../../src/sandbox/store/tables.ts';
import { openStore } from '../../src/store/open.ts';
import { openRecords } from '../../src/store/record-file.ts';
import { temporaryFolder } from '../support/child-program.ts';
import { isLong } from '../support/long.ts';
import { runRemit, startRemit } from '../support/program.ts';
import { paymentBody, startBench } from '../support/sandbox.ts';
import { standingClock } from '../support/stores.ts';

const newPath = () => join(temporaryFolder(), 'sandbox.db');

describe('the data file', () => {
  it('is for its owner alone, and whole by itself once it is closed', async () => {
    const path = newPath();
    const data = await openRecords(path, sandboxData);
    data.table('debits').add({ sequence: 1, id: 'n', columns: {}, body: '' });
    data.commit();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    data.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect((await openRecords(path, sandboxData)).table('debits').get('n')).toBeDefined();
  });

  it('holds what was committed, and nothing that was not', async () => {
    const path = newPath();
    const data = await openRecords(path, sandboxData);
    const put = (sequence: number) =>
      data.table('debits').add({ sequence, id: `n${sequence}`, columns: {}, body: '' });
    put(1);
    data.commit();
    put(2);
    data.rollback();
    put(3);
    data.close();
    const again = await openRecords(path, sandboxData);
    expect(['n1', 'n2', 'n3'].map((id) => again.table('debits').get(id) !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    again.close();
  });

  it('is left alone when it is something else', async () => {
    const text = newPath();
    writeFileSync(text, 'a shopping list', { mode: 0o644 });
    const journal = newPath();
    (await openStore(journal, { clock: standingClock(), random: seededRandom(1) })).close();
    for (const path of [text, journal]) {
      const before = [readFileSync(path), statSync(path).mode];
      await expect(openRecords(path, sandboxData)).rejects.toMatchObject({ kind: 'foreign' });
      expect([readFileSync(path), statSync(path).mode]).toEqual(before);
    }
  });

  it('of a newer version is not read', async () => {
    const path = newPath();
    (await openRecords(path, { ...sandboxData, version: 2 })).close();
    await expect(openRecords(path, sandboxData)).rejects.toMatchObject({ kind: 'newer' });
  });

  it('of an earlier version, without counts and with longer postings, is read as it is', async () => {
    const data = await openRecords(newPath(), sandboxData);
    const bench = await startBench({ data });
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('early', '0123456700'));
    await bench.sandbox.drain();
    const before = bench.sandbox.control.state();
    await bench.sandbox.close();
    const every = { where: [], order: 'oldest', limit: -1, offset: 0 } as const;
    for (const { id, sequence } of data.table('pieces').select(every))
      if (/^(?:transaction|sender)_counts$/.test(id)) data.table('pieces').remove(sequence);
    for (const { sequence, body } of data.table('postings').select(every)) {
      const posting = JSON.parse(body);
      const entries = posting.entries.split(';').map((entry: string) => {
        const [book, currency, minor] = entry.split(' ');
        return { book, currency, minor };
      });
      data.table('postings').change(sequence, {}, JSON.stringify({ ...posting, entries }));
    }
    data.commit();
    const again = await startBench({ data });
    expect(again.sandbox.control.state().states).toEqual(before.states);
    again.sandbox.audit();
    await again.sandbox.close();
    data.close();
  });

  it('that is damaged is said to be', async () => {
    const path = newPath();
    (await openRecords(path, sandboxData)).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 100, 3_000));
    await expect(openRecords(path, sandboxData)).rejects.toMatchObject({ kind: 'corrupt' });
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
