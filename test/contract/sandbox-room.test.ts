/** A sandbox in memory that is full says so and what to do, goes on with the rest, and takes more as soon as there is room. */
import { describe, expect, it } from 'vitest';
import type { Heap } from '../../src/sandbox/room.ts';
import { paymentBody, startBench } from '../support/sandbox.ts';
import { closeAfterEach } from '../support/servers.ts';

const closing = closeAfterEach();
const GIGABYTE = 2 ** 30;

async function start(heap: () => Heap) {
  const bench = await startBench({ heap, data: undefined });
  closing.push(() => bench.sandbox.close());
  const pay = (name: string) =>
    bench.call('POST', '/transactions/create_and_fund', paymentBody(name, '0123456719'));
  return { ...bench, pay };
}

describe('a sandbox in memory', () => {
  it('that is full keeps nothing more, says why, and goes on with what adds nothing', async () => {
    const heap = { used: GIGABYTE, taken: GIGABYTE, limit: 4 * GIGABYTE };
    const { call, pay, sandbox } = await start(() => heap);
    const made = await pay('first');
    await sandbox.drain();
    heap.used = 3 * GIGABYTE;
    heap.taken = 3.5 * GIGABYTE;
    let number = 0;
    let answer = made;
    while (answer.status === 201 && number < 60) answer = await pay(`more-${number++}`);
    expect(answer).toMatchObject({ status: 507, body: { error: 'Insufficient Storage' } });
    expect(answer.body.message).toMatch(/full.*4096 MB.*data in a file.*max-old-space-size=8192/);
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
