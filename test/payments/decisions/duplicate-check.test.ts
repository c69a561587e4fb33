/** The same payment again: what stands is answered, what may be a slip is asked about, and what is not known is refused. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import type { Earlier } from '../../../src/client/duplicate-check.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { requestDigest } from '../../../src/client/identity.ts';
import type { Intent, NewIntent } from '../../../src/client/store/port.ts';
import type { Transaction } from '../../../src/contract/resources/transaction.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { earlierDebit, meetEarlier, paysNobody } from '../../../src/payments/duplicate-check.ts';
import { type Confirmer, noConfirmer } from '../../../src/payments/gate.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';
import { standingClock } from '../../support/stores.ts';

const call = { operation: 'transactions.get', nonce: 'n-1', effect: 'read' as const };
const answer = (status: number) =>
  new ApiError(status, call, { fields: [], meta: {}, existing: {}, resource: undefined, isOwn: true });
const made = (over: object): Transaction => ({ id: 't1', ...over }) as unknown as Transaction;
const PAID = made({ state: 'paid' });
const APPROVED = made({ state: 'approved' });
const CANCELLED = made({ state: 'canceled', recipients: [{ state: 'canceled' }] });

/** What the service answers to a look at one, and to a look by external id. */
function stage({ one, list = [] }: { one?: Transaction | Error; list?: object[] | Error } = {}) {
  const clock = standingClock(1_790_000_000_000);
  const asked: [string, unknown][] = [];
  const said: unknown[] = [];
  const told: unknown[] = [];
  const client = {
    baseUrl: DESK_BASE_URL,
    ready: async () => {},
    isReady: () => true,
    date: () => undefined,
    async call({ id }: { id: string }, terms: { path?: unknown; query?: unknown }) {
      asked.push([id, terms.path ?? terms.query]);
      const found = id === 'transactions.list' ? list : one;
      if (found === undefined) throw new Error(`nobody expected ${id}`);
      if (found instanceof Error) throw found;
      return { object: found };
    },
  } as unknown as Client;
  const transport = async () => {
    throw new Error('the client of this desk has no network');
  };
  const desk: Desk = {
    ...deskOver({ transport, clock }),
    client: async () => client,
    hear: ({ says }) => void said.push(says),
    willTell: (...given) => void told.push(given),
  };
  return { desk, asked, said, told, clock };
}

async function kept(
  desk: Desk,
  over: Partial<NewIntent> = {},
  state: 'applied' | 'open' | 'unknown' = 'applied',
  resultId?: string,
): Promise<Intent> {
  const { intents } = await desk.store();
  const opened = await intents.open({
    command: 'tx create',
    operation: 'transactions.create',
    profile: 'own',
    environment: 'sandbox',
    baseUrl: DESK_BASE_URL,
    keyLast4: '51ab',
    digest: 'd',
    summary: '5000 NGN to A',
    request: '{}',
    ...over,
  });
  if (!('opened' in opened)) throw new Error('nothing stands in its way');
  const { id } = opened.opened;
  if (state !== 'open') await intents.close(id, { state, resultId });
  return (await intents.get(id)) as Intent;
}

const person = (yes: boolean) => {
  const asked: unknown[] = [];
  const confirmer: Confirmer = {
    isAttended: true,
    stance: () => ({ kind: 'asks' }),
    confirm: async (question) => {
      asked.push(question);
      return yes;
    },
  };
  return { confirmer, asked };
};
const meet = (
  desk: Desk,
  kind: Earlier['kind'],
  intent: Intent,
  wanted = {},
  confirmer: Confirmer = noConfirmer,
) =>
  meetEarlier(desk, { confirmer, confirm: undefined }, { kind, intent } as Earlier, {
    fund: false,
    givenId: undefined,
    payment: undefined,
    ...wanted,
  });

