/** One row is sent only under an open intent and a lease that is not over, and what became of it is written with its verdict. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { ApiError, NetworkError, NotReadyError, RequestError } from '../../../src/client/errors.ts';
import type { Intent, IntentState, Intents, NewIntent } from '../../../src/client/store/port.ts';
import { knownKey } from '../../../src/contract/account-key.ts';
import type { KeyJoin } from '../../../src/core/account.ts';
import { RowPayer } from '../../../src/runs/pay-row.ts';
import type { PayRow, PayRun, PayRuns } from '../../../src/runs/store/port.ts';
import type { Held } from '../../../src/runs/windows.ts';
import { DESK_BASE_URL } from '../../support/desk.ts';

const TRANSACTION = {
  input_currency: 'EUR',
  sender: { external_id: 'customer-1' },
  recipients: [
    {
      requested_amount: '5000',
      requested_currency: 'NGN',
      payout_method: {
        type: 'NGN::Bank',
        details: { first_name: 'Ada', last_name: 'Obi', bank_account: '0123456789' },
      },
    },
  ],
};
const ASKED = {
  plan: 'create',
  transaction: { ...TRANSACTION, external_id: 'wages:E-1' },
  fund: true,
  madeId: false,
};
const row = (over: Partial<PayRow> = {}): PayRow =>
  ({
    n: 1,
    key: 'E-1',
    externalId: 'wages:E-1',
    amount: '5000',
    currency: 'NGN',
    inputCurrency: 'EUR',
    estimate: '5',
    body: JSON.stringify(TRANSACTION),
    state: 'planned',
    intentId: undefined,
    ...over,
  }) as PayRow;
const BEFORE = knownKey('key_of_acme_before_9c9c');
const joined = (isProven: boolean): KeyJoin => ({
  baseUrl: DESK_BASE_URL,
  before: BEFORE,
  key: knownKey('key_of_acme_51ab'),
  isProven,
  at: 1,
});
const paid = { ...ASKED.transaction, id: 't1', state: 'paid', input_amount: '5' };

interface Given {
  now?: number;
  opened?: 'lost';
  kept?: PayRow;
  /** None where the intent is settled. */
  request?: string | null;
  /** The key of the intent, where it is not ours. */
  sentBy?: object;
  joins?: KeyJoin[];
  /** How the intent stands. */
  known?: Partial<Intent> | undefined;
  resumed?: boolean;
  /** Nothing is sent by this payer; or somebody stopped the run meanwhile. */
  isLook?: boolean;
  isStopped?: boolean;
  /** What a call answers, by its operation. */
  answers?: Record<string, unknown>;
  ready?: () => Promise<void>;
  /** The service's time. */
  date?: number;
  /** What the store hears. */
  observed?: unknown[];
  /** How many rows that changes. */
  changes?: number;
}

const read = { operation: 'webhooks.events', nonce: 'n', effect: 'read' as const };
const refusedKey = new ApiError(401, read, {
  ...{ fields: [], meta: {}, existing: {}, resource: undefined, isOwn: false },
});
const noAnswer = new NetworkError('may_have_arrived', 'ECONNRESET', read, 'cut');

