/** Settling: whose intent it is, who may still be sending it, whether it is only looked for, and what is said of each. */

import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { NetworkError } from '../../../src/client/errors.ts';
import type { Intent, NewIntent } from '../../../src/client/store/port.ts';
import { interrupted, usage } from '../../../src/core/problem.ts';
import { byName } from '../../../src/payments/confirmation.ts';
import { dayLines } from '../../../src/payments/day-ceiling.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { authorizeWrite, noConfirmer } from '../../../src/payments/gate.ts';
import {
  authorizeSettling,
  refuseUnderWay,
  settleAll,
  settleable,
  settleIt,
  settleLeftOpen,
  settlingActs,
  unchangedNotes,
  unsettledOf,
} from '../../../src/payments/settle.ts';
import { createDailyAllowance } from '../../../src/payments/store/daily-allowance.ts';
import { externalName } from '../../../src/payments/store/daily-allowance-port.ts';
import type { Connection } from '../../../src/profiles/connection.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';
import { standingClock } from '../../support/stores.ts';

const DEBIT = { plan: 'debit', debit: { to_id: 't1', to_type: 'Transaction' } };
const CREATE = {
  plan: 'create',
  fund: false,
  madeId: true,
  transaction: {
    external_id: 'remit-1',
    input_currency: 'EUR',
    sender: { external_id: 'customer-1' },
    recipients: [],
  },
};
const FUNDED = { id: 't1', state: 'paid' };
const UNFUNDED = { id: 't1', state: 'approved' };
const DEAD = { id: 't1', state: 'canceled', paid_amount: '0' };
const cut = new NetworkError(
  'may_have_arrived',
  'ECONNRESET',
  { operation: 'x', nonce: 'n-1', effect: 'read' },
  'cut',
);

interface Given {
  environment?: 'sandbox' | 'production';
  one?: object | Error;
  limits?: Connection['limits'];
}

function stage({ one = UNFUNDED, limits = {}, environment = 'sandbox' }: Given = {}) {
  const clock = standingClock();
  const asked: string[] = [];
  const told: unknown[] = [];
  const said: unknown[] = [];
  const client = {
    baseUrl: DESK_BASE_URL,
    ready: async () => {},
    isReady: () => true,
    date: () => undefined,
    // A calculation.
    raw: async () => ({
      status: 200,
      headers: {},
      body: '{"object":{"input_amount":"3","input_currency":"EUR"}}',
    }),
    async call({ id }: { id: string }) {
      asked.push(id);
      if (id === 'transactions.list') return { object: [] };
      if (id !== 'transactions.get') throw cut;
      if (one instanceof Error) throw one;
      return { object: one };
    },
  } as unknown as Client;
  const transport = async () => {
    throw new Error('the client of this desk has no network');
  };
  const desk: Desk = {
    ...deskOver({ transport, clock, limits, environment }),
    client: async () => client,
    hear: ({ says }) => void said.push(says),
    willTell: (...given) => void told.push(given),
  };
  return { desk, asked, told, said, clock };
}

async function kept(
  desk: Desk,
  over: Partial<NewIntent> = {},
  state: 'applied' | 'open' | 'unknown' = 'unknown',
  resultId?: string,
): Promise<Intent> {
  const { intents } = await desk.store();
  const opened = await intents.open({
    command: 'tx fund',
    operation: 'accounts.debits',
    profile: 'own',
    environment: 'sandbox',
    baseUrl: DESK_BASE_URL,
    keyLast4: '51ab',
    digest: 'd',
    summary: 'fund t1',
    request: JSON.stringify(DEBIT),
    ...over,
  });
  if (!('opened' in opened)) throw new Error('nothing stands in its way');
  const { id } = opened.opened;
  if (state !== 'open') await intents.close(id, { state, resultId });
  return (await intents.get(id)) as Intent;
}
const stateOf = async (desk: Desk, { id }: Intent) => (await (await desk.store()).intents.get(id))?.state;
const passOf = (desk: Desk) =>
  authorizeWrite(desk, { effect: 'money', what: [], confirm: byName('it') }, noConfirmer);

