import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { StoreError } from '../../src/files/store-error.ts';
import { openInboxFile } from '../../src/store/sqlite-inbox/schema.ts';
import { openSqliteInbox } from '../../src/store/sqlite-inbox.ts';
import { openWorkerInbox } from '../../src/store/worker-inbox.ts';
import { ACCOUNT, received, receivedMany, temporaryInboxPath, WORKER_FILE } from '../support/inboxes.ts';
import { standingClock } from '../support/stores.ts';

const clock = standingClock();
const options = (seed = 1) => ({ account: ACCOUNT, clock, random: seededRandom(seed) });
const open = (path: string, seed?: number) => openWorkerInbox(WORKER_FILE, path, options(seed));
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the inbox in a thread', () => {
  it('says what is wrong with the file as the inbox itself does', async () => {
    const path = temporaryInboxPath();
    mkdirSync(dirname(path));
    writeFileSync(path, 'This was a shopping list once. '.repeat(200), { mode: 0o600 });
    const there = await failure(open(path));
    const here = await failure(openSqliteInbox(path, options()));
    expect(there).toBeInstanceOf(StoreError);
    expect(there).toMatchObject({ kind: 'corrupt', path, message: (here as Error).message });
  });

  it('fails one call and goes on with the next', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    const other = await openInboxFile(path);
    other.exec('BEGIN IMMEDIATE');
    const error = await failure(inbox.keep([received()], { handOn: false }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ kind: 'busy', path });
    other.exec('ROLLBACK');
    other.close();
    expect(await inbox.keep([received()], { handOn: false })).toHaveLength(1);
    await inbox.close();
  });

  it('does not let go of what its caller goes on to use', async () => {
    const inbox = await open(temporaryInboxPath());
    const body = Buffer.from('a part of the pool');
    const [kept] = await inbox.keep([received({ body })], { handOn: false });
    expect(body.toString()).toBe('a part of the pool');
    expect(Buffer.from((await inbox.get(kept?.id ?? ''))?.body ?? []).toString()).toBe('a part of the pool');
    await inbox.close();
  });

  it('keeps batches in the order in which they were given, at once', async () => {
    const inbox = await open(temporaryInboxPath());
    const batches = Array.from({ length: 30 }, (_, i) => receivedMany(i, { objectId: 'o' }));
    const kept = (await Promise.all(batches.map((batch) => inbox.keep(batch, { handOn: true })))).flat();
    const ids = kept.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(ids).toHaveLength(435);
    await inbox.close();
  });

  it('unpacks also while batches come without a pause', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    let left = 400;
    const lane = async (): Promise<void> => {
      for (; left > 0; left--) await inbox.keep(receivedMany(100), { handOn: false });
    };
    await Promise.all([lane(), lane(), lane()]);
    const database = await openInboxFile(path);
    const packed = Number(database.get('SELECT count(*) AS n FROM arrivals')?.n);
    database.close();
    expect(packed).toBeGreaterThan(150);
    expect(packed).toBeLessThan(210);
    await inbox.close();
  });

  it('holds for its process, and gives other ids for another seed', async () => {
    const path = temporaryInboxPath();
    const [one, two] = [await open(path, 1), await open(path, 2)];
    expect(await one.hold('one')).toEqual({ held: true });
    expect(await two.hold('two')).toEqual({ held: false, by: 'one' });
    await one.close();
    expect(await two.hold('two')).toEqual({ held: true });
    await two.close();
  });

  it('says so when its thread is gone, and only when nobody closed it', async () => {
    const program = join(dirname(temporaryInboxPath()), '..', 'dying.cjs');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(
      program,
      `const { parentPort } = require('node:worker_threads');
       parentPort.on('message', ({ call, method }) =>
         method === 'note' ? parentPort.postMessage({ call, result: undefined }) : process.exit());`,
    );
    const dying = await openWorkerInbox(program, temporaryInboxPath(), options());
    const keeping = failure(dying.keep([received()], { handOn: true }));
    const lost = await dying.lost;
    expect(lost).toBeInstanceOf(StoreError);
    expect(await keeping).toBe(lost);
    const closed = await open(temporaryInboxPath());
    let told: unknown;
    void closed.lost?.then((error) => {
      told = error;
    });
    await closed.close();
    expect(await failure(closed.note('x'))).toBeInstanceOf(StoreError);
    expect(told).toBeUndefined();
  });

  it('refuses what is asked of it when it is closed', async () => {
    const inbox = await open(temporaryInboxPath());
    await inbox.close();
    const error = await failure(inbox.keep([received()], { handOn: true }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ kind: 'failed' });
  });
});