function stage({
  now = 50,
  opened,
  kept,
  request = JSON.stringify(ASKED),
  known,
  sentBy = {},
  joins = [],
  resumed = true,
  isLook = false,
  isStopped = false,
  answers = {},
  ready = async () => {},
  date,
  observed = [],
  changes = 1,
}: Given = {}) {
  const done: unknown[] = [];
  const intents: NewIntent[] = [];
  const heard: unknown[] = [];
  const client = {
    ready,
    isReady: () => true,
    date: () => date,
    async call({ id }: { id: string }) {
      done.push(id);
      const answer = answers[id];
      if (answer instanceof Error) throw answer;
      return { object: answer };
    },
  } as unknown as Client;
  const payruns = {
    open: async (_taken: unknown, n: number, intent: NewIntent) => {
      done.push(`open ${n}`);
      intents.push(intent);
      return opened ?? { opened: { ...intent, id: 'i-1' } };
    },
    observe: async (id: string, seen: unknown) => {
      observed.push([id, seen]);
      return changes;
    },
    begun: async () => (kept === undefined ? undefined : { row: kept, request: request ?? undefined }),
    move: async (_run: string, _from: string[], to: string) => done.push(to),
    resume: async (_taken: unknown, n: number) => {
      done.push(`resume ${n}`);
      return resumed;
    },
    close: async (
      _taken: unknown,
      n: number,
      id: string,
      closing: { state: string },
      news: { state?: string },
    ) => {
      done.push(`close ${n} ${id} ${closing.state} ${news.state}`);
      return 'in_error';
    },
  } as unknown as PayRuns;
  const about = {
    command: 'batch run',
    profile: 'own',
    environment: 'sandbox',
    baseUrl: DESK_BASE_URL,
    ...knownKey('key_of_acme_51ab'),
  };
  // Where a row was begun, its intent is there.
  const get = async () => known ?? (kept && request !== null ? { ...about, ...sentBy } : undefined);
  const intentsKept = { get, joins: async () => joins, isStopped: async () => isStopped };
  const store = { payruns, intents: intentsKept as unknown as Intents };
  const payer = new RowPayer(store, {
    run: { id: 'run-1', name: 'wages' } as PayRun,
    client,
    about,
    clock: { now: () => now },
    tolerance: '0.01',
    onTransaction: (one) => heard.push(one),
    isLook,
  });
  const held: Held = {
    lease: { runId: 'run-1', window: 0, fence: 1, until: 100 },
    open: 0,
    isFed: false,
    isLost: false,
  };
  return { payer, held, done, intents, heard };
}

const CREATE = 'transactions.create_and_fund';

describe('a row whose intent was changed in the store', () => {
  it.each<[string, object]>([
    ['another amount', { transaction: { ...ASKED.transaction, input_currency: 'GBP' } }],
    ['another external id', { transaction: { ...ASKED.transaction, external_id: 'other' } }],
    ['unfunded', { fund: false }],
  ])('to %s is not sent, and the run is paused', async (_, over) => {
    const { payer, held, done } = stage({
      kept: row({ state: 'unknown', intentId: 'i-1' }),
      request: JSON.stringify({ ...ASKED, ...over }),
    });
    await expect(payer.settle(held, row({ state: 'unknown' }))).rejects.toMatchObject({
      facts: { category: 'check', code: 'run_altered' },
      message:
        'the run "wages" is not what was planned: what was sent for row 1 (E-1) was changed in the store',
    });
    expect(done).toEqual(['paused']);
  });
});