describe('an intent', () => {
  it.each<[string, Partial<Intent>, object | undefined]>([
    ['of this account', {}, undefined],
    [
      'by another name of this machine',
      { baseUrl: DESK_BASE_URL.replace('127.0.0.1', 'localhost') },
      undefined,
    ],
    [
      'of another key',
      { keyLast4: '77aa' },
      {
        facts: {
          category: 'config',
          code: 'other_account',
          hint: { parts: [expect.objectContaining({ do: 'settle', profile: 'own' })] },
        },
      },
    ],
    ['of another service', { baseUrl: 'https://api.example.com/v1' }, { facts: { code: 'other_account' } }],
    [
      'without its request',
      { request: undefined },
      {
        message: 'its request is not kept any more',
        facts: {
          category: 'usage',
          hint: {
            parts: expect.arrayContaining([expect.objectContaining({ do: 'settle', as: 'not_applied' })]),
          },
        },
      },
    ],
    [
      'of a raw call',
      { request: '{"plan":"raw"}' },
      {
        message: 'nothing says how to look for fund t1',
        facts: {
          category: 'usage',
          hint: {
            parts: expect.arrayContaining([
              { do: 'call_raw' },
              expect.objectContaining({ as: 'applied' }),
              { give: 'as', value: 'not-applied' },
            ]),
          },
        },
      },
    ],
  ])('%s can be settled, or is refused', async (_, over, refusal) => {
    const { desk } = stage();
    const intent = { ...(await kept(desk)), ...over };
    if (refusal === undefined) expect(await settleable(desk, intent)).toEqual(intent);
    else await expect(settleable(desk, intent)).rejects.toMatchObject(refusal);
  });

  it.each<[string, Partial<Intent>, boolean]>([
    ['of this process', { pid: process.pid }, false],
    ['of another that runs', { pid: process.ppid }, true],
    ['of another that runs, and is known', { pid: process.ppid, state: 'unknown' }, false],
    ['of another that is gone', { pid: 2 ** 30 }, false],
    ['of none', { pid: undefined }, false],
  ])('%s is under way: %s', async (_, over, isUnderWay) => {
    const { desk } = stage();
    const intent = { ...(await kept(desk, {}, 'open')), ...over };
    const refuse = () => refuseUnderWay(desk, intent);
    if (isUnderWay)
      expect(refuse).toThrow(
        expect.objectContaining({ facts: expect.objectContaining({ code: 'under_way' }) }),
      );
    else expect(refuse).not.toThrow();
  });
});

