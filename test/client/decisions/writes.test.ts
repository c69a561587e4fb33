/** How each write is sent, what an answer to it proves, and what a look finds. */
import { describe, expect, it } from 'vitest';
import { type CreateAsked, judgeAnswer, planCreate } from '../../../src/client/create-plan.ts';
import {
  type Asked,
  cancelPlan,
  editPlan,
  isPlanned,
  mustBeAskedFor,
  operationOf,
  writePlanOf,
} from '../../../src/client/writes.ts';
import { InvariantError } from '../../../src/core/invariants.ts';
import { clientFor, json, type lost } from '../../support/scripted.ts';

const recipients = [
  {
    requested_amount: '10',
    requested_currency: 'NGN',
    payout_method: { type: 'NGN::Bank', details: { bank_account: '0123456789' } },
  },
];
const asked = (over: Partial<CreateAsked> = {}): CreateAsked => ({
  transaction: { input_currency: 'EUR', external_id: 'T-1', sender: { id: 's' }, recipients },
  fund: false,
  ...over,
});
const found = (over: object = {}) => ({
  id: 't-1',
  external_id: 'T-1',
  input_currency: 'EUR',
  state: 'approved',
  input_amount: '10',
  paid_amount: '0',
  recipients,
  ...over,
});
const ofDetails = (details: object) => [{ ...recipients[0], payout_method: { type: 'NGN::Bank', details } }];
const ofType = (type: string) => [
  { ...recipients[0], payout_method: { ...recipients[0]?.payout_method, type } },
];
const rounded = [{ ...recipients[0], requested_amount: '10.01' }];
const edited = ofDetails({ bank_account: '9' });
type Answers = (ReturnType<typeof json> | typeof lost)[];

