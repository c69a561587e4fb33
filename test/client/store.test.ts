import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { NewIntent } from '../../src/client/store/port.ts';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { seededRandom } from '../../src/core/random.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { StoreError } from '../../src/disk/store-error.ts';
import { bundleProgram, ended, firstLine, startProgram } from '../support/child-program.ts';
import { isLong } from '../support/long.ts';
import { openStore } from '../support/open-store.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET_TEXT = 'a-request-that-names-somebody';
const intent = (digest: string, request = SECRET_TEXT): NewIntent => ({
  command: 'tx fund',
  operation: 'accounts.debit',
  profile: 'acme',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:1/v1',
  keyLast4: '0000',
  digest,
  summary: '1 EUR',
  request,
});

const open = (path: string, seed = 1) =>
  openStore(path, { clock: standingClock(), random: seededRandom(seed) });

const failure = async (work: () => unknown): Promise<StoreError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('nothing went wrong');
};

describe('the file', () => {
  it('is for its owner alone, in a folder for its owner alone', async () => {
    const path = temporaryStorePath();
    const store = await open(path);
    await store.intents.open(intent('d'));
    const mode = (file: string) => statSync(file).mode & 0o777;
    expect([mode(path), mode(`${path}-wal`), mode(dirname(path))]).toEqual([0o600, 0o600, 0o700]);
    store.close();
  });

  it('keeps everything from one run to the next', async () => {
    const path = temporaryStorePath();
    const first = await open(path);
    await first.intents.open(intent('d'));
    first.seen.remember('acme', [{ kind: 'sender', id: 's' }]);
    first.close();
    const second = await open(path, 2);
    expect(await second.intents.list()).toHaveLength(1);
    expect(second.seen.find('acme', 's')).toEqual({ kind: 'sender', id: 's' });
    second.close();
  });

  it('that an earlier build made step by step goes on: what is unknown there is unknown here', async () => {
    const path = temporaryStorePath();
    const whole = readFileSync(new URL('../fixtures/journal-version-14.sql', import.meta.url), 'utf8');
    (await openDatabase(path, { newest: 14, steps: {}, whole })).close();
    const store = await open(path, 2);
    const [unknown] = await store.intents.list();
    expect(unknown).toMatchObject({
      state: 'unknown',
      note: 'no answer',
      request: '{"transaction":{"n":7}}',
    });
    const again = { ...intent('digest-7'), externalId: 'wages-2026-11-7' };
    const seen: unknown[] = [];
    await store.intents.open(again, (alike) => {
      seen.push(...alike.map(({ id }) => id));
      return undefined;
    });
    expect(seen).toEqual([unknown?.id]);
    const runs = await store.payruns();
    const [run] = await runs.list();
    expect(run).toMatchObject({ name: 'wages-2026-11', rows: 3 });
    const lease = await runs.take(run?.id ?? '', 'w1', { after: -1, leaseMs: 60_000 });
    expect(lease).toBeDefined();
    store.close();
  });

  it('holds nothing of a request whose outcome is known', async () => {
    const path = temporaryStorePath();
    const store = await open(path);
    const result = await store.intents.open(intent('d'));
    if ('opened' in result) await store.intents.close(result.opened.id, { state: 'applied' });
    store.close();
    expect(readFileSync(path).includes(SECRET_TEXT)).toBe(false);
  });
});

