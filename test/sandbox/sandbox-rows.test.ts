/** How the store of a sandbox lies in its file: a row for each record, written over when the record changes, and nothing else. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { durableStore } from '../../src/sandbox/store/durable.ts';
import { API_LOG_ENTRIES } from '../../src/sandbox/store/memory.ts';
import type { ApiLogRecord, SenderRecord, Task } from '../../src/sandbox/store/records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sender = (id: string, over: Partial<SenderRecord> = {}) =>
  ({ id, externalId: null, state: 'approved', createdAt: 1, ...over }) as SenderRecord;
const task = (sequence: number): Task => ({ due: 1, sequence, body: { kind: 'refund', recipientId: 'r' } });
const piece = (name: string, value: unknown) => ({ name, read: () => value, write: () => {} });

let data: RecordDatabase | undefined;
afterEach(() => data?.close());

/** With a note of every sequence that is written. */
async function open() {
  data = await openRecords(join(temporaryFolder(), 'sandbox.db'));
  const file = data;
  const written: number[] = [];
  const noted: RecordDatabase = {
    ...file,
    put(record) {
      written.push(record.sequence);
      file.put(record);
    },
  };
  const rows = () => [...file.all()].map(({ sequence, kind, body }) => `${sequence} ${kind} ${body}`);
  return { store: durableStore(noted), again: () => durableStore(file), file, written, rows };
}

describe('the rows of a data file', () => {
  it('are written where a record or a piece changed, each over its own', async () => {
    const { store, written, rows } = await open();
    const [first] = ['a', 'b'].map((id) => {
      store.senders.insert(sender(id));
      return store.senders.get(id) as SenderRecord;
    });
    store.durable.commit([piece('clock', 1), piece('random', [7])]);
    expect(written.splice(0)).toEqual([1, 2, 3, 4]);
    store.senders.update(first as SenderRecord, { state: 'banned' });
    store.senders.update(first as SenderRecord, { state: 'disabled' });
    store.durable.commit([piece('clock', 2), piece('random', [7])]);
    expect(written.splice(0)).toEqual([1, 3]);
    expect(rows()).toEqual([
      '1 senders {"id":"a","externalId":null,"state":"disabled","createdAt":1}',
      '2 senders {"id":"b","externalId":null,"state":"approved","createdAt":1}',
      '3 pieces {"name":"clock","value":2}',
      '4 pieces {"name":"random","value":[7]}',
    ]);
    store.durable.commit([piece('clock', 2), piece('random', [7])]);
    expect(written).toEqual([]);
  });

  it('are gone with their records; what came and went in one turn was never there', async () => {
    const { store, written, rows } = await open();
    store.tasks.insert(task(1));
    store.tasks.insert(task(2));
    store.tasks.remove(2);
    store.durable.commit([]);
    expect(written).toEqual([1]);
    expect(store.durable.waiting).toBe(0);
    store.tasks.remove(1);
    store.tasks.remove(1);
    expect(store.durable.waiting).toBe(1);
    store.durable.commit([]);
    expect(rows()).toEqual([]);
  });

  it('of a log make room as its entries do', async () => {
    const { store, rows } = await open();
    const add = (i: number) => store.apiLogs.insert({ id: `l${i}`, createdAt: i } as ApiLogRecord);
    for (let i = 0; i < API_LOG_ENTRIES; i++) add(i);
    store.durable.commit([]);
    for (let i = 0; i < 3; i++) add(API_LOG_ENTRIES + i);
    store.durable.commit([]);
    expect(rows()).toHaveLength(API_LOG_ENTRIES);
    expect(rows()[0]).toContain('"l3"');
  });

  it('are written anew where a table was cleared, with what is in the others', async () => {
    const { store, again, rows } = await open();
    store.senders.insert(sender('a'));
    store.nonces.insert({ id: 'n' });
    store.durable.commit([piece('clock', 1)]);
    store.senders.clear();
    store.senders.insert(sender('b'));
    store.durable.commit([piece('clock', 1)]);
    expect(rows().map((row) => row.slice(2))).toEqual([
      'senders {"id":"b","externalId":null,"state":"approved","createdAt":1}',
      'nonces {"id":"n"}',
      'pieces {"name":"clock","value":1}',
    ]);
    const later = again();
    expect([later.senders.size, later.nonces.has('n'), later.durable.piece('clock')]).toEqual([1, true, 1]);
  });

  it('are read again after a turn that is forgotten; what was handed out before changes nothing', async () => {
    const { store, rows } = await open();
    store.senders.insert(sender('a'));
    store.durable.commit([piece('clock', 1)]);
    const before = rows();
    const held = store.senders.get('a') as SenderRecord;
    store.senders.update(held, { state: 'banned', externalId: 'x' });
    store.senders.insert(sender('b'));
    store.durable.rollback();
    expect([store.senders.get('a')?.state, store.senders.size]).toEqual(['approved', 1]);
    expect(store.senders.byExternalId('x')).toBeUndefined();
    expect(store.senders.states()).toEqual({ approved: 1 });
    expect(() => store.senders.update(held, { state: 'disabled' })).toThrow('held by one object');
    store.durable.commit([piece('clock', 1)]);
    expect(rows()).toEqual(before);
  });

  it('that are written anew step by step have what changes meanwhile', async () => {
    const { store, again } = await open();
    for (let i = 0; i < 1_500; i++) store.senders.insert(sender(`s${i}`));
    let steps = 0;
    for (const _ of store.durable.rewriting()) {
      steps += 1;
      if (steps !== 1_200) continue;
      store.senders.update(store.senders.get('s3') as SenderRecord, { state: 'banned' });
      store.senders.update(store.senders.get('s1400') as SenderRecord, { state: 'banned' });
    }
    store.durable.commit([]);
    expect(steps).toBe(1_500);
    const later = again();
    expect([later.senders.size, later.senders.states()]).toEqual([1_500, { approved: 1_498, banned: 2 }]);
  });
});
