/** Both stores of the sandbox answer every question alike; the one on disk also when everything was read again. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRecords } from '../../src/disk/record-file.ts';
import { durableStore } from '../../src/sandbox/store/durable.ts';
import { API_LOG_ENTRIES, memoryTables, WEBHOOK_LOG_ENTRIES } from '../../src/sandbox/store/memory.ts';
import type { SandboxStore } from '../../src/sandbox/store/port.ts';
import type {
  ApiLogRecord,
  DebitRecord,
  DeliveryRecord,
  DocumentRecord,
  MandateRecord,
  PayinRecord,
  PayoutMethodRecord,
  PostingRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
  WebhookLogRecord,
  WebhookRecord,
} from '../../src/sandbox/store/records.ts';
import type { TablePage } from '../../src/sandbox/store/table-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Stage {
  store: SandboxStore;
  /** The same store; where it can, with nothing left in memory. */
  again(): SandboxStore;
  close(): void;
}

const onDisk = async (forgets: boolean): Promise<Stage> => {
  const data = await openRecords(join(temporaryFolder(), 'sandbox.db'));
  const stage: Stage = {
    store: durableStore(data),
    again() {
      stage.store.durable?.commit([]);
      if (forgets) stage.store = durableStore(data);
      return stage.store;
    },
    close: () => data.close(),
  };
  return stage;
};

const makers: [string, () => Promise<Stage>][] = [
  [
    'in memory',
    async () => {
      const store = memoryTables();
      return { store, again: () => store, close: () => {} };
    },
  ],
  ['on disk', () => onDisk(false)],
  ['on disk, read again', () => onDisk(true)],
];

const row = <R>(over: Partial<R>): R => ({ createdAt: 1_000, history: [], ...over }) as R;
const sender = (id: string, over: Partial<SenderRecord> = {}) =>
  row<SenderRecord>({ id, externalId: null, state: 'approved', fields: { first_name: 'Ada' }, ...over });
const transaction = (id: string, over: Partial<TransactionRecord> = {}) =>
  row<TransactionRecord>({ id, externalId: null, state: 'approved', senderId: 's', payins: [], ...over });
const recipient = (id: string, over: Partial<RecipientRecord> = {}) =>
  row<RecipientRecord>({
    id,
    senderId: 's',
    state: 'initial',
    inputCurrency: 'EUR',
    inputAmount: '10',
    payoutType: 'NGN::Bank',
    payoutMethodId: `pm-${id}`,
    mandateId: null,
    ...over,
  });
const payin = (id: string) => ({ id, type: 'GHS::Mobile', history: [] }) as unknown as PayinRecord;

const ids = (page: TablePage<{ id: string }>) => page.rows.map(({ id }) => id).join(' ');
const first = { page: 1, per: 10 };