describe('the question', () => {
  it.each([
    [1, 'Look for it, and send again what is not there, on the sandbox?'],
    [2, 'Look for these 2, and send again what is not there, on the sandbox?'],
  ])('about %i', async (count, words) => {
    const { desk, said } = stage();
    const intent = await kept(desk);
    const questions: string[] = [];
    const permit = await authorizeSettling(
      desk,
      Array.from({ length: count }, () => intent),
      {
        isAttended: true,
        stance: () => ({ kind: 'asks' }),
        confirm: async (one) => {
          questions.push(one.said);
          return true;
        },
      },
    );
    expect([permit.effect, questions]).toEqual(['money', [words]]);
    expect(said.filter((one) => one === '  settle: fund t1')).toHaveLength(count);
  });

  it.each<[string, object[], object]>([
    [
      'one whose amount is known',
      [{ plan: 'debit', debit: { amount: '10', currency: 'EUR' } }],
      { by: 'total', shown: '10.00 EUR' },
    ],
    [
      'two whose amounts are known',
      ['10', '2.5'].map((amount) => ({ plan: 'debit', debit: { amount, currency: 'EUR' } })),
      { by: 'total', shown: '12.50 EUR' },
    ],
    ['one that pays nothing', [{ plan: 'recipient_cancel' }], { by: 'name' }],
  ])('in production is answered with what stands for %s', async (_, requests, confirm) => {
    const { desk } = stage({ environment: 'production', limits: { max_amount: { EUR: '100' } } });
    const intents = await Promise.all(
      requests.map((request) => kept(desk, { request: JSON.stringify(request) })),
    );
    const asked: unknown[] = [];
    await authorizeSettling(desk, intents, {
      isAttended: true,
      stance: () => ({ kind: 'asks' }),
      confirm: async (question) => {
        asked.push('confirm' in question ? question.confirm : undefined);
        return true;
      },
    });
    const id = intents[0]?.id ?? '';
    const named = 'shown' in confirm ? confirm : { ...confirm, shown: id.slice(0, 8), also: id };
    expect(asked).toEqual([expect.objectContaining(named)]);
  });

  it('without limits is answered with the total that the journal has', async () => {
    const { desk } = stage({ environment: 'production' });
    const asked: unknown[] = [];
    const over = { amount: '7', currency: 'EUR' };
    await authorizeSettling(desk, [await kept(desk, over), await kept(desk, over)], {
      isAttended: true,
      stance: () => ({ kind: 'asks' }),
      confirm: async (question) => {
        asked.push('confirm' in question ? question.confirm : undefined);
        return true;
      },
    });
    expect(asked).toEqual([{ by: 'total', shown: '14.00 EUR' }]);
  });

  // Sent again it leaves like any payment.
  it.each<[string, object | undefined, boolean]>([
    ['10', { amount: '10', currency: 'EUR' }, true],
    ['above the limit', { amount: '10.01', currency: 'EUR' }, false],
    ['unknown', {}, false],
    ['a cancel, which pays nothing', undefined, true],
  ])('where the amount is %s', async (_, debit, isAllowed) => {
    const { desk } = stage({ limits: { max_amount: { EUR: '10' } } });
    const request = debit === undefined ? '{"plan":"cancel"}' : JSON.stringify({ plan: 'debit', debit });
    const admitted = authorizeSettling(desk, [await kept(desk, { request })], noConfirmer);
    if (isAllowed) expect(await admitted).toMatchObject({ effect: 'money' });
    else await expect(admitted).rejects.toMatchObject({ facts: { category: 'usage' } });
  });

  it('counts for the day by the transaction or the id that was given, and a creation alone not at all', async () => {
    const { desk } = stage({ limits: { max_per_day: { EUR: '20' } } });
    const debit = { to_id: 't1', to_type: 'Transaction', amount: '12', currency: 'EUR' };
    const request = JSON.stringify({ plan: 'debit', debit });
    const left = async (): Promise<string> => (await dayLines(desk))[0]?.split(' ')[0] ?? '';
    await authorizeSettling(desk, [await kept(desk, { request: JSON.stringify(CREATE) })], noConfirmer);
    expect(await left()).toBe('20.00');
    const letThrough = (await desk.store()).part(createDailyAllowance);
    const payments = [{ names: [externalName('e1')] as const, amount: '11', currency: 'EUR' }];
    await letThrough.add({ id: 'before', profile: 'own', payments }, () => undefined);
    for (const intent of [await kept(desk, { request, externalId: 'e1' }), await kept(desk, { request })])
      await authorizeSettling(desk, [intent], noConfirmer);
    expect(await left()).toBe('8.00');
    const other = JSON.stringify({ plan: 'debit', debit: { ...debit, to_id: 't2' } });
    await expect(
      authorizeSettling(desk, [await kept(desk, { request: other })], noConfirmer),
    ).rejects.toMatchObject({
      facts: { code: 'max_per_day' },
    });
    // Created and paid in one: that of an older remit, or of a raw call. It is counted by its id, once.
    const funded = JSON.stringify({ ...CREATE, fund: true });
    for (let times = 0; times < 2; times += 1)
      await authorizeSettling(desk, [await kept(desk, { request: funded })], noConfirmer);
    expect(await left()).toBe('5.00');
    // Something that is no transaction has a name of its own each time.
    const elsewhere = JSON.stringify({ plan: 'debit', debit: { ...debit, to_type: 'Wallet', amount: '2' } });
    for (const expected of ['3.00', '1.00']) {
      await authorizeSettling(desk, [await kept(desk, { request: elsewhere })], noConfirmer);
      expect(await left()).toBe(expected);
    }
  });

  it('about nothing is asked all the same, and names nothing', async () => {
    const { desk } = stage();
    await expect(authorizeSettling(desk, [], noConfirmer)).resolves.toMatchObject({ effect: 'money' });
  });

  it('needs no request where none is kept', async () => {
    const { desk } = stage({ limits: { max_amount: { EUR: '10' } } });
    const { request: _, ...intent } = await kept(desk);
    await expect(authorizeSettling(desk, [intent], noConfirmer)).resolves.toMatchObject({ effect: 'money' });
  });
});