it.each<[string, object, boolean, string | undefined]>([
  ['as asked', {}, false, undefined],
  ['without an id', { id: null }, false, 'it has no id'],
  ['with another external id', { external_id: 'T-2' }, false, 'differs in external_id'],
  ['of another sender', { sender: { id: 's-2' } }, false, 'differs in sender.id'],
  ['of another payout type', { recipients: ofType('GHS::Bank') }, false, 'payout_method.type'],
  ['with two payees', { recipients: [...recipients, ...recipients] }, false, 'differs in recipients'],
  ['without an external id', { external_id: null }, false, undefined],
  [
    'without an external id and a payee',
    { external_id: null, recipients: ofDetails({}) },
    false,
    'no external id',
  ],
  ['with another payee', { recipients: edited }, false, 'payout_method.details.bank_account'],
  ['in another currency', { input_currency: 'USD' }, false, 'differs in input_currency'],
  ['with the currency in lower case', { input_currency: 'eur' }, false, undefined],
  ['that shows no recipients', { recipients: null }, false, undefined],
  [
    'in another currency, that shows no recipients',
    { recipients: null, input_currency: 'USD' },
    false,
    'differs in',
  ],
  ['that is not funded, as asked', { state: 'approved' }, false, undefined],
  ['that is not funded', { state: 'approved' }, true, 'does not say that it is funded'],
  ['that is funded', { state: 'received', paid_amount: '10' }, true, undefined],
])('an answer %s', (_, over, fund, wrong) => {
  const { wrong: said } = judgeAnswer(asked({ fund }), found(over) as never);
  if (wrong === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(wrong);
});

it('an answer to a later request has to carry the external id', () => {
  const answer = found({ external_id: null }) as never;
  expect(judgeAnswer(asked(), answer)).toEqual({});
  expect(judgeAnswer(asked(), answer, true)).toMatchObject({ id: 't-1' });
});

describe('a look for a payment', () => {
  const look = (over: Partial<CreateAsked>, ...answers: Answers) => {
    const script = clientFor(answers);
    return planCreate(script.client, asked(over))
      .look()
      .then((looked) => ({ looked, paths: script.requests.map(({ url }) => url.split('/v1')[1]) }));
  };
  it.each<[string, Partial<CreateAsked>, object | undefined, object]>([
    ['finds nothing', {}, undefined, { kind: 'absent' }],
    ['finds it', {}, {}, { kind: 'applied', value: { id: 't-1' } }],
    ['finds it funded', { fund: true }, { state: 'received' }, { kind: 'applied' }],
    ['finds it and not its money', { fund: true }, {}, { kind: 'absent', begun: false }],
    ['finds ours and not its money', { fund: true, madeId: true }, {}, { kind: 'absent', begun: true }],
    ['finds it dead', { fund: true }, { state: 'canceled' }, { kind: 'never' }],
    ['finds another', {}, { input_currency: 'USD' }, { kind: 'conflict', differences: ['input_currency'] }],
    ['finds ours, edited since', { madeId: true }, { recipients: edited }, { kind: 'applied' }],
    [
      'finds ours, with other money',
      { madeId: true },
      { input_currency: 'USD' },
      { kind: 'conflict', madeFor: { external_id: 'T-1' } },
    ],
    [
      'finds it edited',
      {},
      { recipients: edited },
      { kind: 'conflict', why: expect.stringContaining('other details') },
    ],
  ])('%s', async (_, over, record, expected) => {
    const { looked, paths } = await look(over, json(200, { object: record ? [found(record)] : [] }));
    expect(looked).toMatchObject(expected);
    if (looked.kind === 'conflict' && !('why' in expected)) expect(looked.why).toBeUndefined();
    expect(paths).toEqual([expect.stringMatching(/^\/transactions\?.*external_id=T-1/)]);
  });

  it('reads whole what the list shows in part', async () => {
    const part = json(200, { object: [found({ recipients: null })] });
    const { looked, paths } = await look({}, part, json(200, { object: found({ input_currency: 'USD' }) }));
    expect(looked).toMatchObject({ kind: 'conflict', differences: ['input_currency'] });
    expect(paths[1]).toBe('/transactions/t-1');
  });
});

describe('a success that reads otherwise', () => {
  it.each<[string, object, Partial<CreateAsked>, string | undefined]>([
    ['as asked', {}, {}, undefined],
    ['in another currency', { input_currency: 'USD' }, {}, 't-1'],
    ['with its currency in lower case', { input_currency: 'eur' }, {}, undefined],
    ['in another currency, without an id', { input_currency: 'USD', id: null }, {}, undefined],
    ['without an external id', { external_id: null }, {}, undefined],
    ['without an external id, rounded', { external_id: null, recipients: rounded }, {}, 't-1'],
    ['with another payee', { recipients: edited }, {}, 't-1'],
    ['of another sender', { sender: { id: 's-2' } }, {}, undefined],
    ['with another external id', { external_id: 'T-2' }, {}, undefined],
    ['without recipients', { recipients: null }, { fund: true }, undefined],
    ['without recipients and an external id', { recipients: null, external_id: null }, {}, 't-1'],
    ['in its money alone', {}, { fund: true }, undefined],
  ])('%s names %s', (_, over, write, id) => {
    expect(judgeAnswer(asked(write), found(over) as never).id).toBe(id);
  });

  it.each<[string, Partial<CreateAsked>, object | undefined, string | undefined, object]>([
    ['finds it', {}, {}, 't-1', { kind: 'applied', value: { id: 't-1' } }],
    ['finds it, written otherwise', {}, { input_currency: 'eur' }, 't-1', { kind: 'applied' }],
    ['finds it, and not its money', { fund: true }, {}, 't-1', { kind: 'absent', begun: true }],
    [
      'finds other money',
      {},
      { input_currency: 'USD' },
      't-1',
      { kind: 'conflict', madeFor: { input_currency: 'EUR' } },
    ],
    [
      'finds another payee, paid',
      { fund: true },
      { state: 'received', recipients: edited },
      't-1',
      { kind: 'conflict', madeFor: {} },
    ],
    [
      'finds another payee, not paid yet',
      { fund: true },
      { recipients: edited },
      't-1',
      { kind: 'conflict', why: /reads otherwise/ },
    ],
    [
      'finds another payee, dead',
      { fund: true },
      { state: 'canceled', recipients: edited },
      't-1',
      { kind: 'never' },
    ],
    ['finds it dead', { fund: true }, { state: 'canceled' }, 't-1', { kind: 'never' }],
    [
      'and of which nobody knew, finds it written otherwise',
      {},
      { input_currency: 'eur' },
      undefined,
      { kind: 'applied' },
    ],
    [
      'and of which nobody knew, finds it without a payee',
      {},
      {
        recipients: [
          { ...recipients[0], payout_method: { type: 'NGN::Bank', details: { bank_account: '••••6789' } } },
        ],
      },
      undefined,
      { kind: 'conflict', why: expect.stringContaining('to compare') },
    ],
  ])('%s', async (_, write, record, answeredId, expected) => {
    const list = json(200, { object: [found(record)] });
    const { client } = clientFor(answeredId ? [json(200, { object: found(record) }), list] : [list]);
    const plan = planCreate(client, asked(write), answeredId);
    expect(plan.answeredId?.()).toBe(answeredId);
    const looked = await plan.look();
    const { why } = expected as { why?: RegExp };
    expect(looked).toMatchObject(
      why instanceof RegExp ? { ...expected, why: expect.stringMatching(why) } : expected,
    );
    if (looked.kind === 'conflict' && why === undefined) expect(looked.why).toBeUndefined();
  });

  it.each<[string, Answers, object]>([
    ['of no record', [json(404, { error: 'x' }), json(200, { object: [found()] })], { kind: 'applied' }],
    ['of no record, and nothing else', [json(404, {}), json(200, { object: [] })], { kind: 'absent' }],
    [
      'of a record of another',
      [json(200, { object: found({ external_id: 'T-2' }) }), json(200, { object: [] })],
      { kind: 'absent' },
    ],
    [
      'of a record without an external id',
      [json(200, { object: found({ external_id: null }) }), json(200, { object: [] })],
      { kind: 'absent' },
    ],
  ])('with the id %s is looked for by its external id', async (_, answers, expected) => {
    const { client, requests } = clientFor(answers);
    expect(await planCreate(client, asked(), 't-1').look()).toMatchObject(expected);
    expect(requests[0]?.url).toMatch(/transactions\/t-1$/);
  });

  it('is known from the answer on', async () => {
    const { client } = clientFor([json(201, { object: found({ input_currency: 'USD' }) })]);
    const plan = planCreate(client, asked());
    expect(plan.answeredId?.()).toBeUndefined();
    expect(await plan.send(false)).toMatchObject({ kind: 'unknown' });
    expect(plan.answeredId?.()).toBe('t-1');
  });
});

describe('a duplicate', () => {
  const send = (over: Partial<CreateAsked>, again: boolean, transaction: unknown) => {
    const { client } = clientFor([json(422, { object: {}, meta: { existing: { transaction } } })]);
    return planCreate(client, asked(over)).send(again);
  };
  it.each<[string, Partial<CreateAsked>, boolean, unknown, object]>([
    ['of ours', {}, false, found(), { kind: 'existing', value: { id: 't-1' } }],
    ['that shows no recipients', {}, false, found({ recipients: null }), { kind: 'unknown' }],
    ['that is no record', {}, false, { id: 7, recipients: 'none' }, { kind: 'unknown' }],
    ['without an id', {}, false, found({ id: null }), { kind: 'unknown' }],
    [
      'of another',
      {},
      false,
      found({ input_currency: 'USD' }),
      { kind: 'conflict', differences: ['input_currency'] },
    ],
    [
      'that is not funded',
      { fund: true },
      false,
      found(),
      { kind: 'conflict', differences: ['state: it exists and is not funded'] },
    ],
    ['that is not funded, the second time', { fund: true }, true, found(), { kind: 'unknown' }],
    [
      'of an id of ours that is not funded',
      { fund: true, madeId: true },
      false,
      found(),
      { kind: 'unknown' },
    ],
  ])('%s', async (_, over, again, record, sent) => {
    expect(await send(over, again, record)).toMatchObject(sent);
  });
});

it('a payment without an id is not planned', () => {
  const { client } = clientFor([json(200, {})]);
  const nameless = asked();
  nameless.transaction = { ...nameless.transaction, external_id: '' };
  expect(() => planCreate(client, nameless)).toThrow(InvariantError);
});

describe('a look for what concerns a recipient', () => {
  const answer = (recipient: object | null) =>
    clientFor([
      json(200, { object: { id: 't', recipients: recipient && [{ id: 'q', state: 'success' }, recipient] } }),
    ]).client;
  const details = (bank_account: string) => ({ payout_method: { details: { bank_account } } });
  const edit = { recipientId: 'r', transactionId: 't', recipient: details('2') as never };

  it.each<[object | null, object | undefined, object]>([
    [null, undefined, { kind: 'absent' }],
    [{ id: 'other' }, undefined, { kind: 'absent' }],
    [{ id: 'r', ...details('2') }, undefined, { kind: 'applied' }],
    [{ id: 'r', ...details('1'), state: 'error' }, { bank_account: '1' }, { kind: 'absent' }],
    [
      { id: 'r', ...details('3') },
      { bank_account: '1' },
      { kind: 'conflict', differences: ['bank_account'] },
    ],
    [
      { id: 'r', ...details('3'), state: 'success' },
      undefined,
      { kind: 'never', why: expect.stringContaining('success') },
    ],
    [{ id: 'r', ...details('1'), state: 'canceled' }, { bank_account: '1' }, { kind: 'never' }],
    [{ id: 'r', state: 'error' }, { bank_account: '1' }, { kind: 'conflict' }],
  ])('an edit that finds %j, before which stood %j', async (recipient, before, looked) => {
    const plan = editPlan(answer(recipient), { ...edit, ...(before ? { before: before as never } : {}) });
    expect(await plan.look()).toMatchObject(looked);
  });

  it.each([
    ['as asked', details('2'), 'applied'],
    ['with the old account', details('1'), 'unknown'],
  ])('an edit that is answered %s is sent to its recipient', async (_, answered, kind) => {
    const { client, requests } = clientFor([json(200, { object: { id: 'r', ...answered } })]);
    const sent = await editPlan(client, edit).send(false);
    expect(sent.kind).toBe(kind);
    expect(requests[0]?.url).toMatch(/\/recipients\/r$/);
    expect(JSON.parse(String(requests[0]?.body))).toEqual({ recipient: details('2') });
  });

  it('a cancel is sent to its recipient', async () => {
    const { client, requests } = clientFor([json(200, { object: { id: 'r', state: 'canceled' } })]);
    await cancelPlan(client, { recipientId: 'r', transactionId: 't' }).send(false);
    expect(requests[0]?.url).toMatch(/\/recipients\/r$/);
  });

  it.each<[object | null, string]>([
    [null, 'absent'],
    [{ id: 'r', state: 'canceled' }, 'applied'],
    [{ id: 'r', state: 'success' }, 'never'],
    [{ id: 'r', state: 'pending' }, 'absent'],
  ])('a cancel that finds %j is %s', async (recipient, kind) => {
    const plan = cancelPlan(answer(recipient), { recipientId: 'r', transactionId: 't' });
    expect((await plan.look()).kind).toBe(kind);
  });
});

it.each<[Asked, RegExp, string, string]>([
  [{ plan: 'create', ...asked() }, /^POST .*transactions$/, 'T-1', 'external_id'],
  [{ plan: 'debit', debit: { to_id: 'AB', to_type: 'Transaction' } } as Asked, /^POST .*debits$/, 'ab', 'id'],
  [{ plan: 'edit', recipientId: 'R', transactionId: 't', recipient: {} }, /recipient/, 'r', 'id'],
  [{ plan: 'cancel', recipientId: 'R', transactionId: 't' }, /^DELETE .*recipient/, 'r', 'id'],
  [{ plan: 'payout_method_edit', payoutMethodId: 'M' } as never, /payout_method/, 'm', 'id'],
  [{ plan: 'payin_method_edit', payinMethodId: 'P' } as never, /payin_method/, 'p', 'id'],
  [{ plan: 'payin_method_retry', payinMethodId: 'P' } as never, /payin_method.*retry/, 'p', 'id'],
  [{ plan: 'payin_method_cancel', payinMethodId: 'P' } as never, /^DELETE .*payin_method/, 'p', 'id'],
])('%j is applied with its own record alone', (one, operation, id, member) => {
  const { method, path } = operationOf(one);
  expect(`${method} ${path}`).toMatch(operation);
  expect(isPlanned(JSON.stringify(one))).toBe(true);
  expect(() => mustBeAskedFor(one, { [member]: id })).not.toThrow();
  expect(() => mustBeAskedFor(one, { [member]: 'another' })).toThrow(InvariantError);
  expect(() => mustBeAskedFor(one, null)).toThrow(InvariantError);
});

it('money is asked for in the same call where it is to be funded', () => {
  expect(operationOf({ plan: 'create', ...asked({ fund: true }) }).id).not.toBe(
    operationOf({ plan: 'create', ...asked() }).id,
  );
  const { client } = clientFor([json(200, {})]);
  expect(writePlanOf(client, { plan: 'create', ...asked() }).body).toEqual({
    transaction: asked().transaction,
  });
});

it.each(['{}', '{"plan":"raw"}', '{"plan":5}', '{"plan":"toString"}'])('%s is no plan', (request) => {
  expect(isPlanned(request)).toBe(false);
});
