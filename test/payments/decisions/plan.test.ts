/** What a payment is before it is sent: its limit, its question, and the notes on what was made. */

import { describe, expect, it, onTestFinished } from 'vitest';
import type { Intent, Intents } from '../../../src/client/store/port.ts';
import { createSender } from '../../../src/contract/operations/senders.ts';
import type { Transaction, TransactionWrite } from '../../../src/contract/resources/transaction.ts';
import { AmountError } from '../../../src/core/money.ts';
import type { Transport } from '../../../src/core/transport.ts';
import { byName } from '../../../src/payments/confirmation.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { authorizeWrite, type Confirmer, noConfirmer } from '../../../src/payments/gate.ts';
import { makePayment } from '../../../src/payments/make.ts';
import {
  createPayment,
  isCalledOffAlready,
  paymentNotes,
  paymentStep,
  planPayment,
} from '../../../src/payments/plan.ts';
import type { Written } from '../../../src/payments/write.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { deskOver } from '../../support/desk.ts';
import { memoryTransport } from '../../support/memory-transport.ts';
import { credentials, person } from '../../support/sandbox.ts';

const recipient = (amount = '5000', currency = 'NGN') => ({
  type: 'person',
  requested_amount: amount,
  requested_currency: currency,
  payout_method: {
    type: 'NGN::Bank',
    details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456789' },
  },
});
const body = (over: object = {}): TransactionWrite =>
  ({
    input_currency: 'EUR',
    metadata: {},
    sender: { external_id: 'customer-1' },
    recipients: [recipient()],
    ...over,
  }) as unknown as TransactionWrite;

describe('the most that may be debited', () => {
  it.each<[string | undefined, Record<string, string> | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    [undefined, {}, undefined],
    [undefined, { GBP: '5' }, undefined],
    ['12', undefined, '12.00'],
    ['12', { EUR: '20' }, '12.00'],
    ['12', { EUR: '12' }, '12.00'],
    ['12', { EUR: '11.99' }, '11.99'],
    ['12', { GBP: '5' }, '12.00'],
    [undefined, { EUR: '20' }, '20'],
  ])('with a limit of %s, and %j by the profile, is %s', (maxInput, allowed, most) => {
    const plan = planPayment({ body: body(), fund: true, maxInput, allowed });
    expect(plan.most === undefined ? undefined : Number(plan.most)).toBe(
      most === undefined ? undefined : Number(most),
    );
    expect(planPayment({ body: body(), fund: false, maxInput, allowed }).most).toBeUndefined();
  });
});

const lastOf = async (intents: Intents) => (await intents.list({ limit: 1 }))[0] as Intent;

