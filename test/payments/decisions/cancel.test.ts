/** What will be done about each recipient of a cancel, and what its ending is: by its state before, the answer, and its state after. */

import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { cancelRecipient as cancelRow } from '../../../src/contract/operations/recipients.ts';
import type { Recipient, Transaction } from '../../../src/contract/resources/transaction.ts';
import {
  type CancelPlan,
  cancelRecipients,
  obstacle,
  planCancel,
  refusePredictedRefusal,
} from '../../../src/payments/cancel.ts';
import { byName } from '../../../src/payments/confirmation.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { authorizeWrite, noConfirmer } from '../../../src/payments/gate.ts';
import { DESK_BASE_URL, deskOver } from '../../support/desk.ts';
import { standingClock } from '../../support/stores.ts';

const recipient = (state: string, over: object = {}): Recipient =>
  ({
    id: 'r1',
    state,
    may_cancel: true,
    output_amount: '5000',
    output_currency: 'NGN',
    ...over,
  }) as unknown as Recipient;
const transaction = (state: string, recipients: Recipient[] = [], over: object = {}): Transaction =>
  ({ id: 't1', state, recipients, ...over }) as unknown as Transaction;

const call = { operation: 'recipients.cancel', nonce: 'n-1', effect: 'destructive' as const };
const answer = (status: number) =>
  new ApiError(status, call, {
    fields: [],
    meta: {},
    existing: {},
    resource: undefined,
    isOwn: status === 422,
  });
const cut = new NetworkError('may_have_arrived', 'ECONNRESET', call, 'cut');

interface Service {
  /** What a DELETE answers. */
  deleted?: Recipient | Error;
  /** What each look shows; the last of them again and again. */
  looks?: (Transaction | Error)[];
}

function stage({ deleted, looks = [] }: Service = {}) {
  const clock = standingClock();
  const asked: string[] = [];
  const client = {
    baseUrl: DESK_BASE_URL,
    ready: async () => {},
    isReady: () => true,
    date: () => undefined,
    prove: async () => {},
    undisturbed: () => client,
    async call({ id }: { id: string }) {
      asked.push(id);
      const found = id === cancelRow.id ? deleted : looks.length > 1 ? looks.shift() : looks[0];
      if (found === undefined) throw new Error(`nobody expected ${id}`);
      if (found instanceof Error) throw found;
      return { object: found };
    },
  } as unknown as Client;
  const transport = async () => {
    throw new Error('the client of this desk has no network');
  };
  const desk: Desk = {
    ...deskOver({ transport, clock, sleep: async (ms) => clock.advance(ms) }),
    client: async () => client,
    writingClient: async () => client,
  };
  return { desk, asked, clock };
}

type Fate = CancelPlan['targets'][number]['fate'];
const SEND: Fate = { kind: 'send', mayBePaid: false };
const LEFT: Fate = { kind: 'left', why: 'it is paid' };
const OVER: Fate = { kind: 'over' };
const ASKED: Fate = { kind: 'asked', agoMs: 60_000 };

const planOf = (targets: CancelPlan['targets'], waitMs?: number): CancelPlan => ({
  request: false,
  waitMs,
  targets,
  step: { effect: 'destructive', what: [], confirm: byName('it') },
});

describe('an obstacle', () => {
  it.each([
    ['initial', true, undefined],
    ['initial', undefined, undefined],
    ['pending', false, 'the payout is with the provider'],
    ['error', false, 'the service does not allow it in this state'],
    ['pending', true, undefined],
    ['success', true, 'it is paid'],
    ['overpaid', true, 'it is paid'],
    ['canceled', false, undefined],
    ['refunded', false, undefined],
  ])('for one that is %s, and may be cancelled: %s', (state, may_cancel, words) => {
    expect(obstacle(recipient(state, { may_cancel }))).toBe(words);
  });
});