describe('settling one', () => {
  it.each<[string, object, 'look' | 'send', string, string[], string]>([
    ['found', FUNDED, 'look', 'applied', ['transactions.get'], 'applied'],
    ['never to be', DEAD, 'look', 'not_applied', ['transactions.get'], 'not_applied'],
    ['not found', UNFUNDED, 'look', 'unknown', ['transactions.get'], 'unknown'],
    ['found before it is sent', FUNDED, 'send', 'applied', ['transactions.get'], 'applied'],
    [
      'not found, and sent',
      UNFUNDED,
      'send',
      'unknown',
      ['transactions.get', 'accounts.debit', 'transactions.get'],
      'unknown',
    ],
  ])('that is %s', async (_, one, how, kind, calls, state) => {
    const { desk, asked, told } = stage({ one });
    const intent = await settleable(desk, await kept(desk));
    const outcome = await settleIt(desk, intent, how === 'look' ? 'look' : await passOf(desk));
    expect(outcome.kind).toBe(kind);
    expect(asked).toHaveLength(calls.length);
    expect(await stateOf(desk, intent)).toBe(state);
    expect(told).toEqual(kind === 'applied' ? [[intent.id, one]] : []);
  });

  it('by sending needs a pass for money', async () => {
    const { desk, asked } = stage();
    const permit = await authorizeWrite(
      desk,
      { effect: 'write', what: [], confirm: byName('it') },
      noConfirmer,
    );
    await expect(settleIt(desk, await settleable(desk, await kept(desk)), permit)).rejects.toThrow(
      /does not cover money/,
    );
    expect(asked).toEqual([]);
  });

  it('that is settled already is a defect', async () => {
    const { desk } = stage();
    const intent = { ...(await kept(desk)), state: 'applied' as const, request: '{}' };
    await expect(settleIt(desk, intent, 'look')).rejects.toThrow(/is open or unknown when it is settled/);
  });

  it.each<[object | Error, 'applied' | 'unknown' | undefined, boolean]>([
    [FUNDED, 'applied', false],
    [FUNDED, 'unknown', true],
    [FUNDED, undefined, true],
    [UNFUNDED, 'applied', false],
  ])('of %j that stands as %j afterwards is a defect: %j', async (one, state, isDefect) => {
    const { desk } = stage({ one });
    const intent = await settleable(desk, await kept(desk));
    const store = await desk.store();
    const get = async () => (state === undefined ? undefined : { ...intent, state });
    const other: Desk = { ...desk, store: async () => ({ ...store, intents: { ...store.intents, get } }) };
    const settled = settleIt(other, intent, 'look');
    if (isDefect)
      await expect(settled).rejects.toThrow(`intent ${intent.id} is closed as what was found out`);
    else await settled;
  });

  it('whose outcome cannot be written down is said', async () => {
    const { desk, said } = stage({ one: FUNDED });
    const intent = await settleable(desk, await kept(desk));
    const store = await desk.store();
    const close = async () => {
      throw new Error('disk full');
    };
    const full: Desk = { ...desk, store: async () => ({ ...store, intents: { ...store.intents, close } }) };
    expect((await settleIt(full, intent, 'look')).kind).toBe('applied');
    expect(said).toEqual([
      { parts: [expect.stringContaining('disk full'), { do: 'settle', id: intent.id }] },
    ]);
  });
});