describe('a row that is sent', () => {
  it('has its intent first, then its call, then its end', async () => {
    const { payer, held, done, intents, heard } = stage({ answers: { [CREATE]: paid } });
    const verdict = await payer.send(held, row(), true);
    expect(done).toEqual(['open 1', CREATE, expect.stringMatching(/^close 1 i-1 applied /)]);
    expect(intents).toMatchObject([
      {
        externalId: 'wages:E-1',
        amount: '5000',
        currency: 'NGN',
        summary: expect.stringContaining('5000 NGN'),
        command: 'batch run',
        operation: CREATE,
        madeId: false,
      },
    ]);
    expect(JSON.parse(intents[0]?.request ?? '')).toEqual(ASKED);
    // The state that the store tells is the row's, whatever the verdict was.
    expect(verdict).toMatchObject({ news: { state: 'in_error', transactionId: 't1' }, isTooMuch: false });
    expect(heard).toEqual([{ transaction: paid, heardAt: 50 }]);
  });

  it.each<[string, Error, object]>([
    [
      'the key is refused',
      refusedKey,
      { news: { state: 'planned' }, isTooMuch: false, pause: { code: 'key' } },
    ],
    ['nothing answers', noAnswer, { news: { state: 'planned' }, isTooMuch: true }],
  ])('has no intent where %s by a read before it', async (_, cause, verdict) => {
    const notReady = new NotReadyError(cause as never);
    const { payer, held, done } = stage({
      answers: { [CREATE]: paid },
      ready: () => Promise.reject(notReady),
    });
    expect(await payer.send(held, row(), true)).toMatchObject(verdict);
    expect(done).toEqual([]);
  });

  it('and whose read meets a defect throws it on', async () => {
    const defect = new TypeError('x');
    const { payer, held, done } = stage({ ready: () => Promise.reject(defect) });
    await expect(payer.send(held, row(), true)).rejects.toBe(defect);
    expect(done).toEqual([]);
  });

  it.each([
    [99, true],
    [100, false],
    [101, false],
  ])('at %i, with a lease until 100, leaves: %s', async (now, leaves) => {
    const { payer, held, done } = stage({ now, answers: { [CREATE]: paid } });
    const verdict = await payer.send(held, row(), true);
    expect([verdict !== undefined, held.isLost, done.includes(CREATE)]).toEqual([leaves, !leaves, leaves]);
    expect(done[0]).toBe('open 1');
  });

  it('in a window that is lost is not sent', async () => {
    const { payer, held, done } = stage({ opened: 'lost' });
    expect(await payer.send(held, row(), true)).toBe('lost');
    expect(done).toEqual(['open 1']);
  });

  it('and does not fit the contract is refused, and nobody hears of a transaction', async () => {
    const { payer, held, done, heard } = stage({ answers: { [CREATE]: new RequestError(CREATE, []) } });
    expect(await payer.send(held, row(), true)).toMatchObject({
      refusal: 'never_funded',
      news: { why: 'it does not fit the contract' },
    });
    expect(done.at(-1)).toBe('close 1 i-1 not_applied refused');
    expect(heard).toEqual([]);
  });

  it('and meets a defect is left open', async () => {
    const { payer, held, done } = stage({ answers: { [CREATE]: new TypeError('a defect') } });
    await expect(payer.send(held, row(), true)).rejects.toThrow('a defect');
    expect(done).toEqual(['open 1', CREATE]);
  });
});

describe('a row with an id of its own, before its first send', () => {
  const LIST = 'transactions.list';
  const mine = row({ externalId: 'mine-1' });
  const there = { ...paid, external_id: 'mine-1' };
  const observed: unknown[] = [];
  const staged = (answers: Record<string, unknown>) => {
    observed.length = 0;
    const made = stage({ answers, observed });
    return made;
  };

  it('is looked for; paid already, it is not sent, and has no intent', async () => {
    const { payer, held, done } = staged({ [LIST]: [there], [CREATE]: paid });
    expect(await payer.send(held, mine, true)).toMatchObject({
      news: { found: 'before', transactionId: 't1', cost: '5' },
      pause: { code: 'paid_before' },
    });
    expect(done).toEqual([LIST]);
    expect(observed).toEqual([
      ['run-1', [{ externalId: 'mine-1', news: expect.objectContaining({ found: 'before' }) }]],
    ]);
  });

  it('that is to be paid no more by now is not said to be found: opening it says so', async () => {
    const { payer, held, done } = stage({ answers: { [LIST]: [there] }, changes: 0, opened: 'lost' });
    expect(await payer.send(held, mine, true)).toBe('lost');
    expect(done).toEqual([LIST, 'open 1']);
  });

  it.each<[string, unknown[]]>([
    ['is not there', []],
    ['has another body', [{ ...there, input_currency: 'GBP' }]],
    [
      'had its money sent back',
      [{ ...there, recipients: [{ ...TRANSACTION.recipients[0], state: 'refunded' }] }],
    ],
    ['was called off', [{ ...there, recipients: [{ ...TRANSACTION.recipients[0], state: 'canceled' }] }]],
  ])('is sent where what stands there %s: the service decides', async (_, list) => {
    const { payer, held, done } = staged({ [LIST]: list, [CREATE]: there });
    await payer.send(held, mine, true);
    expect(done.slice(0, 3)).toEqual([LIST, 'open 1', CREATE]);
    expect(observed).toEqual([]);
  });

  it.each<[string, PayRow, boolean]>([
    ['under an id that only this run makes', row(), true],
    ['that was sent before: what is there is ours', mine, false],
  ])('is not looked for %s', async (_, given, isFirst) => {
    const { payer, held, done } = staged({
      [LIST]: [there],
      [CREATE]: { ...paid, external_id: given.externalId },
    });
    await payer.send(held, given, isFirst);
    expect(done.slice(0, 2)).toEqual(['open 1', CREATE]);
  });

  it.each<[string, Error, object]>([
    ['is not answered', noAnswer, { news: { state: 'planned' }, isTooMuch: true }],
    ['is refused', refusedKey, { news: { state: 'planned' }, isTooMuch: false, pause: { code: 'key' } }],
    [
      'meets a key that is not accepted any more',
      new NotReadyError(refusedKey),
      { news: { state: 'planned' }, pause: { code: 'key' } },
    ],
  ])('is not sent where the look %s', async (_, error, verdict) => {
    const { payer, held, done } = staged({ [LIST]: error, [CREATE]: there });
    expect(await payer.send(held, mine, true)).toMatchObject(verdict);
    expect(done).toEqual([LIST]);
  });

  it('throws a defect on', async () => {
    const { payer, held } = staged({ [LIST]: new TypeError('a defect') });
    await expect(payer.send(held, mine, true)).rejects.toThrow('a defect');
  });
});