describe('what nobody was told of', () => {
  it.each<[string, boolean, Transaction, boolean]>([
    ['paid', true, PAID, true],
    ['paid', false, PAID, true],
    ['approved', false, APPROVED, true],
    ['approved', true, APPROVED, false],
    ['canceled', true, CANCELLED, true],
  ])('is answered where it is %s, to be funded: %s', async (state, fund, one, isAnswered) => {
    const { desk, said, asked } = stage({ one });
    const met = meet(desk, 'untold', await kept(desk, {}, 'applied', 't1'), { fund });
    if (isAnswered) {
      expect(await met).toEqual({ kind: 'stands', value: one });
      expect(said).toEqual([
        expect.stringMatching(
          new RegExp(`^it was made already at .+, ${state}; nothing was sent this time$`),
        ),
      ]);
      expect(asked).toEqual([['transactions.get', { transaction_id: 't1' }]]);
    } else {
      await expect(met).rejects.toMatchObject({
        facts: { code: 'exists_unfunded', hint: { parts: [{ do: 'fund', id: 't1' }] } },
      });
      expect(said).toEqual([]);
    }
  });

  it.each<[string, boolean, Transaction, 'stands' | 'another' | 'refused']>([
    ['approved, and gone on with', true, APPROVED, 'stands'],
    ['approved, and paid in one call', false, APPROVED, 'refused'],
    ['paid', true, PAID, 'refused'],
    ['cancelled', true, CANCELLED, 'another'],
  ])('of a payment that was told, and is %s', async (_, goesOn, one, end) => {
    const { desk } = stage({ one });
    const met = meet(desk, 'repeated', await kept(desk, {}, 'applied', 't1'), { goesOn });
    if (end === 'refused') await expect(met).rejects.toMatchObject({ facts: { category: 'usage' } });
    else expect((await met).kind).toBe(end);
    if (end === 'stands') expect(await met).toEqual({ kind: 'stands', value: one });
  });

  it('of one that was told and cannot be read is no reason to go on', async () => {
    const { desk } = stage({});
    const met = meet(desk, 'repeated', await kept(desk, {}, 'applied', 't1'), { goesOn: true });
    await expect(met).rejects.toMatchObject({ facts: { category: 'usage' } });
  });

  it('says so where the service says no state', async () => {
    const { desk, said } = stage({ one: made({ state: null }) });
    await meet(desk, 'untold', await kept(desk, {}, 'applied', 't1'));
    expect(said[0]).toContain('state unknown');
  });

  it('must be applied', async () => {
    const { desk } = stage({ one: PAID });
    await expect(meet(desk, 'untold', await kept(desk, {}, 'open'))).rejects.toThrow(/only what was applied/);
  });

  it.each<[string | undefined, string | undefined, boolean]>([
    ['mine-1', 'mine-1', true],
    [undefined, 'made-1', true],
    ['mine-2', 'mine-1', false],
    ['mine-1', undefined, false],
  ])('asked as %s, and made as %s, is the same: %s', async (givenId, externalId, isSame) => {
    const { desk } = stage({ one: PAID });
    const met = meet(desk, 'untold', await kept(desk, { externalId }, 'applied', 't1'), { givenId });
    if (isSame) expect((await met).kind).toBe('stands');
    else
      await expect(met).rejects.toMatchObject({
        message: expect.stringMatching(
          /^this payment was made already at .+, without this external id: 5000 NGN to A \(t1\)$/,
        ),
        facts: {
          category: 'usage',
          hint: {
            parts: expect.arrayContaining([{ do: 'show_transaction', id: 't1' }, { give: 'new_payment' }]),
          },
        },
      });
  });

  it('is looked for by its external id where no other is known', async () => {
    const list = [
      made({ id: 't8', external_id: 'mine-10' }),
      made({ id: 't9', external_id: 'mine-1', state: 'paid' }),
    ];
    const { desk, asked } = stage({ list });
    const met = await meet(desk, 'untold', await kept(desk, { externalId: 'mine-1' }));
    expect(met).toMatchObject({ kind: 'stands', value: { id: 't9' } });
    expect(asked).toEqual([['transactions.list', { external_id: 'mine-1' }]]);
  });

  it.each<[string, string | undefined, string | undefined, { one?: Error; list?: object[] | Error }, string]>(
    [
      ['a 404', 'mine-1', 't1', { one: answer(404) }, 'conflict'],
      ['an empty list', 'mine-1', undefined, { list: [] }, 'conflict'],
      ['no id to look by', undefined, undefined, {}, 'conflict'],
      ['a 503', 'mine-1', 't1', { one: answer(503) }, 'network'],
      ['no connection', 'mine-1', 't1', { one: new Error('cut') }, 'network'],
      ['no list', 'mine-1', undefined, { list: new Error('cut') }, 'network'],
    ],
  )(
    'and after %s is not seen, is told by the journal',
    async (_, externalId, resultId, service, category) => {
      const { desk } = stage(service);
      const intent = await kept(desk, { externalId }, 'applied', resultId);
      await expect(meet(desk, 'untold', intent)).rejects.toMatchObject({
        message: expect.stringContaining(`5000 NGN to A (${resultId ?? externalId ?? intent.id})`),
        facts: { category, code: 'made_already', outcome: 'applied' },
      });
    },
  );
});