describe('the same, made again later', () => {
  const asked = { request: JSON.stringify(CREATE), operation: 'transactions.create', externalId: 'remit-1' };
  it.each<[string, Partial<NewIntent>, Partial<NewIntent>, boolean]>([
    ['by nobody named', { madeId: true }, { madeId: true }, true],
    ['by the same payer', { madeId: true, payer: 'ext:a' }, { payer: 'ext:a' }, true],
    ['by another', { madeId: true, payer: 'ext:a' }, { payer: 'ext:b' }, false],
    ['by one who may be the same', { madeId: true, payer: 'ext:a' }, { payer: 'id:1' }, true],
    ['by one who is not named', { madeId: true, payer: 'ext:a' }, {}, true],
    ['beside one who is not named', { madeId: true }, { payer: 'ext:a' }, true],
    ['though this one has a name of its own', {}, {}, false],
    ['with other content', { madeId: true }, { digest: 'other' }, false],
  ])('%s', async (_, first, second, isKept) => {
    const { desk, asked: calls, clock } = stage();
    const intent = await settleable(desk, await kept(desk, { ...asked, ...first }));
    clock.advance(1_000);
    await kept(desk, { ...asked, externalId: 'remit-2', ...second }, 'applied', 't2');
    const outcome = await settleIt(desk, intent, await passOf(desk));
    expect(outcome.kind).toBe('unknown');
    expect(calls.filter((id) => id !== 'transactions.list')).toHaveLength(isKept ? 0 : 1);
    if (isKept)
      expect(outcome).toMatchObject({
        why: expect.stringMatching(/^the same was asked for again later, at .+, so it is not sent again$/),
        value: { id: 't2' },
      });
    else expect(outcome).not.toHaveProperty('why');
  });

  it('is named by its external id where it has no other: the newest of them', async () => {
    const { desk } = stage();
    const intent = await settleable(desk, await kept(desk, { ...asked, madeId: true }));
    await kept(desk, { ...asked, externalId: 'remit-3' }, 'unknown');
    await kept(desk, { ...asked, externalId: 'remit-2' }, 'applied');
    expect(await settleIt(desk, intent, await passOf(desk))).toMatchObject({ value: { id: 'remit-2' } });
  });

  it('does not stand in the way of a look', async () => {
    const { desk } = stage();
    const intent = await settleable(desk, await kept(desk, { ...asked, madeId: true }));
    await kept(desk, { ...asked, externalId: 'remit-2' }, 'applied');
    expect(await settleIt(desk, intent, 'look')).not.toHaveProperty('why');
  });
});

describe('what was left open about one thing', () => {
  const about = { operation: 'accounts.debits', subject: 't1' };
  it.each<[string, object, Partial<NewIntent>, RegExp | undefined]>([
    ['applied', FUNDED, {}, /^the earlier try of .+ was applied: it is settled now$/],
    ['not applied', DEAD, {}, /^the earlier try of .+ was not applied: it is settled now$/],
    ['unknown', UNFUNDED, {}, undefined],
    ['of another thing', FUNDED, { subject: 't2' }, undefined],
    ['of another operation', FUNDED, { operation: 'other' }, undefined],
    ['of another account', FUNDED, { keyLast4: '77aa' }, undefined],
  ])('and is %s', async (_, one, over, words) => {
    const { desk, asked } = stage({ one });
    await kept(desk, { ...about, ...over });
    const notes = await settleLeftOpen(desk, 'accounts.debits', 't1');
    expect(notes).toEqual(words ? [expect.stringMatching(words)] : []);
    expect(asked).toHaveLength(Object.keys(over).length === 0 ? 1 : 0);
    expect(await unchangedNotes(desk, 'nothing', 't1')).toEqual([
      expect.stringContaining('nothing was sent'),
    ]);
  });

  it('is not what is settled', async () => {
    const { desk, asked } = stage({ one: FUNDED });
    await kept(desk, about, 'applied');
    expect(await unchangedNotes(desk, 'accounts.debits', 't1')).toHaveLength(1);
    expect(asked).toEqual([]);
  });
});