describe('the plan', () => {
  const stuck = { may_cancel: false };
  it.each<[string, object, boolean, Fate, string, string]>([
    ['initial', {}, false, SEND, 'destructive', ''],
    ['initial', {}, true, SEND, 'destructive', ''],
    ['canceled', stuck, true, OVER, 'read', ' (cancelled already)'],
    ['refunded', stuck, false, OVER, 'read', ' (cancelled already)'],
    ['success', {}, true, LEFT, 'read', ' (it is paid: not cancelled)'],
    [
      'pending',
      stuck,
      false,
      { kind: 'left', why: 'the payout is with the provider' },
      'read',
      ' (the payout is with the provider: not cancelled)',
    ],
    ['pending', stuck, true, { kind: 'send', mayBePaid: true }, 'destructive', ' (it may still be paid)'],
  ])(
    'for one that is %s %j, where the provider is asked: %s',
    async (state, over, request, fate, effect, words) => {
      const { desk } = stage();
      const target = { recipient: recipient(state, over), transaction: transaction('paid') };
      const plan = await planCancel(desk, [target], { request, waitMs: 5 });
      expect(plan).toMatchObject({
        request,
        waitMs: 5,
        targets: [{ ...target, fate }],
        step: { effect, explicitId: true },
      });
      expect(plan.step.what).toEqual([`cancel 5000 NGN to r1,${words === '' ? '' : words}`]);
    },
  );

  it('does not ask twice for what was requested before', async () => {
    const { desk, clock } = stage();
    const { intents } = await desk.store();
    const about = {
      command: 'x',
      operation: cancelRow.id,
      profile: 'own',
      environment: 'sandbox',
      baseUrl: DESK_BASE_URL,
      keyLast4: '51ab',
      digest: 'd',
      subject: 'r1',
      summary: 's',
      request: '{}',
    };
    const opened = await intents.open(about);
    if (!('opened' in opened)) throw new Error('nothing stands in its way');
    await intents.close(opened.opened.id, { state: 'applied' });
    clock.advance(60_000);
    const target = {
      recipient: recipient('pending', { may_cancel: false }),
      transaction: transaction('paid'),
    };
    const plan = await planCancel(desk, [target], { request: true, waitMs: undefined });
    expect(plan).toMatchObject({ targets: [{ fate: ASKED }], step: { effect: 'read' } });
    expect(plan.step.what[0]).toMatch(/a cancel was requested .+ ago: not requested again/);
    // What can be cancelled at once is, whatever was asked before.
    const free = { ...target, recipient: recipient('initial') };
    expect(await planCancel(desk, [free], { request: true, waitMs: undefined })).toMatchObject({
      targets: [{ fate: SEND }],
    });
  });

  it('asks about those that are sent, and knows whether each was named in full', async () => {
    const { desk } = stage();
    const at = (state: string, explicit?: boolean) => ({
      recipient: recipient(state),
      transaction: transaction('paid'),
      ...(explicit === undefined ? {} : { explicit }),
    });
    const options = { request: false, waitMs: undefined };
    const two = await planCancel(desk, [at('initial', true), at('success')], options);
    expect(two.step).toMatchObject({ effect: 'destructive', explicitId: true });
    expect(two.step.question?.('sandbox')).toBe('Cancel 5,000 NGN to r1, on the sandbox?');
    expect(
      (await planCancel(desk, [at('initial', true), at('initial', false)], options)).step.explicitId,
    ).toBe(false);
  });
});

describe('one alone that cannot be cancelled', () => {
  const target = (fate: Fate, state = 'success') => ({
    recipient: recipient(state),
    transaction: transaction('paid'),
    fate,
  });
  it.each<[Fate, string, string, unknown]>([
    [LEFT, 'success', 'already_paid', undefined],
    [
      { kind: 'left', why: 'the payout is with the provider' },
      'pending',
      'not_cancellable_at_once',
      {
        parts: [{ do: 'cancel_recipients', ids: ['r1'], request: true, wait: true }, expect.any(String)],
      },
    ],
  ])('%j, %s, is refused', (fate, state, code, hint) => {
    expect(() => refusePredictedRefusal(planOf([target(fate, state)]))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`${(fate as { why: string }).why} (state: ${state})`),
        facts: expect.objectContaining({ category: 'conflict', code, hint, outcome: 'not applied' }),
      }),
    );
  });

  it.each<[string, Fate[]]>([
    ['sent', [SEND]],
    ['over', [OVER]],
    ['asked about', [ASKED]],
    ['beside another', [LEFT, LEFT]],
    ['none', []],
  ])('is reported where it is %s', (_, fates) => {
    expect(() => refusePredictedRefusal(planOf(fates.map((fate) => target(fate))))).not.toThrow();
  });
});