describe('the id is taken', () => {
  const taken = (standing: object) =>
    new ApiError(422, read, {
      ...{ fields: [], meta: {}, resource: undefined, isOwn: true },
      existing: { transaction: standing },
    } as never);

  it.each<[string, PayRow, boolean, object, string]>([
    ['by a payment, at the only send', row({ externalId: 'mine-1' }), true, { found: 'before' }, 'applied'],
    ['under an id of the run', row(), true, { found: 'elsewhere' }, 'applied'],
    ['after an earlier send', row(), false, { found: undefined }, 'applied'],
  ])('%s', async (_, given, isFirst, news, closing) => {
    const standing = { ...paid, external_id: given.externalId };
    const { payer, held, done } = stage({ answers: { 'transactions.list': [], [CREATE]: taken(standing) } });
    const verdict = await payer.send(held, given, isFirst);
    expect(verdict).toMatchObject({ news: { transactionId: 't1' } });
    expect((verdict as { news: { found?: string } }).news.found).toBe((news as { found?: string }).found);
    expect(done.at(-1)).toContain(`close 1 i-1 ${closing}`);
  });

  it('and a first copy of ours was lost: it is ours', async () => {
    let sends = 0;
    const standing = { ...paid, external_id: 'wages:E-1' };
    const answers = {
      'transactions.list': [],
      get [CREATE]() {
        return ++sends === 1 ? noAnswer : taken(standing);
      },
    };
    const { payer, held } = stage({ answers });
    const verdict = (await payer.send(held, row(), true)) as {
      news: { found?: string; transactionId?: string };
    };
    expect([sends, verdict.news.transactionId, verdict.news.found]).toEqual([2, 't1', undefined]);
  });
});