describe.each(makers)('the store of the sandbox %s', (_name, make) => {
  let stage: Stage | undefined;
  afterEach(() => stage?.close());
  const open = async (fill: (store: SandboxStore) => void): Promise<SandboxStore> => {
    stage = await make();
    fill(stage.store);
    return stage.again();
  };
  const again = (): SandboxStore => (stage as Stage).again();

  it('finds a record by its id, as it was put in, and none of another id', async () => {
    const store = await open(({ senders }) => senders.insert(sender('a', { externalId: 'x' })));
    expect(store.senders.get('a')).toEqual(sender('a', { externalId: 'x' }));
    expect(store.senders.get('b')).toBeUndefined();
    expect(store.senders.size).toBe(1);
  });

  it('takes no id twice', async () => {
    const store = await open(({ senders }) => senders.insert(sender('a')));
    store.senders.get('a');
    expect(() => store.senders.insert(sender('a'))).toThrow('is new');
  });

  it('hands out one object for one id, and keeps what was changed in it', async () => {
    const store = await open(({ senders }) => senders.insert(sender('a')));
    const held = store.senders.get('a') as SenderRecord;
    expect(store.senders.page({}, first).rows[0]).toBe(held);
    expect(store.senders.update(held, { state: 'disabled' })).toBe(held);
    expect(store.senders.get('a')?.state).toBe('disabled');
    expect(again().senders.get('a')?.state).toBe('disabled');
  });

  it('pages newest first, with the total, and with nothing behind the end', async () => {
    const store = await open(({ senders }) => {
      for (let i = 1; i <= 25; i++) senders.insert(sender(`s${i}`, { createdAt: i }));
    });
    expect(ids(store.senders.page({}, { page: 1, per: 3 }))).toBe('s25 s24 s23');
    expect(ids(store.senders.page({}, { page: 9, per: 3 }))).toBe('s1');
    expect(store.senders.page({}, { page: 10, per: 3 })).toEqual({ rows: [], total: 25 });
    expect(store.senders.page({ from: 5, to: 8 }, { page: 1, per: 2 }).total).toBe(4);
    expect(ids(store.senders.page({ from: 5, to: 8 }, first))).toBe('s8 s7 s6 s5');
    expect(ids(store.senders.page({ from: 24 }, first))).toBe('s25 s24');
    expect(store.senders.page({ from: 8, to: 5 }, first)).toEqual({ rows: [], total: 0 });
  });

  it('finds by external id, through a change of it', async () => {
    const store = await open(({ senders, transactions }) => {
      senders.insert(sender('a', { externalId: 'old' }));
      senders.insert(sender('b'));
      transactions.insert(transaction('t', { externalId: 'T-1' }));
    });
    store.senders.update(store.senders.get('a') as SenderRecord, { externalId: 'new' });
    expect(store.senders.byExternalId('old')).toBeUndefined();
    expect(store.senders.byExternalId('new')?.id).toBe('a');
    store.senders.update(store.senders.get('b') as SenderRecord, { externalId: 'old' });
    expect(again().senders.byExternalId('old')?.id).toBe('b');
    expect(again().senders.byExternalId('new')?.id).toBe('a');
    expect(again().transactions.byExternalId('T-1')?.id).toBe('t');
    const { senders } = again();
    const held = senders.get('a') as SenderRecord;
    expect(() => senders.update(held, { externalId: 'old' })).toThrow('names one row');
  });

  it('finds transactions by sender and payin, and those that wait for their sender, oldest first', async () => {
    const store = await open(({ transactions }) => {
      transactions.insert(transaction('t1', { state: 'initial' }));
      transactions.insert(transaction('t2', { senderId: 'other', state: 'initial' }));
      transactions.insert(transaction('t3', { state: 'initial', payins: [payin('p1'), payin('p2')] }));
      transactions.insert(transaction('t4'));
    });
    expect(store.transactions.waitingFor('s').map(({ id }) => id)).toEqual(['t1', 't3']);
    store.transactions.update(store.transactions.get('t1') as TransactionRecord, { state: 'approved' });
    expect(store.transactions.waitingFor('s').map(({ id }) => id)).toEqual(['t3']);
    expect(store.transactions.page({ senderId: 's' }, { page: 1, per: 2 })).toMatchObject({ total: 3 });
    expect(ids(store.transactions.page({ senderId: 's' }, first))).toBe('t4 t3 t1');
    expect(ids(store.transactions.page({}, first))).toBe('t4 t3 t2 t1');
    expect(store.transactions.byPayin('p2')?.id).toBe('t3');
    store.transactions.update(store.transactions.get('t4') as TransactionRecord, { payins: [payin('p3')] });
    expect(again().transactions.byPayin('p3')?.id).toBe('t4');
    expect(again().transactions.byPayin('p4')).toBeUndefined();
  });

  it('filters recipients by state, currency, amount and time, with totals that follow every change', async () => {
    const store = await open(({ recipients }) => {
      recipients.insert(recipient('r1', { createdAt: 1, inputAmount: '9.99' }));
      recipients.insert(recipient('r2', { createdAt: 2, inputAmount: '10', state: 'error' }));
      recipients.insert(recipient('r3', { createdAt: 3, inputAmount: '10.00', inputCurrency: 'USD' }));
      recipients.insert(recipient('r4', { createdAt: 4, inputAmount: '100.5', state: 'error' }));
    });
    const page = (filter: Parameters<SandboxStore['recipients']['page']>[0], window = first) => {
      const found = store.recipients.page(filter, window);
      return `${ids(found)} of ${found.total}`;
    };
    expect(page({})).toBe('r4 r3 r2 r1 of 4');
    expect(page({ states: ['error'] })).toBe('r4 r2 of 2');
    expect(page({ states: ['error', 'initial', 'error'] }, { page: 2, per: 3 })).toBe('r1 of 4');
    expect(page({ states: ['success'] })).toBe(' of 0');
    expect(page({ inputCurrencies: ['USD'] })).toBe('r3 of 1');
    expect(page({ states: ['initial'], inputCurrencies: ['EUR', 'USD'] })).toBe('r3 r1 of 2');
    expect(page({ inputCurrencies: ['EUR'], amountFrom: '10.0' })).toBe('r4 r2 of 2');
    expect(page({ amountFrom: '9.990', amountTo: '10' })).toBe('r3 r2 r1 of 3');
    expect(page({ amountTo: '-1' })).toBe(' of 0');
    expect(page({ amountFrom: '-1', amountTo: '0099.9' })).toBe('r3 r2 r1 of 3');
    expect(page({ states: ['error'], from: 3 })).toBe('r4 of 1');
    store.recipients.update(store.recipients.get('r1') as RecipientRecord, { state: 'error' });
    expect(page({ states: ['error'] })).toBe('r4 r2 r1 of 3');
    expect(ids(again().recipients.page({ states: ['error'] }, first))).toBe('r4 r2 r1');
    expect(again().recipients.page({ states: ['initial'] }, first).total).toBe(1);
  });

  it('finds recipients by payout method, mandate and sender', async () => {
    const store = await open(({ recipients }) => {
      recipients.insert(recipient('r1', { mandateId: 'm1', createdAt: 1 }));
      recipients.insert(recipient('r2', { payoutType: 'GHS::Bank', createdAt: 2 }));
      recipients.insert(recipient('r3', { senderId: 'other', mandateId: 'm1', createdAt: 3 }));
    });
    expect(store.recipients.byPayoutMethod('pm-r2')?.id).toBe('r2');
    expect(store.recipients.byPayoutMethod('pm')).toBeUndefined();
    expect(store.recipients.byMandate('m1').map(({ id }) => id)).toEqual(['r1', 'r3']);
    store.recipients.update(store.recipients.get('r1') as RecipientRecord, { mandateId: 'm2' });
    expect(store.recipients.byMandate('m1').map(({ id }) => id)).toEqual(['r3']);
    expect(
      again()
        .recipients.byMandate('m2')
        .map(({ id }) => id),
    ).toEqual(['r1']);
    expect(ids(store.recipients.ofSender('s', {}, first))).toBe('r2 r1');
    expect(ids(store.recipients.ofSender('s', { types: ['NGN::Bank'] }, first))).toBe('r1');
    expect(store.recipients.ofSender('s', { from: 2 }, { page: 1, per: 1 }).total).toBe(1);
  });

  it('pages payout methods by state and type, and documents', async () => {
    const store = await open(({ payoutMethods, documents }) => {
      const method = (id: string, over: Partial<PayoutMethodRecord>) =>
        payoutMethods.insert(row({ id, type: 'NGN::Bank', state: 'enabled', ...over }));
      method('a', {});
      method('b', { state: 'disabled' });
      method('c', { type: 'GHS::Bank', createdAt: 2_000 });
      for (const id of ['d1', 'd2']) documents.insert(row<DocumentRecord>({ id, disabled: false }));
    });
    expect(ids(store.payoutMethods.page({}, first))).toBe('c b a');
    expect(ids(store.payoutMethods.page({ states: ['enabled'] }, first))).toBe('c a');
    expect(ids(store.payoutMethods.page({ states: ['enabled'], types: ['NGN::Bank'] }, first))).toBe('a');
    expect(store.payoutMethods.page({ to: 1_000 }, { page: 2, per: 1 })).toMatchObject({ total: 2 });
    store.payoutMethods.update(store.payoutMethods.get('a') as PayoutMethodRecord, { state: 'disabled' });
    expect(ids(store.payoutMethods.page({ states: ['disabled'] }, first))).toBe('b a');
    store.documents.update(store.documents.get('d1') as DocumentRecord, { disabled: true });
    expect(ids(again().documents.page({}, { page: 1, per: 1 }))).toBe('d2');
    expect(again().documents.get('d1')?.disabled).toBe(true);
  });

  it('finds mandates by who has them, and debits and postings by their id', async () => {
    const store = await open(({ mandates, debits, postings }) => {
      mandates.insert(row<MandateRecord>({ id: 'm', identity: 'i-1', status: 'pending' }));
      debits.insert(row<DebitRecord>({ id: 'd', amount: '10' }));
      postings.insert({ id: 'debit:t', at: 1, entries: [] });
    });
    store.mandates.update(store.mandates.get('m') as MandateRecord, { status: 'signed' });
    expect(again().mandates.byKey('i-1')).toMatchObject({ id: 'm', status: 'signed' });
    expect(again().mandates.byKey('i-2')).toBeUndefined();
    expect(store.debits.get('d')?.amount).toBe('10');
    expect(store.postings.get('debit:t')).toEqual({
      id: 'debit:t',
      at: 1,
      entries: [],
    } satisfies PostingRecord);
    expect([store.debits.size, store.postings.size]).toEqual([1, 1]);
  });

  it('keeps webhooks and deliveries until they are removed', async () => {
    const store = await open(({ webhooks, deliveries }) => {
      for (const id of ['w1', 'w2', 'w3']) webhooks.insert(row<WebhookRecord>({ id, enabled: true }));
      deliveries.insert(row<DeliveryRecord>({ id: 'd1', webhookId: 'w1', tries: 0 }));
      deliveries.insert(row<DeliveryRecord>({ id: 'd2', webhookId: 'w1', tries: 0 }));
    });
    store.webhooks.remove('w2');
    store.webhooks.remove('none');
    store.webhooks.update(store.webhooks.get('w1') as WebhookRecord, { enabled: false });
    store.deliveries.update(store.deliveries.get('d1') as DeliveryRecord, { tries: 1 });
    store.deliveries.remove('d2');
    const later = again();
    expect([...later.webhooks.all()].map(({ id, enabled }) => `${id} ${enabled}`)).toEqual([
      'w1 false',
      'w3 true',
    ]);
    expect(ids(later.webhooks.page({ page: 1, per: 1 }))).toBe('w3');
    expect(later.webhooks.size).toBe(2);
    expect(later.deliveries.get('d1')?.tries).toBe(1);
    expect(later.deliveries.get('d2')).toBeUndefined();
    expect([...later.deliveries.all()]).toHaveLength(1);
  });

  it('keeps logs within their bounds, newest first', async () => {
    const entry = (i: number) =>
      row<ApiLogRecord>({ id: `l${i}`, createdAt: i, headers: { a: 'b' }, status: 200 });
    const store = await open(({ apiLogs, webhookLogs }) => {
      for (let i = 1; i <= API_LOG_ENTRIES + 5; i++) apiLogs.insert(entry(i));
      for (let i = 1; i <= WEBHOOK_LOG_ENTRIES + 3; i++) {
        webhookLogs.insert(row<WebhookLogRecord>({ id: `w${i}`, createdAt: i }));
      }
    });
    expect([store.apiLogs.size, store.webhookLogs.size]).toEqual([API_LOG_ENTRIES, WEBHOOK_LOG_ENTRIES]);
    expect(store.apiLogs.get('l5')).toBeUndefined();
    expect(store.apiLogs.get('l6')).toEqual(entry(6));
    expect(store.apiLogs.page({}, { page: 1, per: 2 })).toEqual({
      rows: [entry(API_LOG_ENTRIES + 5), entry(API_LOG_ENTRIES + 4)],
      total: API_LOG_ENTRIES,
    });
    expect(store.apiLogs.page({ to: 7 }, first)).toMatchObject({ total: 2 });
    store.apiLogs.insert(entry(9_999));
    expect(again().apiLogs.page({}, { page: 1, per: 1 }).rows).toEqual([entry(9_999)]);
    expect(again().webhookLogs.get('w3')).toBeUndefined();
  });

  it('keeps tasks until they are taken, and nonces in the order they came', async () => {
    const task = (sequence: number) =>
      ({ due: 5, sequence, body: { kind: 'refund', recipientId: 'r' } }) as const;
    const store = await open(({ tasks, nonces }) => {
      for (const sequence of [1, 2, 3]) tasks.insert(task(sequence));
      for (const id of ['n1', 'n2']) nonces.insert({ id });
    });
    store.tasks.remove(2);
    expect([...again().tasks.all()]).toEqual([task(1), task(3)]);
    expect([again().nonces.has('n2'), again().nonces.has('n3')]).toEqual([true, false]);
    expect([...again().nonces.all()]).toEqual([{ id: 'n1' }, { id: 'n2' }]);
  });

  it('hands back every record in the order it came, and forgets them all at once', async () => {
    const store = await open(({ senders, transactions, recipients, apiLogs }) => {
      for (let i = 0; i < 2_500; i++) senders.insert(sender(`s${i}`, { externalId: `e${i}` }));
      transactions.insert(transaction('t', { externalId: 'T', payins: [payin('p')] }));
      recipients.insert(recipient('r'));
      apiLogs.insert(row<ApiLogRecord>({ id: 'l' }));
    });
    expect([...store.senders.all()].map(({ id }) => id)).toEqual(
      Array.from({ length: 2_500 }, (_, i) => `s${i}`),
    );
    for (const table of [store.senders, store.transactions, store.recipients, store.apiLogs]) table.clear();
    expect(store.senders.get('s1')).toBeUndefined();
    expect(store.senders.byExternalId('e1')).toBeUndefined();
    store.senders.insert(sender('s1', { externalId: 'e1' }));
    store.recipients.insert(recipient('r'));
    const later = again();
    expect([...later.senders.all()].map(({ id }) => id)).toEqual(['s1']);
    expect([later.senders.size, later.transactions.size, later.apiLogs.size]).toEqual([1, 0, 0]);
    expect(later.transactions.byPayin('p')).toBeUndefined();
    expect(later.recipients.page({ states: ['initial'] }, first).total).toBe(1);
  });
});
