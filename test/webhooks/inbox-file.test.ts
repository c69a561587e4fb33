import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { StoreError } from '../../src/disk/store-error.ts';
import { openInboxFile } from '../../src/webhooks/store/sqlite/schema.ts';
import { createSqliteInbox, openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { bundleProgram, ended, firstLine, startProgram } from '../support/child-program.ts';
import { ACCOUNT, keepIn, received, temporaryInboxPath } from '../support/inboxes.ts';
import { isLong } from '../support/long.ts';
import { standingClock } from '../support/stores.ts';

const options = (account = ACCOUNT) => ({ account, clock: standingClock(), random: seededRandom(3) });
const open = (path: string, account?: string) => openSqliteInbox(path, options(account));

describe('the file of an inbox', () => {
  it('is for its owner alone, as is what says who listens', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    await keepIn(inbox, [received()], { handOn: true });
    await inbox.hold('a secret neighbour');
    const files = readdirSync(dirname(path));
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files)
      expect([file, statSync(`${dirname(path)}/${file}`).mode & 0o777]).toEqual([file, 0o600]);
    await inbox.close();
    expect(readdirSync(dirname(path)).filter((file) => file.endsWith('.json'))).toEqual([]);
  });

  it.each([
    [2, 'older', 'before 0.1, and is left as it is (its version is 2)'],
    [4, 'newer', 'written by a newer version of remit: use that one (its version is 4)'],
  ])('of version %i is refused in words, and no byte of it changes', async (version, kind, words) => {
    const path = temporaryInboxPath();
    const whole = 'CREATE TABLE arrivals (last_seq INTEGER PRIMARY KEY) STRICT';
    (await openDatabase(path, { newest: version, steps: {}, whole })).close();
    const before = readFileSync(path);
    await expect(open(path)).rejects.toMatchObject({ kind, message: expect.stringContaining(words) });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('holds nothing of what was pruned', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    const body = Buffer.from('a-body-that-names-somebody'.repeat(50));
    await keepIn(inbox, [received({ body, receivedAt: 1 })], { handOn: false });
    await inbox.prune({ before: 2, deadLetters: false, forget: true });
    await inbox.close();
    expect(readFileSync(path).includes('a-body-that-names-somebody')).toBe(false);
  });

  it('keeps nothing of a batch when the disk is full, and goes on when there is room', async () => {
    const path = temporaryInboxPath();
    const database = await openInboxFile(path);
    const inbox = createSqliteInbox(database, path, options());
    await keepIn(inbox, [received()], { handOn: true });
    const pages = Number(database.get('PRAGMA page_count')?.page_count);
    database.exec(`PRAGMA max_page_count=${pages + 10}`);
    const batch = [received(), received({ body: new Uint8Array(1_000_000) }), received()];
    const error = await keepIn(inbox, batch, { handOn: true }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ kind: 'full', path });
    expect(await inbox.list({}, { limit: 10 })).toHaveLength(1);
    expect(await inbox.backlog()).toEqual({ waiting: 1, deadLetters: 0 });
    database.exec(`PRAGMA max_page_count=${pages + 1000}`);
    const kept = await keepIn(inbox, batch, { handOn: true });
    expect(kept.map(({ outcome }) => outcome)).toEqual(['new', 'new', 'new']);
    await inbox.close();
  });

  it('says so when another process will not let go of it, and keeps nothing', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    const other = await openInboxFile(path);
    other.exec('BEGIN IMMEDIATE');
    const one = received();
    await expect(keepIn(inbox, [one], { handOn: true })).rejects.toMatchObject({ kind: 'busy' });
    other.exec('ROLLBACK');
    expect((await keepIn(inbox, [one], { handOn: true }))[0]?.outcome).toBe('new');
    other.close();
    await inbox.close();
  });

  it.runIf(isLong)('knows a duplicate among many, and lists them all', async () => {
    const path = temporaryInboxPath();
    const first = await open(path);
    const many = Array.from({ length: 25_000 }, (_, i) =>
      received({ transactionId: `t${i % 5000}`, event: `e${i % 3}` }),
    );
    for (let i = 0; i < many.length; i += 5000)
      await keepIn(first, many.slice(i, i + 5000), { handOn: false });
    const second = await open(path);
    const last = many.slice(-3000);
    expect(new Set((await keepIn(second, last, { handOn: false })).map(({ outcome }) => outcome))).toEqual(
      new Set(['duplicate']),
    );
    expect((await first.known(many.map(({ eventPrint }) => eventPrint))).size).toBe(many.length);
    for (const inbox of [first, second]) {
      expect(await inbox.list({ transactionId: 't7' }, { limit: 10 })).toHaveLength(5);
      expect(await inbox.list({ transactionId: 't7', event: 'e1' }, { limit: 10 })).toHaveLength(2);
      expect(await inbox.list({ event: 'e1', state: 'kept' }, { limit: 30_000 })).toHaveLength(8333);
    }
    const gone = await second.prune({ before: 2_000_000_000_000, deadLetters: false, forget: false });
    expect(gone).toBe(many.length);
    expect(await first.list({ event: 'e1' }, { limit: 10 })).toEqual([]);
    expect((await keepIn(first, many.slice(0, 9), { handOn: false }))[8]?.outcome).toBe('duplicate');
    await second.close();
    await first.close();
  });
});