describe('settling all', () => {
  it('is of this account, and what is not settled', async () => {
    const { desk } = stage();
    const mine = [await kept(desk), await kept(desk, {}, 'open')];
    await kept(desk, { keyLast4: '77aa' });
    await kept(desk, {}, 'applied');
    expect((await unsettledOf(desk)).map(({ id }) => id).sort()).toEqual(mine.map(({ id }) => id).sort());
  });

  it.each<[string, object | Error, Partial<Intent>, string, unknown]>([
    ['found', FUNDED, {}, 'done', 'applied: t1'],
    ['never to be', DEAD, {}, 'done', 'not applied: it can be sent again'],
    ['not found', UNFUNDED, {}, 'unknown', expect.stringContaining('not known yet')],
    ['not to be looked for now', cut, {}, 'unknown', expect.anything()],
    [
      'raw',
      FUNDED,
      { request: '{"plan":"raw"}' },
      'unknown',
      {
        parts: expect.arrayContaining([
          expect.stringContaining('nothing says how to look for fund t1; '),
          { do: 'call_raw' },
        ]),
      },
    ],
    [
      'under way',
      FUNDED,
      { state: 'open', pid: process.ppid },
      'unknown',
      { parts: expect.arrayContaining([expect.stringContaining('it is under way')]) },
    ],
  ])('says of one that is %s what it is', async (_, one, over, category, why) => {
    const { desk } = stage({ one });
    const intent = { ...(await kept(desk)), ...over };
    const progress: unknown[] = [];
    const watched: Desk = {
      ...desk,
      working: (_words, work) => work({ tell: (...given) => void progress.push(given), say() {}, stop() {} }),
    };
    expect(await settleAll(watched, [intent], 'look')).toEqual([
      { intent: expect.objectContaining({ id: intent.id }), why, category },
    ]);
    expect(progress).toEqual([[1, 1]]);
  });

  it.each([
    ['interrupted', interrupted()],
    ['unknown', usage('no such profile')],
  ])('whatever keeps it from being looked for leaves it %s', async (category, error) => {
    const { desk } = stage();
    const intent = await kept(desk);
    const without: Desk = { ...desk, connection: () => Promise.reject(error) };
    expect(await settleAll(without, [intent], 'look')).toMatchObject([{ category, why: error.message }]);
  });

  it.each<[string, object, string, string | undefined]>([
    ['found', FUNDED, 'done', 'applied: t1'],
    ['not found', UNFUNDED, 'unknown', undefined],
  ])('of a run that somebody stopped is only looked for: %s', async (_, one, category, why) => {
    const { desk, asked } = stage({ one });
    const intent = await kept(desk);
    const stopped = new Map([[intent.id, 'Only looked for.']]);
    // Without a pass: nothing of it is sent.
    const [found] = await settleAll(desk, [intent], 'none' as never, stopped);
    expect([found?.category, asked.some((call) => call.includes('create'))]).toEqual([category, false]);
    const words = typeof found?.why === 'object' ? found.why.parts.join('') : found?.why;
    if (why !== undefined) expect(words).toBe(why);
    else expect(words).toMatch(/not known yet.*\. Only looked for\.$/);
  });

  it('goes on after one that cannot be, and ends where somebody wants it to', async () => {
    const { desk } = stage({ one: FUNDED });
    const [bad, good] = [
      { ...(await kept(desk)), request: '{"plan":"raw"}' },
      await kept(desk, { digest: 'e' }),
    ];
    const found = await settleAll(desk, [bad, good], 'look');
    expect(found.map(({ category, intent }) => [category, intent.state])).toEqual([
      ['unknown', 'unknown'],
      ['done', 'applied'],
    ]);
    const ended: Desk = { ...desk, signal: AbortSignal.abort() };
    expect(await settleAll(ended, [bad], 'look')).toEqual([]);
  });
});

it.each<[(string | undefined)[], string]>([
  [['create'], 'pay'],
  [['debit'], 'pay'],
  [['create', 'debit'], 'pay'],
  [['edit'], 'change where money goes'],
  [['payout_method_edit'], 'change where money goes'],
  [['cancel'], 'cancel'],
  [['payin_method_cancel'], 'cancel'],
  [['payin_method_retry'], 'collect'],
  [['edit', 'create', 'cancel'], 'pay, or change where money goes, or cancel'],
  [['raw'], 'act'],
  [['editor', 'canceller'], 'act'],
  [[undefined], 'act'],
  [[], 'act'],
])('settling what is planned as %j may %s', (plans, may) => {
  const intents = plans.map((plan) => (plan === undefined ? {} : { request: JSON.stringify({ plan }) }));
  expect(settlingActs(intents)).toBe(may);
});
