/** Pay runs in the file of the journal, where the process is killed, or the file cannot be written. */
import { beforeAll, describe, expect, it } from 'vitest';
import { intentWrites } from '../../src/client/store/journal.ts';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { seededRandom } from '../../src/core/random.ts';
import { committedTogether } from '../../src/disk/commit-together.ts';
import { type Database, openDatabase } from '../../src/disk/driver.ts';
import { createPayRuns } from '../../src/runs/store/sqlite.ts';
import { bundleProgram, ended, firstLine, startProgram } from '../support/child-program.ts';
import { openStore } from '../support/open-store.ts';
import { approved, newIntent, newRow, newRows, newRun } from '../support/payrun-stores.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';

const LEASE = 60_000;
const dependencies = () => ({ clock: standingClock(), random: seededRandom(5) });

describe('a process that is killed', () => {
  let program: string;
  beforeAll(async () => {
    const root = new URL('../..', import.meta.url).pathname;
    program = await bundleProgram(`
      import { openStore } from '${root}test/support/open-store.ts';
      import { seededRandom } from '${root}src/core/random.ts';
      const [path, runId, intent] = process.argv.slice(2);
      const store = await openStore(path, { clock: { now: () => 1 }, random: seededRandom(9) });
      const runs = await store.payruns();
      const taken = await runs.take(runId, 'killed', { after: -1, leaseMs: ${LEASE} });
      const opened = await runs.open(taken, 1, JSON.parse(intent));
      const more = await runs.draft(${JSON.stringify(newRun({ name: 'half written' }))});
      await more.append(${JSON.stringify(newRows(3))});
      process.stdout.write(opened.opened.id + '\\n');
      setInterval(() => {}, 1000);
    `);
  });

  it('between open and close leaves its row sending and its intent open, and nothing of its draft', async () => {
    const path = temporaryStorePath();
    const store = await openStore(path, dependencies());
    const runs = await store.payruns();
    const run = await approved(runs, newRows(3));
    const child = startProgram(program, path, run.id, JSON.stringify(newIntent(1)));
    const intentId = await firstLine(child);
    child.kill('SIGKILL');
    await ended(child);
    expect((await runs.rows(run.id)).map(({ state }) => state)).toEqual(['sending', 'planned', 'planned']);
    expect(await store.intents.get(intentId)).toMatchObject({ state: 'open', request: newIntent(1).request });
    expect((await runs.list()).map(({ name }) => name)).toEqual([newRun().name]);
    const again = await runs.draft(newRun({ name: 'half written' }));
    await again.append([newRow(1)]);
    expect(await again.finish({ digest: 'd', plan: '' })).toMatchObject({ kind: 'made', run: { rows: 1 } });
    const isDead = (worker: string) => worker === 'killed';
    const lease = await runs.take(run.id, 'next', { after: -1, leaseMs: LEASE, isDead });
    if (!lease) throw new Error('no window to take');
    expect(await runs.open(lease, 1, newIntent(1))).toBe('lost');
    expect(await runs.resume(lease, 1)).toBe(true);
    expect(await runs.close(lease, 1, intentId, { state: 'applied' }, {})).toBe('created');
    store.close();
  });
});

describe('a file that cannot be written', () => {
  async function broken(): Promise<{ database: Database; path: string; runId: string }> {
    const path = temporaryStorePath();
    const store = await openStore(path, dependencies());
    const { id } = await approved(await store.payruns(), newRows(40));
    store.close();
    return { database: await openDatabase(path, { newest: STORE_VERSION, steps: {} }), path, runId: id };
  }
  const payrunsOf = (database: Database) => {
    const given = { clock: standingClock(), random: seededRandom(6) };
    const intents = intentWrites(database, given);
    return createPayRuns(database, { ...given, intents, write: committedTogether(database) });
  };

  it('because the disk is full opens nothing, says so, and goes on when there is room', async () => {
    const { database, runId } = await broken();
    const runs = payrunsOf(database);
    const lease = await runs.take(runId, 'w1', { after: -1, leaseMs: LEASE });
    if (!lease) throw new Error('no window to take');
    const pages = Number(database.get('PRAGMA page_count')?.page_count);
    database.exec(`PRAGMA max_page_count=${pages + 2}`);
    const large = newIntent(1, { request: 'x'.repeat(100_000) });
    const full = { name: 'StoreError', kind: 'full' };
    await expect(runs.open(lease, 1, large)).rejects.toMatchObject(full);
    expect((await runs.row(runId, 'key-1'))?.state).toBe('planned');
    const draft = await runs.draft(newRun({ name: 'too large' }));
    const body = 'y'.repeat(1000);
    const kept = draft
      .append(newRows(500, () => ({ body })))
      .then(() => draft.finish({ digest: '', plan: '' }));
    await expect(kept).rejects.toMatchObject(full);
    expect(await runs.list()).toHaveLength(1);
    database.exec('PRAGMA max_page_count=1000000');
    expect(await runs.open(lease, 1, large)).toHaveProperty('opened');
    database.close();
  });

  it('because it is read-only says so, and can be read', async () => {
    const { database, runId } = await broken();
    const runs = payrunsOf(database);
    database.exec('PRAGMA query_only=ON');
    const unwritable = { name: 'StoreError', kind: 'unwritable' };
    await expect(runs.take(runId, 'w1', { after: -1, leaseMs: LEASE })).rejects.toMatchObject(unwritable);
    await expect(runs.draft(newRun({ name: 'another' }))).rejects.toMatchObject(unwritable);
    expect(await runs.rows(runId)).toHaveLength(40);
    database.close();
  });
});