describe('what was made within a day', () => {
  it.each(['unsettled', 'under_way', 'perhaps'] as const)('and is %s is refused', async (kind) => {
    const { desk } = stage();
    const intent = await kept(desk);
    await expect(meet(desk, kind as Earlier['kind'], intent)).rejects.toMatchObject({
      facts: { category: 'unknown', code: 'unsettled_intent' },
    });
  });

  it.each<[string | undefined, string | undefined, object]>([
    ['mine-1', 't1', { do: 'show_transaction', id: 't1' }],
    ['mine-1', undefined, { do: 'show_transaction', id: 'mine-1' }],
    [undefined, undefined, { do: 'show_intent', id: expect.any(String) }],
  ])(
    'as %s, %s, is refused where nobody looks on, and counts as told',
    async (externalId, resultId, shows) => {
      const { desk } = stage({ one: PAID, list: [made({ state: 'paid', external_id: 'mine-1' })] });
      const intent = await kept(desk, { externalId }, 'applied', resultId);
      await expect(meet(desk, 'repeated', intent)).rejects.toMatchObject({
        message: expect.stringContaining('without an external id a second one is made only if you say so'),
        facts: { category: 'usage', hint: { parts: expect.arrayContaining([shows]) } },
      });
      expect((await (await desk.store()).intents.get(intent.id))?.toldAt).toBeDefined();
    },
  );

  it('is asked about, and another is made beside all that came before it', async () => {
    const { desk } = stage({ one: PAID });
    const intent = await kept(desk, {}, 'applied', 't1');
    const { confirmer, asked } = person(true);
    const met = await meet(desk, 'repeated', intent, {}, confirmer);
    expect(asked).toEqual([
      {
        about: 'second_payment',
        said: expect.stringMatching(/^this payment was made already at .+: 5000 NGN to A \(t1\), paid$/),
      },
    ]);
    if (met.kind !== 'another') throw new Error('another was wanted');
    const at = (ms: number) => met.isPassed({ ...intent, id: 'other', createdAt: intent.createdAt + ms });
    expect([at(-1), at(0), at(1)]).toEqual([true, true, false]);
    expect((await (await desk.store()).intents.get(intent.id))?.toldAt).toBeDefined();
  });

  it('is asked about though it cannot be read now', async () => {
    const { desk } = stage({ one: new Error('cut') });
    const { confirmer, asked } = person(true);
    expect((await meet(desk, 'repeated', await kept(desk, {}, 'applied', 't1'), {}, confirmer)).kind).toBe(
      'another',
    );
    expect(asked).toMatchObject([{ said: expect.stringMatching(/\(t1\)$/) }]);
  });

  it('and a no ends it', async () => {
    const { desk } = stage({ one: PAID });
    const met = meet(desk, 'repeated', await kept(desk, {}, 'applied', 't1'), {}, person(false).confirmer);
    await expect(met).rejects.toMatchObject({ facts: { category: 'interrupted' } });
  });

  it('and pays nobody any more is no reason to ask, and passes itself alone', async () => {
    const { desk } = stage({ one: CANCELLED });
    const intent = await kept(desk, {}, 'applied', 't1');
    const met = await meet(desk, 'repeated', intent);
    if (met.kind !== 'another') throw new Error('another was wanted');
    expect([met.isPassed(intent), met.isPassed({ ...intent, id: 'other' })]).toEqual([true, false]);
    expect((await (await desk.store()).intents.get(intent.id))?.toldAt).toBeUndefined();
  });
});