/** How many deliveries have a row of their own, as another process sees it. */
async function rowsIn(path: string): Promise<number> {
  const database = await openInboxFile(path);
  const rows = Number(database.get('SELECT count(*) AS n FROM deliveries')?.n);
  database.close();
  return rows;
}

describe('what has just been kept', () => {
  it('is a row for each delivery when it is acknowledged, and all of a batch or none', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    await keepIn(inbox, [received(), received(), received()], { handOn: true });
    expect(await rowsIn(path)).toBe(3);
    const broken = { ...received(), receivedAt: 0.5 };
    await expect(keepIn(inbox, [received(), broken, received()], { handOn: true })).rejects.toThrow();
    expect(await rowsIn(path)).toBe(3);
    expect(await inbox.backlog()).toEqual({ waiting: 3, deadLetters: 0 });
    await inbox.close();
  });

  it('is known again by whoever comes after a process that died', async () => {
    const path = temporaryInboxPath();
    const dead = await open(path);
    const [one, two, three] = [received(), received(), received()];
    const kept = await keepIn(dead, [one, two, three], { handOn: true });
    const next = await open(path);
    const again = await keepIn(next, [three, received(), one, two], { handOn: true });
    expect(again.map(({ outcome }) => outcome)).toEqual(['duplicate', 'new', 'duplicate', 'duplicate']);
    expect([again[2], again[3], again[0]].map((keeping) => keeping?.id)).toEqual(kept.map(({ id }) => id));
    expect(await next.backlog()).toEqual({ waiting: 4, deadLetters: 0 });
    await next.close();
    await dead.close();
  });

  it('leaves duplicates out', async () => {
    const path = temporaryInboxPath();
    const [ours, theirs] = [await open(path), await open(path)];
    const [one, two] = [received(), received()];
    const kept = await keepIn(ours, [one, one, received(), one], { handOn: false });
    expect(kept.map(({ outcome }) => outcome)).toEqual(['new', 'duplicate', 'new', 'duplicate']);
    expect(new Set([kept[0]?.id, kept[1]?.id, kept[3]?.id]).size).toBe(1);
    await keepIn(theirs, [two, one], { handOn: false });
    expect((await keepIn(ours, [two], { handOn: false }))[0]?.outcome).toBe('duplicate');
    expect(await ours.list({}, { limit: 10 })).toHaveLength(3);
    for (const inbox of [ours, theirs]) await inbox.close();
  });

  it('has ids that grow, whoever reads or writes meanwhile', async () => {
    const path = temporaryInboxPath();
    const handles = [await open(path), await open(path)];
    const ids: string[] = [];
    for (let i = 0; i < 40; i++) {
      const inbox = handles[i % 3 === 0 ? 1 : 0] ?? (await open(path));
      const [kept] = await keepIn(inbox, [received()], { handOn: false });
      ids.push(kept?.id ?? '');
    }
    expect(ids).toEqual([...ids].sort());
    for (const inbox of handles) await inbox.close();
  });

  it('has ids that grow, also when all before was pruned and the clock went back', async () => {
    const path = temporaryInboxPath();
    const [before] = await keepIn(await open(path), [received()], { handOn: false });
    const pruning = await open(path);
    expect(await pruning.prune({ before: 2_000_000_000_000, deadLetters: false, forget: true })).toBe(1);
    await pruning.close();
    const back = { ...options(), clock: { now: () => standingClock().now() - 3_600_000 } };
    const inbox = await openSqliteInbox(path, back);
    const [after] = await keepIn(inbox, [received()], { handOn: false });
    expect((after?.id ?? '') > (before?.id ?? '')).toBe(true);
    await inbox.close();
  });
});

