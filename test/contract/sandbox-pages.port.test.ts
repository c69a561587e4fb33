/**
 * Pages of both stores are what a plain filter over all records gives, whatever was added and changed between two of them; and a
 * page costs what is on it: no store passes over the records before it, or looks at those that do not fit.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordDatabase, Selection } from '../../src/core/ports/record-database.ts';
import { seededRandom } from '../../src/core/random.ts';
import { durableStore } from '../../src/sandbox/store/durable.ts';
import { memoryStore } from '../../src/sandbox/store/memory.ts';
import type { RecipientFilter, SandboxStore } from '../../src/sandbox/store/port.ts';
import type {
  ApiLogRecord,
  DocumentRecord,
  PayoutMethodRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
} from '../../src/sandbox/store/records.ts';
import { sandboxData } from '../../src/sandbox/store/tables.ts';
import { openRecords } from '../../src/store/record-file.ts';
import { temporaryFolder } from '../support/child-program.ts';

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

const openData = () => openRecords(join(temporaryFolder(), 'sandbox.db'), sandboxData);
const makers: [string, () => Promise<SandboxStore>][] = [
  ['in memory', async () => memoryStore()],
  ['on disk', async () => durableStore(await openData())],
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

/** The same database, with a note of every question. */
function noted(data: RecordDatabase): { data: RecordDatabase; selected: Selection[]; counted: unknown[] } {
  const selected: Selection[] = [];
  const counted: unknown[] = [];
  const table = (name: string) => {
    const own = data.table(name);
    return {
      ...own,
      select: (selection: Selection) => {
        selected.push(selection);
        return own.select(selection);
      },
      count: (where: Parameters<typeof own.count>[0]) => {
        counted.push(where);
        return own.count(where);
      },
    };
  };
  return { data: { ...data, table }, selected, counted };
}

const COUNT = 1_200;
const PER = 10;

const lists: [string, (store: SandboxStore, index: number) => void, (store: SandboxStore) => Lister][] = [
  [
    'recipients',
    addRecipient,
    ({ recipients }) =>
      (window) =>
        recipients.page({}, window),
  ],
  ['recipients of two states', addRecipient, listing({ states: ['initial', 'error'] })],
  ['recipients of a currency and a time', addRecipient, listing({ inputCurrencies: ['EUR'], from: 1_001 })],
  ['recipients of an amount', addRecipient, listing({ inputCurrencies: ['EUR'], amountTo: '50' })],
  [
    'recipients of a sender',
    addRecipient,
    ({ recipients }) =>
      (window) =>
        recipients.ofSender('s1', { types: ['NGN::Bank', 'GHS::Bank'] }, window),
  ],
  [
    'transactions',
    ({ transactions }, i) => transactions.insert({ id: `t${i}`, externalId: null, payins: [] } as never),
    ({ transactions }) =>
      (window) =>
        transactions.page({}, window),
  ],
  [
    'transactions of a sender',
    ({ transactions }, i) =>
      transactions.insert({ id: `t${i}`, senderId: 's', externalId: null, payins: [] } as never),
    ({ transactions }) =>
      (window) =>
        transactions.page({ senderId: 's' }, window),
  ],
  [
    'senders since a day',
    ({ senders }, i) => senders.insert({ id: `s${i}`, externalId: null, createdAt: i } as SenderRecord),
    ({ senders }) =>
      (window) =>
        senders.page({ from: 3, to: 99_999 }, window),
  ],
  [
    'payout methods that are enabled',
    ({ payoutMethods }, i) =>
      payoutMethods.insert({
        id: `p${i}`,
        state: 'enabled',
        type: 'NGN::Bank',
        createdAt: i,
      } as PayoutMethodRecord),
    ({ payoutMethods }) =>
      (window) =>
        payoutMethods.page({ states: ['enabled'] }, window),
  ],
  [
    'documents',
    ({ documents }, i) => documents.insert({ id: `d${i}`, createdAt: i } as DocumentRecord),
    ({ documents }) =>
      (window) =>
        documents.page(window),
  ],
  [
    'the log of requests',
    ({ apiLogs }, i) => apiLogs.insert({ id: `l${i}`, createdAt: i } as ApiLogRecord),
    ({ apiLogs }) =>
      (window) =>
        apiLogs.page({ from: 250 }, window),
  ],
];

type Lister = (window: { page: number; per: number }) => { rows: unknown[]; total: number };

function addRecipient({ recipients }: SandboxStore, index: number): void {
  recipients.insert(recipient(index));
}

function listing(filter: RecipientFilter): (store: SandboxStore) => Lister {
  return ({ recipients }) =>
    (window) =>
      recipients.page(filter, window);
}

describe('from the first page to the last', () => {
  it.each(lists)(
    '%s on disk: nothing before a page is passed over, and a total is counted once',
    async (_, add, list) => {
      const { data, selected, counted } = noted(await openData());
      const store = durableStore(data);
      for (let i = 0; i < COUNT; i++) add(store, i);
      store.durable.commit([]);
      selected.length = 0;
      counted.length = 0;
      const page = list(store);
      const { total } = page({ page: 1, per: PER });
      expect(total).toBeGreaterThan(COUNT / 10);
      let seen = 0;
      for (let number = 1; number <= Math.ceil(total / PER); number++) {
        if (number === 7) add(store, COUNT);
        seen += page({ page: number, per: PER }).rows.length;
      }
      expect(seen).toBeGreaterThanOrEqual(total);
      expect(selected.reduce((sum, { offset }) => sum + offset, 0)).toBeLessThan(3 * PER);
      expect(counted.length).toBeLessThanOrEqual(1);
    },
  );

  it('in memory: a row that does not fit is not looked at, nor one before the page', () => {
    const { recipients } = memoryStore();
    let looks = 0;
    const watched = (index: number, state: string): RecipientRecord => {
      const row = recipient(index);
      return Object.defineProperty(row, 'state', {
        get: () => {
          looks += 1;
          return state;
        },
      });
    };
    for (let i = 0; i < COUNT; i++) recipients.insert(watched(i, i % 100 === 0 ? 'error' : 'success'));
    looks = 0;
    const found = recipients.page({ states: ['error'] }, { page: 2, per: 5 });
    expect([found.rows.length, found.total]).toEqual([5, COUNT / 100]);
    const two = recipients.page(
      { states: ['error', 'success'], inputCurrencies: ['EUR'] },
      { page: 30, per: PER },
    );
    expect([two.rows.length, two.total]).toEqual([PER, COUNT / 3]);
    const ages = recipients.page({ states: ['success'], from: 1_390 }, { page: 1, per: 100 });
    expect(ages.total).toBe(30);
    expect(looks).toBe(0);
  });
});