describe('a row of an earlier try', () => {
  it.each(['unknown', 'sending'] as const)(
    'that is %s is looked for before anything is sent',
    async (state) => {
      const kept = row({ state, intentId: 'i-0' });
      const { payer, held, done, heard } = stage({ kept, answers: { 'transactions.list': [paid] } });
      expect(await payer.settle(held, row())).toMatchObject({ news: { transactionId: 't1' } });
      expect(done).toEqual(['resume 1', 'transactions.list', expect.stringMatching(/^close 1 i-0 applied /)]);
      expect(heard).toHaveLength(1);
    },
  );

  it('is sent again where it is not found', async () => {
    const kept = row({ state: 'unknown', intentId: 'i-0' });
    const { payer, held, done } = stage({ kept, answers: { 'transactions.list': [], [CREATE]: paid } });
    await payer.settle(held, row());
    expect(done.slice(0, 3)).toEqual(['resume 1', 'transactions.list', CREATE]);
  });

  it.each<[string, object, KeyJoin[], string[]]>([
    ['another key', knownKey('key_of_beta_77aa'), [], ['transactions.list']],
    ['a key that nothing shows to be of this account', BEFORE, [joined(false)], ['transactions.list']],
    ['the key that this one took the place of', BEFORE, [joined(true)], ['transactions.list', CREATE]],
  ])('that was sent with %s is sent again only where it is one account', async (_, sentBy, joins, calls) => {
    const kept = row({ state: 'unknown', intentId: 'i-0' });
    const answers = { 'transactions.list': [], [CREATE]: paid };
    const { payer, held, done } = stage({ kept, sentBy, joins, answers });
    await payer.settle(held, row());
    expect(done.slice(1, -1)).toEqual(calls);
  });

  it.each(['isLook', 'isStopped'])('of a run that may not be paid is only looked for: %s', async (how) => {
    const kept = row({ state: 'unknown', intentId: 'i-0' });
    const answers = { 'transactions.list': [], [CREATE]: paid };
    const { payer, held, done } = stage({ kept, answers, [how]: true });
    await payer.settle(held, row());
    expect(done.slice(1)).toEqual(['transactions.list', 'close 1 i-0 unknown unknown']);
  });

  it('that is settled by now is left', async () => {
    const { payer, held, done } = stage();
    expect(await payer.settle(held, row())).toBeUndefined();
    expect(done).toEqual([]);
  });

  it('in a window that is lost is not looked for', async () => {
    const { payer, held, done } = stage({ kept: row({ state: 'unknown', intentId: 'i-0' }), resumed: false });
    expect(await payer.settle(held, row())).toBe('lost');
    expect(done).toEqual(['resume 1']);
  });

  it('must have its intent, and its request', async () => {
    const without = stage({ kept: row({ state: 'unknown' }) });
    await expect(without.payer.settle(without.held, row())).rejects.toThrow(
      'row 1 was begun under an intent',
    );
    for (const known of [undefined, { state: 'unknown' } as const, { state: 'open' } as const]) {
      const empty = stage({ kept: row({ state: 'unknown', intentId: 'i-0' }), request: null, known });
      await expect(empty.payer.settle(empty.held, row())).rejects.toThrow('the request of row 1 is kept');
      expect(empty.done).toEqual(['resume 1']);
    }
  });
});

describe('a row whose intent was settled by itself', () => {
  const kept = row({ state: 'unknown', intentId: 'i-0' });

  it('as not applied may be sent again, and nobody is asked', async () => {
    const known = { id: 'i-0', state: 'not_applied', note: 'said by ana: it never arrived' } as const;
    const { payer, held, done } = stage({ kept, request: null, known });
    expect(await payer.settle(held, row())).toEqual({
      news: { state: 'in_error', code: 'not_applied', why: known.note },
      isTooMuch: false,
    });
    expect(done).toEqual(['resume 1', 'close 1 i-0 not_applied planned']);
  });

  it.each<[string, IntentState, unknown[], string]>([
    ['as applied', 'applied', [paid], 'applied created'],
    ['as applied, and nobody finds it', 'applied', [], 'unknown unknown'],
    [
      'as a conflict',
      'conflict',
      [{ ...paid, input_amount: '7', input_currency: 'GBP' }],
      'conflict conflict',
    ],
  ])('%s is looked for, and never sent', async (_, state, found, closed) => {
    const { payer, held, done } = stage({
      ...{ kept, request: null, known: { id: 'i-0', state } },
      answers: { 'transactions.list': found, 'transactions.get': found[0] },
    });
    await payer.settle(held, row());
    expect(done).toEqual(['resume 1', 'transactions.list', `close 1 i-0 ${closed}`]);
  });

  it('in a window that is lost is left', async () => {
    const { payer, held, done } = stage({ kept, request: null, resumed: false });
    expect(await payer.settle(held, row())).toBe('lost');
    expect(done).toEqual(['resume 1']);
  });
});