describe('one listener for an inbox', () => {
  let program: string;
  beforeAll(async () => {
    const source = new URL('../../src', import.meta.url).pathname;
    program = await bundleProgram(`
      import { openSqliteInbox } from '${source}/webhooks/store/sqlite.ts';
      import { seededRandom } from '${source}/core/random.ts';
      const [path, account] = process.argv.slice(2);
      const inbox = await openSqliteInbox(path, { account, clock: { now: () => 1 }, random: seededRandom(1) });
      process.stdout.write(JSON.stringify(await inbox.hold('the child')) + '\\n');
      setInterval(() => {}, 1000);
    `);
  });

  it('says who the other one is, in one process or two, until that one ends, however it ends', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    const child = startProgram(program, path, ACCOUNT);
    expect(JSON.parse(await firstLine(child))).toEqual({ held: true });
    expect(await inbox.hold('us')).toEqual({ held: false, by: 'the child' });
    child.kill('SIGKILL');
    await ended(child);
    expect(await inbox.hold('us')).toEqual({ held: true });
    expect(await inbox.hold('us')).toEqual({ held: true });
    const neighbour = await open(path);
    expect(await neighbour.hold('them')).toEqual({ held: false, by: 'us' });
    const third = startProgram(program, path, ACCOUNT);
    expect(JSON.parse(await firstLine(third))).toEqual({ held: false, by: 'us' });
    third.kill('SIGKILL');
    await inbox.close();
    expect(await neighbour.hold('them')).toEqual({ held: true });
    await neighbour.close();
  });

  it('is one for each account', async () => {
    const path = temporaryInboxPath();
    const [one, two] = [await open(path), await open(path, 'another')];
    expect([await one.hold('1'), await two.hold('2')]).toEqual([{ held: true }, { held: true }]);
    await one.close();
    await two.close();
  });
});

describe('the space of what was pruned', () => {
  const MARKED = 50;
  const mark = (i: number) => `names-somebody-${String(i).padStart(4, '0')}-for-sure`;
  const sized = (i: number) => Buffer.from(`${i % 40 ? 'x' : mark(i / 40)}${'y'.repeat(5000)}`);
  const everything = { before: 2_000_000_000_000, deadLetters: true, forget: false };
  const fill = async (inbox: Awaited<ReturnType<typeof open>>) => {
    for (let from = 0; from < MARKED * 40; from += 100) {
      const batch = Array.from({ length: 100 }, (_, i) => received({ body: sized(from + i) }));
      await keepIn(inbox, batch, { handOn: false });
      await inbox.list({}, { limit: 1 });
    }
  };
  /** Of the file and of the one that SQLite keeps beside it. */
  const bytesAt = (path: string): Buffer =>
    Buffer.concat(
      readdirSync(dirname(path))
        .filter((file) => /\.db(-wal)?$/.test(file))
        .map((file) => readFileSync(`${dirname(path)}/${file}`)),
    );
  const marksIn = (bytes: Buffer) => Array.from({ length: MARKED }, (_, i) => bytes.includes(mark(i)));

  it('is given back, and no byte of a body stays', async () => {
    const path = temporaryInboxPath();
    const inbox = await open(path);
    await fill(inbox);
    const before = bytesAt(path);
    expect(marksIn(before)).not.toContain(false);
    expect(await inbox.prune(everything)).toBe(MARKED * 40);
    expect(await inbox.giveBack()).toBe('given_back');
    const after = bytesAt(path);
    expect(after.length).toBeLessThan(before.length / 10);
    expect(marksIn(after)).not.toContain(true);
    await inbox.close();
    expect(bytesAt(path).length).toBeLessThan(before.length / 10);
    expect(marksIn(bytesAt(path))).not.toContain(true);
  });

  it('is kept while a listener uses the file, of whatever account, and given back when it has ended', async () => {
    const path = temporaryInboxPath();
    const [inbox, listener] = [await open(path), await open(path, 'another')];
    await fill(inbox);
    expect(await listener.hold('them')).toEqual({ held: true });
    expect(await inbox.prune(everything)).toBe(MARKED * 40);
    expect(await inbox.giveBack()).toBe('in_use');
    expect(statSync(path).size).toBeGreaterThan(5_000_000);
    expect((await keepIn(listener, [received()], { handOn: true }))[0]?.outcome).toBe('new');
    await listener.close();
    expect(await inbox.prune(everything)).toBe(0);
    expect(await inbox.giveBack()).toBe('given_back');
    expect(statSync(path).size).toBeLessThan(1_000_000);
    const next = await open(path);
    expect(await next.hold('next')).toEqual({ held: true });
    expect(await next.giveBack()).toBe('given_back');
    for (const one of [inbox, next]) await one.close();
  });

  it('is kept while somebody reads what was there before, and given back after that', async () => {
    const path = temporaryInboxPath();
    const database = await openInboxFile(path);
    const inbox = createSqliteInbox(database, path, options());
    await fill(inbox);
    const reader = await openInboxFile(path);
    reader.exec('BEGIN');
    reader.get('SELECT count(*) FROM deliveries');
    await inbox.prune({ ...everything, before: 1_790_000_000_001 });
    expect(await inbox.giveBack()).toBe('in_use');
    reader.exec('ROLLBACK');
    reader.close();
    expect(await inbox.giveBack()).toBe('given_back');
    await inbox.close();
    expect(bytesAt(path).length).toBeLessThan(1_000_000);
  });
});