describe('a payment that is sent', () => {
  const stage = async () => {
    const sandbox = await createSandbox({ credentials, seed: 7 });
    onTestFinished(() => sandbox.close());
    const sent: Record<string, unknown>[] = [];
    const direct = memoryTransport((request) => sandbox.fetch(request));
    const transport: Transport = async (request) => {
      if (request.method === 'POST') sent.push(JSON.parse(request.body ?? '{}').transaction);
      return direct(request);
    };
    const said: unknown[] = [];
    const desk: Desk = {
      ...deskOver({ transport, clock: sandbox.clock }),
      hear: ({ says }) => void said.push(says),
    };
    const { intents } = await desk.store();
    const client = await desk.client();
    await client.call(createSender, {
      body: { sender: { ...person, type: 'person', external_id: 'customer-1' } },
    });
    sent.length = 0;
    const step = { effect: 'money' as const, what: ['pay'], confirm: byName('it') };
    const pay = async (over: object = {}, newPayment = false) =>
      createPayment(
        desk,
        await authorizeWrite(desk, step, noConfirmer),
        planPayment({ body: body(over), fund: false, maxInput: undefined }),
        {
          newPayment,
        },
      );
    return { sent, pay, said, intents, desk, direct };
  };

  it.each([
    ['9.00', 0],
    ['14.95', 1],
  ])('is paid within half a per cent of the %s EUR that a person said yes to', async (shown, debits) => {
    const { desk, direct, said } = await stage();
    let debited = 0;
    let asked = 0;
    const cheaper: Transport = async (request) => {
      if (request.url.endsWith('/accounts/debits')) debited += 1;
      const answer = await direct(request);
      if (!request.url.endsWith('/calculate')) return answer;
      return { ...answer, body: answer.body.replaceAll('14.99', shown) };
    };
    const confirmer: Confirmer = {
      isAttended: true,
      stance: () => ({ kind: 'asks' }),
      // The second question is about the price that it has come to.
      confirm: async () => {
        asked += 1;
        return asked === 1;
      },
    };
    const plan = planPayment({
      body: body({ external_id: 'inv-17', recipients: [recipient('25000')] }),
      fund: true,
      maxInput: undefined,
    });
    const hears = { hear: ({ says }: { says: unknown }) => void said.push(says) };
    const paying = { ...deskOver({ transport: cheaper, clock: desk.clock }), ...hears };
    const made = makePayment(paying, { confirmer, plan, newPayment: false, isLookedAt: true });
    if (debits === 1) expect((await made).value.state).toBe('paid');
    else
      await expect(made).rejects.toMatchObject({
        facts: { code: 'above_max_input', outcome: 'not applied' },
      });
    expect([debited, asked]).toEqual([debits, 2 - debits]);
    expect(said).toContain(`  at most ${debits === 1 ? '15.02' : '9.04'} EUR, if the rate moves`);
  });

  it('has the id of its caller, or one that is made for it', async () => {
    const { sent, pay, intents } = await stage();
    expect((await pay({ external_id: 'wages-1' })).value.external_id).toBe('wages-1');
    const made = await pay({}, true);
    expect(made.value.external_id).toMatch(/^remit-[0-9a-f-]{36}$/);
    expect(sent.map(({ external_id: id }) => id)).toEqual(['wages-1', made.value.external_id]);
    expect((await intents.list()).map(({ madeId }) => madeId === true)).toEqual([true, false]);
    expect((await intents.list()).some(({ awaitsDebit }) => awaitsDebit)).toBe(false);
  });

  it('is answered with what stands, under the id that was made for the first', async () => {
    const { sent, pay, said } = await stage();
    const first = await pay();
    const again = await pay();
    expect(again).toMatchObject({ how: 'earlier', value: { external_id: first.value.external_id } });
    expect([sent.length, said.at(-1)]).toEqual([1, expect.stringMatching(/^it was made already at /)]);
    expect(said.join()).not.toContain('it goes on as');
  });

  it('goes on with the id of one that somebody said was not applied, and says so', async () => {
    const { sent, pay, said, intents } = await stage();
    const first = await pay();
    await intents.told(first.intentId);
    const second = await pay({}, true);
    await intents.told(second.intentId);
    expect(second.value.external_id).not.toBe(first.value.external_id);
    const third = await intents.open({ ...(await lastOf(intents)), externalId: 'remit-lost', request: '{}' });
    if (!('opened' in third)) throw new Error('nobody was asked');
    await intents.close(third.opened.id, { state: 'not_applied', note: 'said by ana: it never arrived' });
    const again = await pay({}, true);
    expect(again.value.external_id).toBe('remit-lost');
    expect(said).toContainEqual(expect.stringContaining('it goes on as remit-lost'));
    expect(sent.at(-1)?.external_id).toBe('remit-lost');
  });
});

describe('a plan', () => {
  it.each([
    [undefined, 'EUR', undefined],
    ['12.5', 'EUR', '12.5'],
    ['12', 'JPY', '12'],
  ])('of at most %s %s has a limit of %s', (maxInput, currency, limit) => {
    const plan = planPayment({ body: body({ input_currency: currency }), fund: true, maxInput });
    expect(plan.limit === undefined ? undefined : Number(plan.limit)).toBe(
      limit === undefined ? undefined : Number(limit),
    );
  });

  it.each([
    ['12.555', 'EUR'],
    ['12.5', 'JPY'],
    ['much', 'EUR'],
  ])('of at most %s %s is refused', (maxInput, currency) => {
    expect(() => planPayment({ body: body({ input_currency: currency }), fund: true, maxInput })).toThrow(
      AmountError,
    );
  });

  it.each([true, false])('that funds (%s) rounds nothing without need', (fund) => {
    expect(planPayment({ body: body(), fund, maxInput: undefined })).toMatchObject({ fund, roundings: [] });
  });

  it('tells what is rounded', () => {
    const plan = planPayment({
      body: body({ recipients: [recipient('10.5')] }),
      fund: true,
      maxInput: undefined,
    });
    expect(plan.roundings).toHaveLength(1);
  });
});

const planned = (fund: boolean, maxInput?: string, over: object = {}) =>
  planPayment({ body: body(over), fund, maxInput });
const calculated = (amount: string | null): Transaction =>
  ({ input_amount: amount, input_currency: 'EUR', recipients: [] }) as unknown as Transaction;

