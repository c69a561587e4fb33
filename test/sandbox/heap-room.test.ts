/** A sandbox that is full says so and what to do, goes on with the rest, and takes more as soon as there is room; with a data file too. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import type { Heap } from '../../src/sandbox/heap-room.ts';
import { paymentBody, startBench } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const closing = closeAfterEach();
const GIGABYTE = 2 ** 30;

const openData = () => openRecords(join(temporaryFolder(), 'sandbox.db'));

async function start(heap: () => Heap, data?: RecordDatabase) {
  const bench = await startBench({ heap, data });
  closing.push(() => bench.sandbox.close());
  const pay = (name: string) =>
    bench.call('POST', '/transactions/create_and_fund', paymentBody(name, '0123456719'));
  return { ...bench, pay };
}

describe.each([
  ['in memory', async () => undefined],
  ['with a data file', openData],
])('a sandbox %s', (_, open) => {
  it('that is full keeps nothing more, says why, and goes on with what adds nothing', async () => {
    const heap = { used: GIGABYTE, taken: GIGABYTE, limit: 4 * GIGABYTE };
    const { call, pay, sandbox } = await start(() => heap, await open());
    const made = await pay('first');
    await sandbox.drain();
    heap.used = 3 * GIGABYTE;
    heap.taken = 3.5 * GIGABYTE;
    let number = 0;
    let answer = made;
    while (answer.status === 201 && number < 60) answer = await pay(`more-${number++}`);
    expect(answer).toMatchObject({ status: 507, body: { error: 'Insufficient Storage' } });
    expect(answer.body.message).toMatch(/full.*4096 MB.*max-old-space-size=8192/);
    expect((await call('GET', `/transactions?external_id=more-${number - 1}`)).body.object).toEqual([]);
    const [recipient] = made.body.object.recipients;
    expect((await call('DELETE', `/recipients/${recipient.id}`)).status).toBe(200);
    const { bytes } = (await sandbox.control.ask('sandbox.snapshot')) as { bytes: Uint8Array };
    expect(await sandbox.control.ask('sandbox.restore', { bytes })).toMatchObject({
      kind: 'wrong',
      sentence: expect.stringContaining('no room'),
    });
    heap.used = GIGABYTE;
    expect((await pay('again')).status).toBe(201);
    sandbox.audit();
  });
});

it('does not start over more data than there is memory for, and says so', async () => {
  const data = await openData();
  closing.push(async () => data.close());
  for (let sequence = 1; sequence <= 6_000; sequence++)
    data.put({ sequence, kind: 'nonces', body: JSON.stringify({ id: `n${sequence}` }) });
  data.commit();
  const little = { used: GIGABYTE, taken: GIGABYTE, limit: GIGABYTE };
  await expect(start(() => little, data)).rejects.toThrow(/full.*1024 MB.*max-old-space-size=2048/);
  await start(() => ({ ...little, used: 0 }), data);
});