describe('a row that a person says was not paid', () => {
  const kept = row({ state: 'unknown', intentId: 'i-1' });
  const WORD = 'said by ana: it never arrived';
  const noRight = new ApiError(403, read, {
    ...{ fields: [], meta: {}, existing: {}, resource: undefined, isOwn: false },
  });

  it.each<[string, unknown, string]>([
    ['is planned again where it is not found', [], 'not_applied planned'],
    ['is planned again where this key may not look', noRight, 'not_applied planned'],
    ['stays unknown where nobody answered', noAnswer, 'unknown unknown'],
    ['is applied where it is found', [paid], 'applied created'],
    [
      'is another payment where that has its id',
      [{ ...paid, input_amount: '7', input_currency: 'GBP' }],
      'conflict conflict',
    ],
  ])('%s, and nothing is sent', async (_, list, closed) => {
    const found = Array.isArray(list) ? list[0] : undefined;
    const { payer, held, done } = stage({
      kept,
      answers: { 'transactions.list': list, 'transactions.get': found },
    });
    await payer.settle(held, row(), WORD);
    expect(done[0]).toBe('resume 1');
    expect(done.at(-1)).toBe(`close 1 i-1 ${closed}`);
    expect(done).not.toContain(CREATE);
  });

  it('counts for nothing where its intent was settled by itself: then it is looked for', async () => {
    const { payer, held, done } = stage({
      ...{ kept, request: null, known: { id: 'i-1', state: 'applied' } },
      answers: { 'transactions.list': [] },
    });
    await payer.settle(held, row(), WORD);
    expect(done.at(-1)).toBe('close 1 i-1 unknown unknown');
  });

  it('says who said it', async () => {
    const { payer, held } = stage({ kept, answers: { 'transactions.list': [] } });
    expect(await payer.settle(held, row(), WORD)).toMatchObject({ news: { code: 'not_applied', why: WORD } });
  });

  it('stays unknown where it was created, and not paid yet', async () => {
    const half = { ...paid, state: 'approved', paid_amount: '0' };
    const { payer, held, done } = stage({
      kept,
      answers: { 'transactions.list': [half], 'transactions.get': half },
    });
    await payer.settle(held, row(), WORD);
    expect(done.at(-1)).not.toContain('planned');
    expect(done).not.toContain(CREATE);
  });
});

describe('a row that the service refuses, and whose first call was lost', () => {
  const HOUR = 3_600_000;
  const kept = row({ state: 'unknown', intentId: 'i-1' });
  const refusal = new ApiError(422, read, {
    ...{ fields: [], meta: {}, existing: {}, resource: undefined, isOwn: true },
  });

  it.each<[string, number | undefined, object, string, string[]]>([
    ['is refused after an hour', HOUR, {}, 'not_applied refused', ['list', 'send', 'list']],
    ['is unknown before', HOUR - 1, {}, 'unknown unknown', ['list', 'send', 'list']],
    ['is unknown where nobody says the time', undefined, {}, 'unknown unknown', ['list', 'send', 'list']],
    ['is only looked for by another key', HOUR, knownKey('key_of_beta_77d1'), 'unknown unknown', ['list']],
  ])('%s', async (_, date, sentBy, closed, does) => {
    const { payer, held, done } = stage({
      ...{ kept, sentBy: { ...sentBy, emptySince: 0 }, ...(date !== undefined && { date }) },
      answers: { 'transactions.list': [], [CREATE]: refusal },
    });
    const verdict = await payer.settle(held, row());
    const calls = { list: 'transactions.list', send: CREATE } as Record<string, string>;
    expect(done).toEqual(['resume 1', ...does.map((one) => calls[one]), `close 1 i-1 ${closed}`]);
    const says = verdict === 'lost' ? undefined : verdict?.news.why;
    if (date === HOUR - 1) expect(says).toContain('after 1970-01-01T01:00:00.000Z');
  });

  it('begins the hour with its first settling', async () => {
    const { payer, held } = stage({
      ...{ kept, date: 7 },
      answers: { 'transactions.list': [], [CREATE]: refusal },
    });
    expect(await payer.settle(held, row())).toMatchObject({
      news: { why: expect.stringContaining('1970-01-01T01:00:00.007Z') },
    });
  });
});