describe('a step', () => {
  it.each<[string, string | null, string | undefined]>([
    ['without a limit', '1000', undefined],
    ['below its limit', '9.99', '10'],
    ['at its limit', '10', '10'],
    ['of an unknown cost', null, '10'],
  ])('%s is let through', (_, amount, limit) => {
    const step = paymentStep({ mask: 'none' }, planned(true, limit), calculated(amount));
    expect(step).toMatchObject({ effect: 'money', amounts: [{ amount, currency: 'EUR', isLater: false }] });
    expect(step.what.slice(2)).toEqual(limit === undefined ? [] : ['at most 10.00 EUR, if the rate moves']);
    expect(step.what[0]).toMatch(/^pay 5000 NGN to Ada Obi/);
    expect(step.what[1]).toMatch(/in all$/);
  });

  it('above its limit is refused', () => {
    expect(() => paymentStep({ mask: 'none' }, planned(true, '10'), calculated('10.01'))).toThrow(
      expect.objectContaining({
        message: 'it would cost 10.01 EUR, more than the limit that was given, 10.00 EUR',
        facts: expect.objectContaining({
          category: 'check',
          code: 'above_max_input',
          outcome: 'not applied',
          outcomeNote: 'nothing was sent',
        }),
      }),
    );
  });

  it('that nobody looked at names an amount that nobody knows', () => {
    const step = paymentStep({ mask: 'none' }, planned(false, '10'), undefined);
    // Unpaid: it is the one that pays it later that counts for the day.
    expect(step).toMatchObject({
      effect: 'money',
      amounts: [{ amount: null, currency: 'EUR', isLater: true }],
    });
    expect(step.what).toHaveLength(1);
    expect(paymentStep({ mask: 'none' }, planned(true), undefined).amounts).toEqual([
      { amount: null, currency: 'EUR', isLater: false },
    ]);
  });

  it('is not paid against a limit that nobody looked at', () => {
    expect(() => paymentStep({ mask: 'none' }, planned(true, '10'), undefined)).toThrow(/was not looked at/);
  });

  const payin = { type: 'GHS::Mobile' };
  it.each<[string, boolean, Transaction | undefined, object, string]>([
    ['funds', true, calculated('4.10'), {}, 'Pay 4.10 EUR from the LIVE balance?'],
    [
      'funds what nobody calculated',
      true,
      undefined,
      {},
      'Create this payment of 5,000 NGN, on the LIVE account?',
    ],
    ['creates', false, calculated('4.10'), {}, 'Create this payment of 5,000 NGN, on the LIVE account?'],
    [
      'creates several',
      false,
      undefined,
      { recipients: [recipient(), recipient()] },
      'Create this payment of 2 payouts, on the LIVE account?',
    ],
    [
      'creates none',
      false,
      undefined,
      { recipients: [] },
      'Create this payment of 0 payouts, on the LIVE account?',
    ],
    [
      'has an empty list of collections',
      false,
      undefined,
      { payin_methods: [] },
      'Create this payment of 5,000 NGN, on the LIVE account?',
    ],
    [
      'collects',
      false,
      undefined,
      { payin_methods: [payin] },
      'Ask the customer to pay 5,000 NGN, on the LIVE account?',
    ],
    [
      'collects for several',
      false,
      undefined,
      { payin_methods: [payin], recipients: [recipient(), recipient()] },
      'Ask the customer to pay 2 payouts, on the LIVE account?',
    ],
  ])('that %s asks so', (_, fund, calculation, over, words) => {
    expect(
      paymentStep({ mask: 'none' }, planned(fund, undefined, over), calculation).question?.('LIVE'),
    ).toBe(words);
  });
});

const withAccount = (account: string) => {
  const one = recipient();
  return { ...one, payout_method: { ...one.payout_method, details: { bank_account: account } } };
};

describe('what a person types for it in production', () => {
  const SHORT = withAccount('1234');
  const TWO = [withAccount('0123456789'), { ...withAccount('2345678901'), requested_currency: 'GHS' }];
  it.each<[string, object, Transaction | undefined, object]>([
    ['one: the end of its account', {}, undefined, { by: 'account', shown: '6789' }],
    ['one that was calculated: the same', {}, calculated('12.5'), { by: 'account', shown: '6789' }],
    [
      'an account too short to show: what is asked for',
      { recipients: [SHORT] },
      undefined,
      { by: 'total', shown: '5,000 NGN' },
    ],
    [
      'the same, calculated: what it costs',
      { recipients: [SHORT] },
      calculated('12.5'),
      { by: 'total', shown: '12.50 EUR' },
    ],
    [
      'several: what is asked for in each currency',
      { recipients: TWO },
      undefined,
      { by: 'total', shown: '5,000 NGN and 5,000.00 GHS' },
    ],
    [
      'several that were calculated: what they cost',
      { recipients: TWO },
      calculated('12.5'),
      { by: 'total', shown: '12.50 EUR' },
    ],
    [
      'several of which one names no amount: the external id',
      { external_id: 'wages-7', recipients: [TWO[0], { ...TWO[1], requested_amount: undefined }] },
      undefined,
      { by: 'name', shown: 'wages-7' },
    ],
    [
      'several, the cost unknown, without an external id: how many they are',
      { recipients: TWO },
      calculated(null),
      { by: 'name', shown: '2 payouts' },
    ],
  ])('%s', (_, over, calculation, confirm) => {
    expect(paymentStep({ mask: 'none' }, planned(true, undefined, over), calculation).confirm).toMatchObject(
      confirm,
    );
  });
});