describe('trouble with the file is said in a sentence for people', () => {
  it('when its folder cannot be made', async () => {
    const file = join(temporaryFolder(), 'a-file');
    writeFileSync(file, '');
    const error = await failure(() => open(join(file, 'store.db')));
    expect(error.kind).toBe('unwritable');
    expect(error.message).toContain('check that its folder exists and is yours');
  });

  it('when it is a folder', async () => {
    const path = join(temporaryFolder(), 'store.db');
    mkdirSync(path);
    expect((await failure(() => open(path))).kind).toBe('unsafe');
  });

  it('when it is not a database', async () => {
    const path = join(temporaryFolder(), 'store.db');
    writeFileSync(path, 'This was a shopping list once. '.repeat(200), { mode: 0o600 });
    const error = await failure(() => open(path));
    expect(error.kind).toBe('corrupt');
    expect(readFileSync(path, 'utf8')).toContain('shopping list');
  });

  it('when a newer program wrote it', async () => {
    const path = temporaryStorePath();
    (await open(path)).close();
    const database = await openDatabase(path, {
      newest: STORE_VERSION + 1,
      steps: { [STORE_VERSION]: () => {} },
    });
    database.close();
    expect((await failure(() => open(path))).kind).toBe('newer');
  });

  it('when a version before the first wrote it, and no byte of it changes', async () => {
    const path = temporaryStorePath();
    const whole = 'CREATE TABLE intents (seq INTEGER PRIMARY KEY) STRICT';
    (await openDatabase(path, { newest: 13, steps: {}, whole })).close();
    const before = readFileSync(path);
    const error = await failure(() => open(path));
    expect([error.kind, error.message]).toEqual(['older', expect.stringContaining('before 0.1')]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('when the disk is full, and then nothing is half written', async () => {
    const path = temporaryStorePath();
    (await open(path)).close();
    const database = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
    const { createJournal } = await import('../../src/client/store/journal.ts');
    const journal = createJournal(database, { clock: standingClock(), random: seededRandom(3) });
    const pages = Number(database.get('PRAGMA page_count')?.page_count);
    database.exec(`PRAGMA max_page_count=${pages + 2}`);
    const error = await failure(() => journal.open(intent('big', 'x'.repeat(100_000))));
    expect(error.kind).toBe('full');
    expect(await journal.list()).toEqual([]);
    expect(await journal.open(intent('small'))).toHaveProperty('opened');
    database.close();
  });

  it.runIf(isLong)('when another process will not let go of it', async () => {
    const path = temporaryStorePath();
    const holder = await openDatabase(path, { newest: 5, steps: {}, whole: '' });
    const waiter = await openDatabase(path, { newest: 5, steps: {}, whole: '' });
    holder.exec('BEGIN IMMEDIATE');
    const error = await failure(() => waiter.transaction(() => 1));
    expect(error.kind).toBe('busy');
    holder.exec('ROLLBACK');
    expect(waiter.transaction(() => 1)).toBe(1);
    holder.close();
    waiter.close();
  });
});

describe('real processes', () => {
  let program: string;
  beforeAll(async () => {
    const source = new URL('../../src', import.meta.url).pathname;
    program = await bundleProgram(`
      import { openStore } from '${source}/../test/support/open-store.ts';
      import { seededRandom } from '${source}/core/random.ts';
      const [path, seed] = process.argv.slice(2);
      const store = await openStore(path, { clock: { now: () => 1 }, random: seededRandom(seed) });
      const intent = ${JSON.stringify(intent('same'))};
      const result = await store.intents.open(intent, ([earlier]) => earlier);
      process.stdout.write(('opened' in result ? 'opened ' + result.opened.id : 'unsettled ' + result.refused.id) + '\\n');
      setInterval(() => {}, 1000);
    `);
  });

  it('leave an intent that was opened readable as open when they are killed', async () => {
    for (const round of ['a', 'b']) {
      const path = temporaryStorePath();
      const child = startProgram(program, path, round);
      const [word, id = ''] = (await firstLine(child)).split(' ');
      child.kill('SIGKILL');
      await ended(child);
      expect(word).toBe('opened');
      const store = await open(path);
      expect(await store.intents.get(id)).toMatchObject({ state: 'open', request: SECRET_TEXT });
      expect(await store.intents.open(intent('same'), ([earlier]) => earlier)).toMatchObject({
        refused: { id },
      });
      store.close();
    }
  });

  it('open the same body once between them', async () => {
    const path = temporaryStorePath();
    const children = ['a', 'b', 'c'].map((seed) => startProgram(program, path, seed));
    const lines = await Promise.all(children.map(firstLine));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(ended));
    expect(lines.filter((line) => line.startsWith('opened '))).toHaveLength(1);
    expect(new Set(lines.map((line) => line.split(' ')[1])).size).toBe(1);
  });

  it.runIf(isLong)('wait for one that holds the file for three seconds', async () => {
    const source = new URL('../../src', import.meta.url).pathname;
    const holder = await bundleProgram(`
      import { openDatabase } from '${source}/disk/driver.ts';
      const database = await openDatabase(process.argv[2], { newest: 1, steps: {}, whole: 'CREATE TABLE ours (a)' });
      database.exec('BEGIN IMMEDIATE');
      process.stdout.write('holds\\n');
      setTimeout(() => database.exec('COMMIT'), 3_000);
    `);
    const path = temporaryStorePath();
    const child = startProgram(holder, path);
    expect(await firstLine(child)).toBe('holds');
    const database = await openDatabase(path, { newest: 1, steps: {} });
    expect(database.transaction(() => 1)).toBe(1);
    database.close();
    await ended(child);
  });
});
