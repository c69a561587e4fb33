/**
 * Files that earlier versions wrote. `inbox-version-2.sql` was written by the code of that version: deliveries merged, not merged
 * and packed, refusals, notes, dead letters, claims. `inbox-version-2.json` is what that code itself read out of it.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { InvariantError } from '../../src/core/invariants.ts';
import type { Inbox } from '../../src/core/ports/inbox.ts';
import { seededRandom } from '../../src/core/random.ts';
import { openDatabase } from '../../src/store/driver.ts';
import { openInboxFile } from '../../src/store/sqlite-inbox/schema.ts';
import { openSqliteInbox } from '../../src/store/sqlite-inbox.ts';
import { ACCOUNT, keepIn, received, temporaryInboxPath } from '../support/inboxes.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const expected = JSON.parse(fixture('inbox-version-2.json'));

let path: string;
let now: number;
beforeEach(() => {
  path = temporaryInboxPath();
  now = expected.now;
});

async function writeFile(sql: string, version: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const database = await openDatabase(path, { newest: version, steps: {}, whole: sql });
  database.close();
}

const open = (account: string): Promise<Inbox> =>
  openSqliteInbox(path, { account, clock: { now: () => now }, random: seededRandom(13) });
const base64 = (body: Uint8Array): string => Buffer.from(body).toString('base64');

/** The same questions, in the same order, that the earlier version was asked. */
async function readAll(account: string, given: readonly { deliveryPrint: string; eventPrint: string }[]) {
  const inbox = await open(account);
  const deliveries = [];
  for (const { id } of (await inbox.list({}, { limit: 1000 })).reverse()) {
    const delivery = await inbox.get(id);
    deliveries.push({ ...delivery, body: base64(delivery?.body ?? new Uint8Array()) });
  }
  const refusals = (await inbox.refusals(1000)).map((one) => ({ ...one, body: base64(one.body) }));
  const copies = await keepIn(inbox, given.map(received), { handOn: false });
  const claim = async () => {
    const claimed = await inbox.claim({ owner: 'next', limit: 100, leaseMs: 60_000 });
    return claimed.deliveries.map(({ id, late }) => ({ id, late }));
  };
  const record = (ids: readonly { id: string }[]) =>
    inbox.record(
      'next',
      ids.map(({ id }) => ({ id, outcome: 'handed_on', answer: '200' })),
    );
  const facts = {
    account,
    deliveries,
    backlog: await inbox.backlog(),
    webhooks: await inbox.webhooks(),
    refusals,
    note: await inbox.note('compared until'),
    transaction: (await inbox.list({ transactionId: 't-1' }, { limit: 100 })).map(({ id }) => id),
    keptBefore: copies.map(({ outcome, id }) => ({ outcome, id })),
    claimed: await claim(),
  };
  await record(facts.claimed);
  now += 600_000;
  // Leases and pauses are over.
  const rest = [];
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
    rest.push(claimed);
    await record(claimed);
  }
  now -= 600_000;
  await inbox.close();
  return { ...facts, later: rest };
}

describe('a file of version 2', () => {
  it('is read once with all that is in it: bodies, order, states, claims, refusals, notes, what was here before', async () => {
    await writeFile(fixture('inbox-version-2.sql'), 2);
    expect(await readAll(ACCOUNT, expected.given)).toEqual(expected.ours);
    expect(await readAll(expected.theirs.account, [])).toEqual(expected.theirs);
  });

  it('has nothing of its earlier tables left, and goes on as any other', async () => {
    await writeFile(fixture('inbox-version-2.sql'), 2);
    const inbox = await open(ACCOUNT);
    const database = await openInboxFile(path);
    const names = (from: typeof database) =>
      from.all('SELECT name FROM sqlite_schema ORDER BY name').map(({ name }) => name);
    const fresh = await openInboxFile(temporaryInboxPath());
    expect(names(database)).toEqual(names(fresh));
    const newest = expected.ours.deliveries.at(-1).id;
    const [kept] = await keepIn(inbox, [received()], { handOn: true });
    expect((kept?.id ?? '') > newest).toBe(true);
    await inbox.close();
    for (const one of [database, fresh]) one.close();
  });

  it('stays as it is where a batch holds fewer than were acknowledged, and says so', async () => {
    await writeFile(fixture('inbox-version-2.sql'), 2);
    const before = await openDatabase(path, { newest: 2, steps: {} });
    before.run(
      'UPDATE arrivals SET entries = CAST(entries || entries AS BLOB) WHERE last_seq = (SELECT max(last_seq) FROM arrivals)',
    );
    const rows = before.all('SELECT last_seq, entries FROM arrivals');
    before.close();
    const error = await open(ACCOUNT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvariantError);
    const after = await openDatabase(path, { newest: 2, steps: {} });
    expect(after.all('SELECT last_seq, entries FROM arrivals')).toEqual(rows);
    after.close();
  });
});

it('a file of version 1 is brought over, one version after the other', async () => {
  await writeFile(fixture('inbox-version-1.sql'), 1);
  const inbox = await open(ACCOUNT);
  const known = { deliveryPrint: 'a'.repeat(32), eventPrint: 'b'.repeat(32) };
  expect((await keepIn(inbox, [received(known)], { handOn: true }))[0]?.outcome).toBe('duplicate');
  expect((await inbox.list({ event: 'e' }, { limit: 5 })).map(({ state }) => state)).toEqual([
    'waiting',
    'kept',
  ]);
  expect((await inbox.claim({ owner: 'us', limit: 5, leaseMs: 1 })).deliveries).toHaveLength(1);
  await inbox.close();
});

it('a file that is newer, or too old, is left as it is', async () => {
  await writeFile('CREATE TABLE t (a)', 4);
  await expect(open(ACCOUNT)).rejects.toMatchObject({ kind: 'newer' });
  await expect(openDatabase(path, { newest: 9, steps: { 8: '' } })).rejects.toMatchObject({
    kind: 'foreign',
  });
});
