/** Pages of a store are what a plain filter over all records gives, whatever was added and changed between two of them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { durableStore } from '../../src/sandbox/store/durable.ts';
import { memoryTables, type RecipientFilter } from '../../src/sandbox/store/memory.ts';
import type { SandboxStore } from '../../src/sandbox/store/port.ts';
import type {
  ApiLogRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
} from '../../src/sandbox/store/records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const STATES = ['initial', 'pending', 'error', 'success'] as const;
const CURRENCIES = ['EUR', 'USD', 'GBP'];
const AMOUNTS = ['9.99', '10', '100.5', '2500'];

const recipient = (index: number, over: Partial<RecipientRecord> = {}) =>
  ({
    id: `r${index}`,
    senderId: `s${index % 3}`,
    createdAt: 1_000 + Math.floor(index / 3),
    state: 'initial',
    inputCurrency: CURRENCIES[index % 3],
    inputAmount: AMOUNTS[index % 4],
    payoutType: index % 5 === 0 ? 'GHS::Bank' : 'NGN::Bank',
    payoutMethodId: `pm-${index}`,
    mandateId: null,
    history: [],
    ...over,
  }) as unknown as RecipientRecord;

const makers: [string, () => Promise<SandboxStore>][] = [
  ['in memory', async () => memoryTables()],
  ['on disk', async () => durableStore(await openRecords(join(temporaryFolder(), 'sandbox.db')))],
];

describe.each(makers)('pages of the store %s', (_name, make) => {
  it('are those of a plain filter, with records added and changed between them', async () => {
    const { recipients, durable } = await make();
    const random = seededRandom('pages');
    const draw = (below: number) => Math.floor(random.next() * below);
    const some = <V>(values: readonly V[]) =>
      draw(2) === 0 ? undefined : values.filter(() => draw(2) === 0);
    const all: RecipientRecord[] = [];
    const add = () => {
      all.push(recipient(all.length, { state: STATES[draw(4)] ?? 'error' }));
      recipients.insert(all.at(-1) as RecipientRecord);
    };
    const change = () => {
      const { id } = all[draw(all.length)] as RecipientRecord;
      const held = recipients.get(id) as RecipientRecord;
      all[Number(id.slice(1))] = recipients.update(
        held,
        draw(3) === 0 ? { inputAmount: AMOUNTS[draw(4)] ?? '1' } : { state: STATES[draw(4)] ?? 'error' },
      );
    };
    const ends = () => (draw(2) === 0 ? undefined : 1_000 + draw(120));
    const filters: RecipientFilter[] = Array.from({ length: 12 }, () => ({
      states: some(STATES),
      inputCurrencies: some(CURRENCIES),
      amountFrom: draw(2) === 0 ? undefined : AMOUNTS[draw(4)],
      amountTo: draw(2) === 0 ? undefined : AMOUNTS[draw(4)],
      from: ends(),
      to: ends(),
    }));
    for (let i = 0; i < 200; i++) add();
    for (let round = 0; round < 400; round++) {
      const filter = filters[round % 3 === 0 ? draw(12) : Math.floor(round / 40)] as RecipientFilter;
      const window = { page: 1 + draw(12), per: 1 + draw(20) };
      const fitting = all.filter((row) => fits(row, filter)).reverse();
      const start = (window.page - 1) * window.per;
      const found = recipients.page(filter, window);
      expect(found.rows.map(({ id }) => id)).toEqual(
        fitting.slice(start, start + window.per).map(({ id }) => id),
      );
      expect(found.total).toBe(fitting.length);
      for (let i = draw(4); i > 0; i--) change();
      for (let i = draw(30) === 0 ? 60 : draw(3); i > 0; i--) add();
      if (round % 50 === 0) durable?.commit([]);
    }
  });

  it('by amount have both ends, of amounts that a float cannot tell apart too', async () => {
    const { recipients } = await make();
    const amounts = ['9007199254740992', '9007199254740993', '0.1', '0.10000000000000000001'];
    for (const [i, inputAmount] of amounts.entries()) recipients.insert(recipient(i, { inputAmount }));
    const found = (filter: RecipientFilter) =>
      recipients.page(filter, { page: 1, per: 9 }).rows.map(({ inputAmount }) => inputAmount);
    expect(found({ amountFrom: '9007199254740993' })).toEqual(['9007199254740993']);
    expect(found({ amountFrom: '1', amountTo: '9007199254740992' })).toEqual(['9007199254740992']);
    expect(found({ amountTo: '0.100' })).toEqual(['0.1']);
    expect(found({ amountFrom: '0.10000000000000000001', amountTo: '1' })).toEqual([
      '0.10000000000000000001',
    ]);
  });

  it('of a sender are found among its own, by type and time', async () => {
    const { recipients } = await make();
    const all = Array.from({ length: 300 }, (_, i) => recipient(i));
    for (const row of all.slice(0, 250)) recipients.insert(row);
    const asked = { types: ['GHS::Bank'], from: 1_020 };
    const mine = (rows: readonly RecipientRecord[]) =>
      rows
        .filter(
          (row) => row.senderId === 's1' && row.payoutType === 'GHS::Bank' && row.createdAt >= asked.from,
        )
        .reverse();
    expect(recipients.ofSender('s1', asked, { page: 2, per: 3 })).toMatchObject({
      rows: mine(all.slice(0, 250)).slice(3, 6),
      total: mine(all.slice(0, 250)).length,
    });
    for (const row of all.slice(250)) recipients.insert(row);
    expect(recipients.ofSender('s1', asked, { page: 2, per: 3 })).toMatchObject({
      rows: mine(all).slice(3, 6),
      total: mine(all).length,
    });
  });

  it('are empty once all was cleared, whatever is asked, and of what came since afterwards', async () => {
    const { recipients, apiLogs, durable } = await make();
    for (let i = 0; i < 30; i++) recipients.insert(recipient(i));
    for (let i = 0; i < 30; i++) apiLogs.insert({ id: `l${i}`, createdAt: i } as ApiLogRecord);
    durable?.commit([]);
    recipients.clear();
    apiLogs.clear();
    const window = { page: 1, per: 5 };
    for (const filter of [
      {},
      { from: 1_000 },
      { to: 9_000 },
      { from: 1, to: 9_000 },
      { states: ['initial'] },
    ]) {
      expect(recipients.page(filter, window), JSON.stringify(filter)).toEqual({ rows: [], total: 0 });
      expect(apiLogs.page(filter, window), JSON.stringify(filter)).toEqual({ rows: [], total: 0 });
    }
    recipients.insert(recipient(3));
    expect(recipients.page({ from: 1_001 }, window).total).toBe(1);
    expect(recipients.page({ from: 1_002 }, window).total).toBe(0);
  });

  it('how many are in which state is known, through every change', async () => {
    const { recipients, senders, transactions } = await make();
    for (let i = 0; i < 6; i++) recipients.insert(recipient(i));
    recipients.update(recipients.get('r1') as RecipientRecord, { state: 'error' });
    senders.insert({ id: 's', externalId: null, state: 'approved', createdAt: 1 } as SenderRecord);
    senders.update(senders.get('s') as SenderRecord, { state: 'banned' });
    transactions.insert({ id: 't', externalId: null, state: 'initial', payins: [] } as never);
    transactions.update(transactions.get('t') as TransactionRecord, { state: 'approved' });
    expect([recipients.states(), senders.states(), transactions.states()]).toEqual([
      { initial: 5, error: 1 },
      { banned: 1 },
      { approved: 1 },
    ]);
    recipients.clear();
    expect(recipients.states()).toEqual({});
  });
});

function fits(row: RecipientRecord, filter: RecipientFilter): boolean {
  const { states, inputCurrencies, amountFrom, amountTo, from = 0, to = Number.MAX_VALUE } = filter;
  const amount = Number(row.inputAmount);
  return (
    (!states || states.includes(row.state)) &&
    (!inputCurrencies || inputCurrencies.includes(row.inputCurrency)) &&
    amount >= Number(amountFrom ?? 0) &&
    amount <= Number(amountTo ?? Number.MAX_VALUE) &&
    row.createdAt >= from &&
    row.createdAt <= to
  );
}