describe('what another key left unknown', () => {
  it('is refused where nobody looks on, with the three ways out', async () => {
    const { desk, asked } = stage();
    const intent = await kept(desk, {}, 'open');
    await expect(meet(desk, 'other_key', intent)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^the same was sent with another key \(…51ab, profile own\) at .+, and it is not known whether it was applied: 5000 NGN to A$/,
      ),
      facts: {
        category: 'usage',
        hint: {
          parts: expect.arrayContaining([
            { give: 'new_payment' },
            { do: 'join_keys' },
            { do: 'settle', id: intent.id, profile: 'own' },
          ]),
        },
      },
    });
    expect(asked).toEqual([]);
  });

  it('is asked about, and another is made beside it alone', async () => {
    const { desk } = stage();
    const intent = await kept(desk, {}, 'open');
    const { confirmer, asked } = person(true);
    const met = await meet(desk, 'other_key', intent, {}, confirmer);
    expect(asked).toEqual([
      { about: 'second_payment', said: expect.stringMatching(/^the same was sent with another key/) },
    ]);
    if (met.kind !== 'another') throw new Error('another was wanted');
    expect([met.isPassed(intent), met.isPassed({ ...intent, id: 'other' })]).toEqual([true, false]);
    const no = meet(desk, 'other_key', intent, {}, person(false).confirmer);
    await expect(no).rejects.toMatchObject({ facts: { category: 'interrupted' } });
  });
});

it.each<[string, string[] | undefined, boolean]>([
  ['canceled', ['canceled', 'refunded'], true],
  ['refunded', ['refunded'], true],
  ['refunded', ['refunded', 'success'], false],
  ['paid', ['canceled'], false],
  ['canceled', [], true],
  ['canceled', undefined, false],
])('a payment that is %s with recipients %j pays nobody: %s', (state, states, isSo) => {
  const recipients = states?.map((one) => ({ state: one }));
  expect(paysNobody(made({ state, recipients }))).toBe(isSo);
});

describe('a debit of an earlier run', () => {
  const asked = { plan: 'debit' as const, debit: { to_id: 't1', to_type: 'Transaction' as const } };
  const digest = requestDigest({ baseUrl: DESK_BASE_URL }, asked);
  const debit = {
    digest,
    operation: 'accounts.debits',
    request: JSON.stringify(asked),
    externalId: 'mine-1',
  };

  it.each<[string, 'applied' | 'open' | 'unknown', Transaction, Partial<NewIntent>, boolean]>([
    ['that was applied', 'applied', PAID, {}, true],
    ['that is open, and found', 'open', PAID, {}, true],
    ['that is open, and not found', 'open', APPROVED, {}, false],
    ['that is unknown, and found', 'unknown', PAID, {}, true],
    ['of a key that is not joined', 'applied', PAID, { keyLast4: '9c9c', keyPrint: 'of another' }, false],
    ['of another transaction', 'applied', PAID, { digest: 'other' }, false],
  ])('%s is answered', async (_, state, one, over, isAnswered) => {
    const { desk, told, asked: calls } = stage({ one });
    const { id } = await kept(desk, { ...debit, ...over }, state);
    const words = await earlierDebit(desk, 't1');
    if (isAnswered) expect(words).toMatch(/^it was funded already at .+; nothing was sent this time$/);
    else expect(words).toBeUndefined();
    expect(told).toEqual(
      isAnswered ? expect.arrayContaining([[id, { id: 't1', external_id: 'mine-1' }]]) : [],
    );
    expect(calls.length > 0).toBe(state !== 'applied');
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('that was told %s this request began is answered: %s', async (when, isAnswered) => {
    const { desk } = stage({ one: PAID });
    const { id } = await kept(desk, debit);
    const store = await desk.store();
    await store.intents.told(id);
    const lastTold = (await store.intents.lastTold()) - (when === 'after' ? 1 : 0);
    expect(lastTold).toBe(when === 'after' ? 0 : 1);
    const later: Desk = { ...desk, store: async () => ({ ...store, lastTold }) };
    expect((await earlierDebit(later, 't1')) !== undefined).toBe(isAnswered);
  });

  it('is none where there is none', async () => {
    expect(await earlierDebit(stage().desk, 't1')).toBeUndefined();
  });
});