async function endingsOf(targets: CancelPlan['targets'], service: Service, waitMs?: number) {
  const { desk, asked, clock } = stage(service);
  const permit = await authorizeWrite(
    desk,
    { effect: 'destructive', what: [], confirm: byName('it') },
    noConfirmer,
  );
  const startedAt = clock.now();
  const endings = await cancelRecipients(desk, permit, planOf(targets, waitMs));
  return { endings, asked, waitedMs: clock.now() - startedAt };
}

describe('an ending', () => {
  const before = recipient('initial');
  it.each<[Fate, string, string, string | undefined, string, boolean]>([
    // The fate, the transaction before and after, the recipient after (undefined where nobody can look), the ending, whether it was asked.
    [SEND, 'paid', 'paid', 'refunded', 'refunded', true],
    [SEND, 'paid', 'paid', 'success', 'paid meanwhile', true],
    [SEND, 'paid', 'paid', 'overpaid', 'paid meanwhile', true],
    [SEND, 'paid', 'paid', 'canceled', 'cancelled, refund pending', true],
    [SEND, 'paid', 'manual', 'canceled', 'cancelled, refund needs the operator', true],
    [SEND, 'approved', 'approved', 'canceled', 'cancelled before funding', true],
    [SEND, 'approved', 'paid', 'canceled', 'cancelled, refund pending', true],
    [SEND, 'paid', 'approved', 'canceled', 'cancelled, refund pending', true],
    [SEND, 'paid', 'paid', 'pending', 'cancellation requested', true],
    [SEND, 'paid', 'paid', undefined, 'cancellation requested', true],
    [OVER, 'paid', 'paid', 'refunded', 'refunded', true],
    [OVER, 'paid', 'paid', 'canceled', 'cancelled, refund pending', true],
    [OVER, 'paid', 'paid', 'initial', 'not cancelled', true],
    [ASKED, 'paid', 'paid', 'pending', 'cancellation requested', false],
    [ASKED, 'paid', 'paid', 'success', 'paid meanwhile', false],
  ])('of %j in a payment that was %s and is %s, then %s', async (fate, was, is, state, ending, sent) => {
    const looks = state === undefined ? [new Error('no connection')] : [transaction(is, [recipient(state)])];
    const target = { recipient: before, transaction: transaction(was, [before]), fate };
    const { endings } = await endingsOf([target], { deleted: recipient('pending'), looks });
    expect(endings).toMatchObject([{ ending, sent, transaction_id: 't1', recipient: { id: 'r1' } }]);
    expect('why' in (endings[0] ?? {})).toBe(fate.kind === 'asked');
    expect(endings[0]).not.toHaveProperty('category');
  });

  it.each([
    ['success', 'paid before'],
    ['initial', 'not cancelled'],
  ])('of one that was left alone, %s, is %s, and nothing is asked', async (state, ending) => {
    const left = recipient(state);
    const target = { recipient: left, transaction: transaction('paid', [left]), fate: LEFT };
    const { endings, asked } = await endingsOf([target], {});
    expect(endings).toEqual([
      { recipient: left, transaction_id: 't1', ending, sent: false, why: 'it is paid' },
    ]);
    expect(asked).toEqual([]);
  });

  it.each<[string, Error, string, string | undefined, unknown]>([
    [
      'no answer',
      cut,
      'unknown',
      undefined,
      { parts: [expect.stringContaining('not known yet'), { do: 'settle', id: expect.any(String) }] },
    ],
    [
      'a refusal of the key, which something in front may have made',
      answer(401),
      'unknown',
      undefined,
      expect.anything(),
    ],
    ['a refusal', answer(422), 'not cancelled', undefined, expect.any(String)],
  ])('after %s', async (_, deleted, ending, category, why) => {
    const target = { recipient: before, transaction: transaction('paid', [before]), fate: SEND };
    const looks = [
      answer(401).status === (deleted as ApiError).status ? answer(401) : transaction('paid', [before]),
    ];
    const { endings } = await endingsOf([target], { deleted, looks });
    expect(endings).toMatchObject([{ ending, sent: true, why }]);
    expect(endings[0]?.category).toBe(category);
  });

  it('of one that an earlier try left unknown names how to settle that, and no second one', async () => {
    const { desk, asked } = stage({ deleted: cut, looks: [transaction('paid', [before])] });
    const permit = await authorizeWrite(
      desk,
      { effect: 'destructive', what: [], confirm: byName('it') },
      noConfirmer,
    );
    const target = { recipient: before, transaction: transaction('paid', [before]), fate: SEND };
    await cancelRecipients(desk, permit, planOf([target]));
    const sent = asked.filter((id) => id === cancelRow.id).length;
    const [again] = await cancelRecipients(desk, permit, planOf([target]));
    expect(again).toMatchObject({
      ending: 'unknown',
      why: {
        parts: [expect.stringContaining('was sent before'), { do: 'settle', id: expect.any(String) }],
      },
    });
    expect(asked.filter((id) => id === cancelRow.id)).toHaveLength(sent);
  });

  it('is told for each in the order that was asked, with one look for a payment', async () => {
    const [one, two, three] = [
      recipient('initial'),
      recipient('success', { id: 'r2' }),
      recipient('canceled', { id: 'r3' }),
    ];
    const payment = transaction('paid', [one, two, three]);
    const now = transaction('paid', [recipient('refunded'), two, recipient('refunded', { id: 'r3' })]);
    const { endings, asked } = await endingsOf(
      [
        { recipient: two, transaction: payment, fate: LEFT },
        { recipient: one, transaction: payment, fate: SEND },
        { recipient: three, transaction: payment, fate: OVER },
      ],
      { deleted: recipient('canceled'), looks: [now] },
    );
    expect(endings.map((one) => [one.recipient.id, one.ending])).toEqual([
      ['r2', 'paid before'],
      ['r1', 'refunded'],
      ['r3', 'refunded'],
    ]);
    expect(asked).toEqual(['recipients.cancel', 'transactions.get']);
  });
});

