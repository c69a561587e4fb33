/** What was acknowledged is never dropped without a word: a batch that lost a delivery stays, is told, and stops the inbox. */
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../src/core/invariants.ts';
import { seededRandom } from '../../src/core/random.ts';
import { openDatabase } from '../../src/store/driver.ts';
import { packBatch } from '../../src/store/packing.ts';
import { MIGRATIONS } from '../../src/store/sqlite-inbox/schema.ts';
import { openSqliteInbox } from '../../src/store/sqlite-inbox.ts';
import { ACCOUNT, received, temporaryInboxPath } from '../support/inboxes.ts';
import { standingClock } from '../support/stores.ts';

const open = (path: string) =>
  openSqliteInbox(path, { account: ACCOUNT, clock: standingClock(), random: seededRandom(5) });

/** Three were acknowledged, and two are left in the file: a disk, or a defect of ours, took one. */
async function damaged(): Promise<string> {
  const path = temporaryInboxPath();
  const inbox = await open(path);
  const batch = [received(), received(), received()];
  await inbox.keep(batch, { handOn: true });
  const database = await openDatabase(path, MIGRATIONS);
  database.run('UPDATE arrivals SET packed = ?', packBatch(batch.slice(0, 2)).packed);
  // Not closed in order: that would move them before they can be looked at.
  expect(database.get('SELECT count(*) AS n FROM arrivals')?.n).toBe(1);
  database.close();
  return path;
}
const batches = async (path: string): Promise<unknown> => {
  const database = await openDatabase(path, MIGRATIONS);
  const counts = database.get(
    'SELECT (SELECT count(*) FROM arrivals) AS arrivals, (SELECT count(*) FROM deliveries) AS deliveries',
  );
  database.close();
  return { ...counts };
};

describe('a batch that holds fewer than were acknowledged', () => {
  it.each([
    ['list', (inbox: Awaited<ReturnType<typeof open>>) => inbox.list({}, { limit: 5 })],
    [
      'claim',
      (inbox: Awaited<ReturnType<typeof open>>) => inbox.claim({ owner: 'us', limit: 5, leaseMs: 1 }),
    ],
    ['prune', (inbox: Awaited<ReturnType<typeof open>>) => inbox.requeue([])],
  ])('is an invariant at %s, and stays as it is', async (_, use) => {
    const path = await damaged();
    const inbox = await open(path);
    await expect(use(inbox)).rejects.toThrow(InvariantError);
    expect(await batches(path)).toEqual({ arrivals: 1, deliveries: 0 });
  });

  it('stops the inbox once it is found while nobody asks: nothing more is acknowledged, and closing says why', async () => {
    const path = await damaged();
    const inbox = await open(path);
    const more = (): Promise<string> =>
      inbox.keep([received()], { handOn: false }).then(
        () => 'kept',
        ({ name }: Error) => name,
      );
    expect(await more()).toBe('kept');
    // It is found when nothing came for a second.
    await expect.poll(more, { interval: 3_000, timeout: 15_000 }).toBe('InvariantError');
    await expect(inbox.close()).rejects.toThrow('acknowledged 3 deliveries in one batch');
    expect(await batches(path)).toMatchObject({ deliveries: 0 });
  });
});
