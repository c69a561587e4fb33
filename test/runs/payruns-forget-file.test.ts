/** A run that is forgotten leaves no byte of a person in the files of its store, whenever the process dies. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { intentWrites } from '../../src/client/store/journal.ts';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { seededRandom } from '../../src/core/random.ts';
import { committedTogether } from '../../src/disk/commit-together.ts';
import { type Database, openDatabase } from '../../src/disk/driver.ts';
import type { PayRun } from '../../src/runs/store/port.ts';
import { createPayRuns } from '../../src/runs/store/sqlite.ts';
import { about, found, MANY, paidRun, TERMS, WORDS } from '../support/forgotten-runs.ts';
import { isLong } from '../support/long.ts';
import { openStore } from '../support/open-store.ts';
import { drafted, newRow, newRows, newRun } from '../support/payrun-stores.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';

/** All bytes of the folder of a store, `-wal` and `-shm` included. */
const bytesAt = (path: string): string =>
  readdirSync(dirname(path))
    .map((name) => readFileSync(join(dirname(path), name), 'latin1'))
    .join('\n');

/** A store of its own, with all that this one has. */
function copied(path: string): string {
  const to = temporaryStorePath();
  mkdirSync(dirname(to));
  for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) copyFileSync(path + end, to + end);
  return to;
}

let seeds = 0;
const dependencies = () => ({ clock: standingClock(), random: seededRandom(`forget ${seeds++}`) });
let path: string;
let run: PayRun;
beforeAll(async () => {
  path = temporaryStorePath();
  const store = await openStore(path, dependencies());
  run = await paidRun(await store.payruns(), MANY);
  store.close();
});

it('no byte of a name, an account or a reason is left, in no file of the store', async () => {
  const store = await openStore(path, dependencies());
  const runs = await store.payruns();
  await drafted(runs, newRows(50, about), { name: 'half written' });
  const files = copied(path);
  store.close();
  for (const text of WORDS) expect(bytesAt(files).includes(text), text).toBe(true);
  const again = await openStore(files, dependencies());
  const forgetting = await again.payruns();
  // Nobody finishes the draft: it is removed by the next plan of its name.
  await (await forgetting.draft({ ...run, name: 'half written' })).discard();
  expect(await forgetting.forget(run.id, TERMS)).toBe(true);
  expect(await forgetting.clearForgotten()).toBe('gone');
  const left = bytesAt(files);
  again.close();
  for (const text of WORDS) expect(left.includes(text), text).toBe(false);
  expect(left).toContain('wages-2026-11-1');
  for (const text of WORDS) expect(bytesAt(files).includes(text), text).toBe(false);
});

it.runIf(isLong)(
  'of runs that were planned side by side, no byte is left in the gaps between rows',
  async () => {
    const files = temporaryStorePath();
    const store = await openStore(files, dependencies());
    const runs = await store.payruns();
    const drafts = [await runs.draft(newRun({ name: 'one' })), await runs.draft(newRun({ name: 'two' }))];
    // Rows of many lengths, in turns: pages are divided and put together again.
    for (const n of newRows(300).keys())
      for (const draft of drafts) {
        const { body = '' } = about(n + 1);
        await draft.append([
          newRow(n + 1, { ...about(n + 1), body: body.padEnd(40 + ((n * 997) % 2500), body) }),
        ]);
        await draft.repeated(0);
      }
    for (const draft of drafts) {
      const made = await draft.finish({ digest: 'd', plan: '{}' });
      await runs.cancelRows(made.run.id);
      expect(await runs.forget(made.run.id, TERMS)).toBe(true);
    }
    expect(await runs.clearForgotten()).toBe('gone');
    for (const text of WORDS) expect(bytesAt(files).includes(text), text).toBe(false);
    store.close();
  },
);

it('that another process reads, bytes are owed until nobody does', async () => {
  const files = copied(path);
  const store = await openStore(files, dependencies());
  const runs = await store.payruns();
  const reader = await openDatabase(files, { newest: STORE_VERSION, steps: {} });
  reader.exec('BEGIN');
  reader.all('SELECT count(*) FROM payrun_rows');
  expect(await runs.forget(run.id, TERMS)).toBe(true);
  expect(await runs.clearForgotten()).toBe('in_use');
  expect((await found(runs, run)).forgotten).toMatchObject({ isOwed: true });
  reader.exec('COMMIT');
  reader.close();
  expect(await runs.forget(run.id, TERMS)).toBe(true);
  expect(await runs.clearForgotten()).toBe('gone');
  expect((await found(runs, run)).forgotten).toMatchObject({ isOwed: false });
  for (const text of WORDS) expect(bytesAt(files).includes(text), text).toBe(false);
  store.close();
});

/** Dies at its call number `at`; how many calls there were. */
async function dyingAt(files: string, at: number): Promise<number> {
  const database = await openDatabase(files, { newest: STORE_VERSION, steps: {} });
  let calls = 0;
  const alive = <T>(work: () => T): T => {
    if (++calls >= at) throw new Error('it died');
    return work();
  };
  const dying: Database = {
    ...database,
    run: (...given) => alive(() => database.run(...given)),
    get: (...given) => alive(() => database.get(...given)),
    all: (...given) => alive(() => database.all(...given)),
    exec: (...given) => alive(() => database.exec(...given)),
    transaction: (work) => alive(() => database.transaction(work)),
  };
  const given = dependencies();
  const runs = createPayRuns(dying, {
    ...given,
    intents: intentWrites(dying, given),
    write: committedTogether(dying),
  });
  try {
    await runs.forget(run.id, TERMS);
    await runs.clearForgotten();
    return calls;
  } finally {
    database.close();
  }
}

it('a death at any call leaves a run that can be forgotten, or one that is', async () => {
  const calls = await dyingAt(copied(path), Number.POSITIVE_INFINITY);
  const seen = new Set<string>();
  for (let at = 1; at <= calls; at++) {
    const files = copied(path);
    await expect(dyingAt(files, at)).rejects.toThrow('it died');
    const store = await openStore(files, dependencies());
    const runs = await store.payruns();
    const { forgotten, state } = await found(runs, run);
    seen.add(forgotten === undefined ? 'as before' : forgotten.isOwed ? 'owed' : 'forgotten');
    if (forgotten === undefined)
      expect([(await runs.row(run.id, 'key-900'))?.body, state]).toEqual([about(900).body, 'paused']);
    else expect(await runs.takeBack(run.id, [1])).toBe(0);
    expect(await runs.forget(run.id, TERMS)).toBe(true);
    expect(await runs.clearForgotten()).toBe('gone');
    for (const text of WORDS) expect(bytesAt(files).includes(text), `${text}, dead at ${at}`).toBe(false);
    store.close();
  }
  expect([...seen]).toEqual(['as before', 'owed']);
});