describe('waiting', () => {
  const initial = recipient('initial');
  const send = (was: string) => [
    { recipient: initial, transaction: transaction(was, [initial]), fate: SEND },
  ];
  it.each<[string, string, string, number]>([
    ['refunded', 'paid', 'refunded', 1],
    ['paid', 'paid', 'success', 1],
    ['cancelled before funding', 'approved', 'canceled', 1],
    ['cancelled, its money not back', 'paid', 'canceled', 2],
    ['pending', 'paid', 'pending', 2],
  ])('ends where it is %s', async (_, was, state, looks) => {
    const other = recipient('initial', { id: 'r9' });
    const first = transaction(was, [recipient(state), other]);
    const then = transaction(was, [recipient('refunded'), other]);
    const { asked } = await endingsOf(
      send(was),
      { deleted: recipient('pending'), looks: [first, then] },
      60_000,
    );
    expect(asked.filter((id) => id === 'transactions.get')).toHaveLength(looks);
  });

  it.each([
    [undefined, 0],
    [0, 0],
    [1_000, 1_000],
  ])('of %s ms lasts %i ms', async (waitMs, lasts) => {
    const looks = [transaction('paid', [recipient('pending')])];
    const { waitedMs } = await endingsOf(send('paid'), { deleted: recipient('pending'), looks }, waitMs);
    expect(waitedMs).toBe(lasts);
  });

  it('is shared by all payments', async () => {
    const looks = [transaction('paid', [recipient('pending')])];
    const more = {
      recipient: initial,
      transaction: transaction('paid', [initial], { id: 't2' }),
      fate: ASKED,
    };
    const { waitedMs, endings } = await endingsOf(
      [...send('paid'), more],
      { deleted: recipient('pending'), looks },
      1_000,
    );
    expect(waitedMs).toBe(1_000);
    expect(endings.map(({ transaction_id: id }) => id)).toEqual(['t1', 't2']);
  });

  it('is not for what is unknown', async () => {
    const looks = [transaction('paid', [initial])];
    const { waitedMs, endings } = await endingsOf(send('paid'), { deleted: cut, looks }, 1_000);
    expect(endings).toMatchObject([{ ending: 'unknown' }]);
    expect(waitedMs).toBe(0);
  });
});