type How = Written<Transaction>['how'];
const HOWS: How[] = ['answered', 'existing', 'found', 'earlier'];
const made = (over: object): Transaction => ({ id: 't1', ...body(), ...over }) as unknown as Transaction;

describe('a payment that pays nobody any more', () => {
  it.each(
    HOWS.flatMap((how) =>
      (['canceled', 'refunded', 'approved', 'paid'] as const).map((state) => [how, state] as const),
    ),
  )('%s and %s', (how, state) => {
    const isOver =
      (how === 'existing' || how === 'earlier') && (state === 'canceled' || state === 'refunded');
    expect(isCalledOffAlready({ how, value: made({ state }) })).toBe(isOver);
  });
});

const EXISTS =
  'a payment with this external id, and the same amounts and details, exists already: nothing new was created';
const LOST = 'the answer was lost; remit looked, and found it, once';
const next = { parts: ['Next, within the hour: ', { do: 'fund', id: 't1' }] };
const watch = { parts: ['the customer has an hour to pay; next: ', { do: 'watch_transaction', id: 't1' }] };
const over = [{ state: 'canceled' }];

describe('notes', () => {
  it.each<[How, boolean, object, unknown[]]>([
    ['answered', true, { state: 'paid' }, []],
    ['answered', false, { state: 'approved' }, [next]],
    ['answered', false, { state: 'approved', payin_methods: [] }, [next]],
    [
      'answered',
      false,
      { state: 'approved', id: null },
      [{ parts: ['Next, within the hour: ', { do: 'fund', id: '' }] }],
    ],
    ['answered', true, { state: 'approved' }, []],
    ['answered', false, { state: 'paid' }, []],
    ['existing', true, { state: 'paid' }, [EXISTS]],
    ['found', true, { state: 'paid' }, [LOST]],
    ['found', false, { state: 'approved' }, [LOST, next]],
    ['earlier', true, { state: 'paid' }, []],
    [
      'existing',
      true,
      { state: 'canceled', recipients: over },
      [EXISTS, { parts: ['it is canceled: to pay, take another ', { give: 'external_id' }] }],
    ],
    [
      'earlier',
      true,
      { state: 'canceled', recipients: over },
      [{ parts: ['it is canceled: to pay, run it again'] }],
    ],
    [
      'earlier',
      true,
      { state: 'canceled', recipients: [...over, { state: 'success' }] },
      ['it is canceled, and not every recipient was cancelled: look at each before you pay again'],
    ],
    [
      'found',
      true,
      { state: 'paid', input_currency: 'eur' },
      ['the service has it otherwise than it was sent, in input_currency: this is what stands'],
    ],
    ['answered', false, { state: 'approved', payin_methods: [{ state: 'pending' }] }, [watch]],
    ['found', false, { state: 'initial', payin_methods: [{ state: 'pending' }] }, [LOST, watch]],
    [
      'answered',
      false,
      { state: 'initial', id: null, payin_methods: [{ state: 'pending' }] },
      [{ parts: ['the customer has an hour to pay; next: ', { do: 'watch_transaction', id: '' }] }],
    ],
    ['answered', false, { state: 'paid', payin_methods: [{ state: 'pending' }] }, []],
    [
      'answered',
      false,
      { state: 'approved', payin_methods: [{ state: 'incomplete', id: 'p1' }] },
      [{ parts: ['the collection is incomplete: ', { do: 'show_payin_method', id: 'p1' }] }, watch],
    ],
  ])('on one that was %s, funded at once: %s, as %j', (how, fund, value, notes) => {
    expect(
      paymentNotes({ how, value: made({ recipients: body().recipients, ...value }) }, { fund, body: body() }),
    ).toEqual(notes);
  });
});
