/** A snapshot and a restore of much: other requests come between, and yet one is of one moment and the other whole. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { some } from '../support/long.ts';
import { type Bench, paymentBody, person, startBench } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const closing = closeAfterEach();
const SENDERS = 700;
const HOUR = 3_600_000;

const kinds: [string, () => Promise<RecordDatabase | undefined>][] = [
  ['in memory', async () => undefined],
  ['on disk', () => openRecords(join(temporaryFolder(), 'sandbox.db'))],
];

describe.each(some(kinds, 1))('a sandbox %s', (kind, open) => {
  async function filled(): Promise<Bench> {
    const bench = await startBench({ data: await open() });
    closing.push(() => bench.sandbox.close());
    await bench.call('POST', '/transactions/create_and_fund', paymentBody('early', '0123456700'));
    for (let i = 0; i < SENDERS; i++) {
      const sender = { ...person, external_id: `s-${i}`, metadata: { note: 'x'.repeat(1_000) } };
      await bench.call('POST', '/senders', { sender });
    }
    await bench.sandbox.drain();
    return bench;
  }

  /** Turns of the event loop while the work is done. */
  async function turnsOf(work: Promise<unknown>): Promise<number> {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await work;
    isOver = true;
    return turns;
  }

  const snapshotOf = async ({ sandbox }: Bench): Promise<Uint8Array> => {
    const answer = await sandbox.control.ask('sandbox.snapshot');
    if (answer.kind !== 'bytes') throw new Error(answer.kind);
    return answer.bytes;
  };
  const pay = (bench: Bench, name: string) =>
    bench.call('POST', '/transactions/create_and_fund', paymentBody(name, '0123456700'));
  const idsIn = async ({ call }: Bench, name: string) =>
    (await call('GET', `/transactions?external_id=${name}`)).body.object.length;

  it('answers reads while a snapshot is taken; what changes anything waits, and is not in it', async () => {
    const bench = await filled();
    const order: string[] = [];
    const note = <T>(name: string, work: Promise<T>): Promise<T> =>
      work.then((value) => {
        order.push(name);
        return value;
      });
    const before = gunzipSync(bench.sandbox.snapshot()).toString();
    const taking = note('snapshot', snapshotOf(bench));
    const paying = note('payment', pay(bench, 'late'));
    const moving = note('clock', bench.sandbox.advance(HOUR));
    const reading = note('read', bench.call('GET', '/senders'));
    const turns = await turnsOf(taking);
    const [image, paid] = await Promise.all([taking, paying, moving, reading]);
    expect(order.slice(0, 2)).toEqual(['read', 'snapshot']);
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(paid.status).toBe(201);
    expect(gunzipSync(image).toString()).toBe(before);
    expect(await idsIn(bench, 'late')).toBe(1);
    bench.sandbox.audit();
  });

  it('makes the same snapshot at once and in slices', async () => {
    const bench = await filled();
    const atOnce = gunzipSync(bench.sandbox.snapshot()).toString();
    expect(gunzipSync(await snapshotOf(bench)).toString()).toBe(atOnce);
    expect(gunzipSync(await snapshotOf(bench)).toString()).toBe(atOnce);
  });

  it('is restored in slices: what changes anything comes after it, and is there', async () => {
    const bench = await filled();
    const bytes = bench.sandbox.snapshot();
    await pay(bench, 'gone');
    const restoring = bench.sandbox.control.ask('sandbox.restore', { bytes });
    const turning = turnsOf(restoring);
    await new Promise((resolve) => setImmediate(resolve));
    const paying = pay(bench, 'after');
    const reading = idsIn(bench, 'gone');
    expect((await restoring).kind).toBe('done');
    expect(await turning).toBeGreaterThanOrEqual(5);
    expect((await paying).status).toBe(201);
    expect([0, 1]).toContain(await reading);
    expect([await idsIn(bench, 'gone'), await idsIn(bench, 'early')]).toEqual([0, 1]);
    expect(bench.sandbox.control.state()).toMatchObject({ states: { senders: { approved: SENDERS + 1 } } });
    bench.sandbox.audit();
  });

  it('moves its clock beside a restore, and keeps no half of it', async () => {
    const data = await open();
    const bench = await startBench({ data });
    const bytes = bench.sandbox.snapshot();
    await pay(bench, 'gone');
    const restoring = bench.sandbox.control.ask('sandbox.restore', { bytes });
    const moving = bench.sandbox.advance(HOUR);
    await Promise.all([restoring, moving]);
    await bench.sandbox.close();
    if (!data) return;
    const again = await startBench({ data });
    expect(await idsIn(again, 'gone')).toBe(0);
  });

  it('is as it was after a restore that turns out to be wrong at its end', async () => {
    const bench = await filled();
    const before = gunzipSync(bench.sandbox.snapshot()).toString();
    const lines = before.trimEnd().split('\n').slice(0, -1);
    const text = lines.join('\n').replace('"wallet:EUR":"', '"wallet:EUR":"9');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const bytes = gzipSync(`${text}\n${JSON.stringify({ lines: lines.length, sha256 })}\n`);
    const answer = await bench.sandbox.control.ask('sandbox.restore', { bytes });
    expect(answer).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining('does not fit') });
    expect(gunzipSync(bench.sandbox.snapshot()).toString()).toBe(before);
    expect((await pay(bench, `${kind} still`)).status).toBe(201);
  });

  it('counts nothing to say how it stands', async () => {
    const bench = await filled();
    const { sandbox } = bench;
    expect(sandbox.control.state()).toMatchObject({
      counts: { senders: SENDERS + 1, transactions: 1 },
      states: { senders: { approved: SENDERS + 1 }, transactions: { paid: 1 }, recipients: { success: 1 } },
    });
  });
});
