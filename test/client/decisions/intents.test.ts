/** What the journal says of each outcome, what it is told beforehand, and who is taken for the same payer. */
import { describe, expect, it } from 'vitest';
import { closingOf } from '../../../src/client/closing.ts';
import { ApiError, NotReadyError, RequestError } from '../../../src/client/errors.ts';
import { requestDigest } from '../../../src/client/identity.ts';
import { newIntentOf, record, underIntent } from '../../../src/client/intents.ts';
import type { Outcome } from '../../../src/client/outcome.ts';
import { settleIntent } from '../../../src/client/settle-intent.ts';
import { intentsInMemory } from '../../../src/client/store/memory-intents.ts';
import type { Intent, Intents } from '../../../src/client/store/port.ts';
import type { Asked } from '../../../src/client/writes.ts';
import { accountWith, knownKey } from '../../../src/contract/account-key.ts';
import type { KeyJoin } from '../../../src/core/account.ts';
import { InvariantError } from '../../../src/core/invariants.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { clientFor, json, lost } from '../../support/scripted.ts';
import { standingClock } from '../../support/stores.ts';

const about = {
  command: 'tx create',
  profile: 'p',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010/v1',
  keyLast4: '51ab',
  summary: 's',
};
const meeting = {
  lastTold: Number.MAX_SAFE_INTEGER,
  now: () => Number.MAX_SAFE_INTEGER,
  isRunning: () => false,
  pause: async () => {},
};
const journal = () => intentsInMemory({ clock: standingClock(), random: seededRandom(1) });
const create = (sender: object, over: object = {}): Asked => ({
  plan: 'create',
  fund: false,
  transaction: {
    input_currency: 'EUR',
    external_id: 'T-1',
    sender: sender as never,
    recipients: [
      { requested_amount: '1', requested_currency: 'NGN', payout_method: { type: 'NGN::Bank', details: {} } },
    ],
  },
  ...over,
});
const cancel: Asked = { plan: 'cancel', recipientId: 'r', transactionId: 't' };

const refusal = new ApiError(
  422,
  { operation: 'POST /x', nonce: 'n', effect: 'money' },
  { fields: [], meta: {}, existing: {}, resource: undefined, isOwn: true },
);
it.each<[Outcome<{ id?: string | null }>, object]>([
  [
    { kind: 'applied', how: 'found', value: { id: 'a' } },
    { state: 'applied', resultId: 'a', note: 'found' },
  ],
  [
    { kind: 'applied', how: 'answered', value: { id: null } },
    { state: 'applied', resultId: undefined, note: 'answered' },
  ],
  [
    { kind: 'conflict', value: 1, differences: ['a', 'b'] },
    { state: 'conflict', resultId: undefined, note: 'differs in a, b' },
  ],
  [
    { kind: 'conflict', value: 1, differences: ['a'], why: 'w' },
    { state: 'conflict', resultId: undefined, note: 'w' },
  ],
  [
    { kind: 'conflict', value: 1, differences: ['a'], undoneBy: 'i-7' },
    { state: 'conflict', resultId: undefined, note: 'undone by i-7, which arrived after it' },
  ],
  [
    { kind: 'not_applied', error: refusal },
    { state: 'not_applied', resultId: undefined, note: 'POST /x answered 422' },
  ],
  [
    { kind: 'not_applied', error: refusal, value: { id: 'a' }, why: 'it is over' },
    { state: 'not_applied', resultId: undefined, note: 'it is over' },
  ],
  [
    { kind: 'unknown', error: undefined },
    { state: 'unknown', resultId: undefined, note: 'not found by looking' },
  ],
])('the outcome %j is closed as %j', (outcome, closing) => expect(closingOf(outcome)).toStrictEqual(closing));

describe('the intent of a request', () => {
  it('names who pays, what is asked, and whether its id was made for it', () => {
    const asked = create({ id: 'S' });
    const intent = newIntentOf(about, asked, 'x');
    expect(intent).toMatchObject({ ...about, operation: 'x', payer: 'id:s', madeId: false });
    expect(JSON.parse(intent.request)).toEqual(asked);
    expect(newIntentOf(about, create({ id: 'S' }, { madeId: true }), 'x').madeId).toBe(true);
    expect(newIntentOf(about, cancel, 'x').madeId).toBe(false);
    expect(newIntentOf(about, create({ id: 'S' }, { fund: true }), 'y').digest).toBe(intent.digest);
  });

  it('is none for a read', () => {
    const raw = (method: string) => newIntentOf(about, { plan: 'raw', method, path: '/x' }, 'x');
    expect(() => raw('GET')).toThrow(InvariantError);
    expect(() => raw('POST')).not.toThrow();
  });
});

/** Writes an intent that is closed as applied, and whose outcome nobody was told. */
async function standing(intents: ReturnType<typeof journal>, asked: Asked, over: object = {}) {
  const begun = await intents.open(newIntentOf({ ...about, ...over }, asked, 'x'));
  if (!('opened' in begun)) throw new Error('nothing stands in its way');
  await intents.close(begun.opened.id, { state: 'applied', note: '' });
  return begun.opened;
}
const work = {
  carry: async () => 1,
  closing: () => ({ state: 'applied', note: 'done' }) as const,
  broken: () => undefined,
};

it('an intent of which nobody can say whether it stands: nothing is sent, and who asks hears of it', async () => {
  const intents = journal();
  const error = new Error('the answer to COMMIT was lost');
  const unsure = {
    ...newIntentOf(about, cancel, 'x'),
    id: 'i-1',
    state: 'open' as const,
    createdAt: 1,
    updatedAt: 1,
  };
  const { client, requests } = clientFor([json(200, { object: [] })]);
  let opens = 0;
  const given: Intents = {
    ...intents,
    // First it is only asked about what stands.
    open: async (intent, judge) => (++opens === 1 ? intents.open(intent, judge) : { unsure, error }),
  };
  const recorded = await record(client, { intents: given, about, asked: cancel, meeting });
  expect(recorded).toEqual({ kind: 'unsure', intent: unsure, error });
  expect(requests).toEqual([]);
});

describe('two names of a sender', () => {
  const sender = (over: object) => json(200, { object: { id: 'S', external_id: 'E', ...over } });
  it.each<[object, object, ReturnType<typeof json>, string]>([
    [{ external_id: 'E' }, { id: 's' }, sender({}), 'refused'],
    [{ external_id: 'F' }, { id: 's' }, sender({}), 'done'],
    [{ external_id: 'F' }, { id: 's' }, sender({ external_id: null }), 'done'],
    [{ external_id: 'E' }, { id: 's' }, json(404, {}), 'done'],
    [{ id: 's' }, { external_id: 'E' }, json(200, { object: [{ id: 'S', external_id: 'E' }] }), 'refused'],
    [{ id: 'x' }, { external_id: 'E' }, json(200, { object: [{ id: 'S', external_id: 'E' }] }), 'done'],
    [{ id: 's' }, { external_id: 'E' }, json(200, { object: [] }), 'done'],
  ])('%j stands, and %j is wanted', async (before, wanted, answer, kind) => {
    const intents = journal();
    await standing(intents, create(before));
    const { client, requests } = clientFor([answer]);
    const beginning = { intents, about, asked: create(wanted), operation: 'x', meeting };
    expect((await underIntent(client, beginning, work)).kind).toBe(kind);
    expect(requests).toHaveLength(1);
  });

  it('that cannot be asked about stop the payment', async () => {
    const intents = journal();
    await standing(intents, create({ external_id: 'E' }));
    const { client } = clientFor([json(403, {})]);
    const beginning = { intents, about, asked: create({ id: 's' }), operation: 'x', meeting };
    await expect(underIntent(client, beginning, work)).rejects.toMatchObject({ status: 403 });
    expect(await intents.list()).toHaveLength(1);
  });
});

describe('what stands in the way', () => {
  const run = (intents: ReturnType<typeof journal>, over: object = {}, asked = create({ id: 's' })) =>
    underIntent(
      clientFor([json(200, {})]).client,
      { intents, about, asked, operation: 'x', meeting: { ...meeting, ...over } },
      work,
    );

  it('is passed by who wants another payment, or says that it is no hindrance', async () => {
    const intents = journal();
    await standing(intents, create({ id: 's' }));
    expect(await run(intents)).toMatchObject({ kind: 'refused', earlier: { kind: 'repeated' } });
    expect((await run(intents, { isPassed: () => true })).kind).toBe('done');
    expect((await run(intents, { newPayment: true })).kind).toBe('done');
  });

  it('is waited for while it is under way, and told who waits that it is written', async () => {
    const intents = journal();
    const begun = await intents.open(newIntentOf(about, create({ id: 's' }), 'x'));
    if (!('opened' in begun)) throw new Error('nothing stands in its way');
    let pauses = 0;
    const pause = async () => {
      if (++pauses === 3) await intents.close(begun.opened.id, { state: 'not_applied', note: '' });
    };
    const opened: string[] = [];
    const done = await run(intents, {
      isRunning: () => true,
      pause,
      opened: ({ id }: { id: string }) => opened.push(id),
    });
    expect([done.kind, pauses]).toEqual(['done', 3]);
    expect(opened).toEqual([done.kind === 'done' ? done.intent.id : '']);
  });

  it('that is no matter of waiting is not waited for', async () => {
    const intents = journal();
    await standing(intents, create({ id: 's' }));
    const pause = () => Promise.reject(new Error('waited'));
    expect(await run(intents, { pause })).toMatchObject({ kind: 'refused', earlier: { kind: 'repeated' } });
  });

  it('stands in front of a check, which is asked for once, with a key that is accepted too', async () => {
    const intents = journal();
    let checks = 0;
    const check = async () => void checks++;
    expect((await run(intents, { check })).kind).toBe('done');
    expect(await run(intents, { check })).toMatchObject({ kind: 'refused' });
    expect(checks).toBe(1);
    const { client } = clientFor([json(200, { object: [] })]);
    await client.ready();
    const done = await underIntent(
      client,
      {
        intents: journal(),
        about,
        asked: create({ id: 's' }),
        operation: 'x',
        meeting: { ...meeting, check },
      },
      work,
    );
    expect([done.kind, client.isReady(), checks]).toEqual(['done', true, 2]);
  });

  it('that came after the check is waited for, and the check is not made again', async () => {
    const intents = journal();
    let [opens, checks] = [0, 0];
    const other: Intent = {
      ...{ ...newIntentOf(about, create({ id: 's' }), 'x'), id: 'i-other', state: 'open' },
      ...{ createdAt: 1, updatedAt: 1 },
    };
    const late: Intents = {
      ...intents,
      // The first only asks what stands; before the second somebody else was quicker.
      open: async (intent, judge) =>
        ++opens === 2 ? { refused: judge?.([other]) } : intents.open(intent, judge),
    } as Intents;
    const meets = { check: async () => void checks++, isRunning: () => true };
    expect([(await run(late as ReturnType<typeof journal>, meets)).kind, opens, checks]).toEqual([
      'done',
      3,
      1,
    ]);
  });

  it('is left as it is where a failure proves nothing, and closed where it does', async () => {
    for (const proven of [undefined, { state: 'not_applied', note: 'n' } as const]) {
      const intents = journal();
      const closed: unknown[] = [];
      const heard = {
        ...intents,
        close: (id: string, closing: object) => {
          closed.push(closing);
          return intents.close(id, closing as never);
        },
      } as typeof intents;
      const failed = underIntent(
        clientFor([json(200, {})]).client,
        { intents: heard, about, asked: create({ id: 's' }), operation: 'x', meeting },
        { ...work, carry: () => Promise.reject(new Error('broken')), broken: () => proven },
      );
      await expect(failed).rejects.toThrow('broken');
      expect(closed).toEqual(proven === undefined ? [] : [proven]);
    }
  });

  it('is waited for no longer than the slowest answer', async () => {
    const intents = journal();
    await intents.open(newIntentOf(about, create({ id: 's' }), 'x'));
    let pauses = 0;
    const waiting = { isRunning: () => true, pause: async () => void pauses++ };
    expect(await run(intents, waiting)).toMatchObject({ kind: 'refused', earlier: { kind: 'under_way' } });
    expect(pauses).toBe(1_500);
  });

  it('is known again though an earlier version gave it another digest', async () => {
    const intents = journal();
    await intents.open({ ...newIntentOf(about, create({ id: 's' }), 'x'), digest: 'of an earlier version' });
    await intents.open({ ...newIntentOf(about, cancel, 'x'), digest: 'unreadable', request: '{' });
    expect(await run(intents)).toMatchObject({ kind: 'refused', earlier: { kind: 'unsettled' } });
  });
});

it('a failure leaves the intent open, unless it proves something', async () => {
  const defect = new Error('a defect');
  for (const [proven, state] of [
    [undefined, 'open'],
    [{ state: 'not_applied', note: 'n' }, 'not_applied'],
  ] as const) {
    const intents = journal();
    const beginning = { intents, about, asked: cancel, operation: 'x', meeting };
    const failing = { ...work, carry: () => Promise.reject(defect), broken: () => proven };
    await expect(underIntent(clientFor([json(200, {})]).client, beginning, failing)).rejects.toBe(defect);
    expect((await intents.list()).map((one) => one.state)).toEqual([state]);
  }
});

it('a write is closed with its record, and its request is not kept', async () => {
  const intents = journal();
  const { client } = clientFor([json(200, { object: { id: 'r', state: 'canceled' } })]);
  const done = await record(client, { intents, about, asked: cancel, meeting });
  expect(done).toMatchObject({
    kind: 'carried_out',
    outcome: { kind: 'applied', how: 'answered' },
    intent: { state: 'applied', resultId: 'r', note: 'answered' },
  });
  expect(done.kind === 'carried_out' && done.intent.request).toBeUndefined();
});

it('an intent of an earlier run is looked for, or sent again', async () => {
  for (const mode of ['look', 'send'] as const) {
    const intents = journal();
    const begun = await intents.open(newIntentOf(about, cancel, 'x'));
    if (!('opened' in begun)) throw new Error('nothing stands in its way');
    const pending = json(200, { object: { id: 't', recipients: [{ id: 'r', state: 'pending' }] } });
    const { client, requests } = clientFor([pending, json(200, { object: { id: 'r', state: 'canceled' } })]);
    const settled = await settleIntent(client, intents, {
      intent: { ...begun.opened, request: JSON.stringify(cancel) },
      account: about,
      mode,
    });
    expect(settled.kind).toBe(mode === 'look' ? 'unknown' : 'applied');
    expect(settled.intent.state).toBe(mode === 'look' ? 'unknown' : 'applied');
    expect(requests).toHaveLength(mode === 'look' ? 1 : 2);
  }
});

describe('a recorded write', () => {
  const sandboxed = (
    intents: ReturnType<typeof journal>,
    answers: Parameters<typeof clientFor>[0],
    over = {},
  ) => {
    const { client, requests } = clientFor(answers);
    return { requests, done: record(client, { intents, about, asked: cancel, meeting, ...over }) };
  };
  const pending = json(200, { object: { id: 't', recipients: [{ id: 'r', state: 'pending' }] } });

  it('that does not fit the contract was not sent, and its intent says so', async () => {
    const intents = journal();
    const unfit = create({ id: 's' }, {});
    (unfit as { transaction: { input_currency: string } }).transaction.input_currency = 5 as never;
    const { requests, done } = sandboxed(intents, [json(200, {})], { asked: unfit });
    await expect(done).rejects.toThrow();
    expect(requests).toEqual([]);
    expect(await intents.list()).toMatchObject([{ state: 'not_applied', note: 'it was not sent' }]);
  });

  it('that does not fit the contract once it was begun leaves its intent open', async () => {
    const intents = journal();
    const unfit = new RequestError('GET /x', []);
    const { client } = clientFor([lost]);
    let calls = 0;
    const call: typeof client.call = (...given) =>
      ++calls === 1 ? client.call(...given) : Promise.reject(unfit);
    await expect(record({ ...client, call }, { intents, about, asked: cancel, meeting })).rejects.toBe(unfit);
    expect([calls, await intents.list()]).toMatchObject([2, [{ state: 'open' }]]);
  });

  it('that broke after it was begun leaves its intent open', async () => {
    const intents = journal();
    const defect = new Error('a defect');
    const { client } = clientFor([]);
    const broken = { ...client, call: () => Promise.reject(defect) } as typeof client;
    await expect(record(broken, { intents, about, asked: cancel, meeting })).rejects.toBe(defect);
    expect(await intents.list()).toMatchObject([{ state: 'open' }]);
  });

  it.each([true, false, undefined])('is sent again after a look, unless once: %j', async (once) => {
    const intents = journal();
    const applied = json(200, { object: { id: 'r', state: 'canceled' } });
    const { requests, done } = sandboxed(intents, [lost, pending, once ? pending : applied], { once });
    expect(await done).toMatchObject({ outcome: { kind: once ? 'unknown' : 'applied' } });
    expect(requests.filter(({ method }) => method !== 'GET')).toHaveLength(once ? 1 : 2);
  });

  it('of another record is never said to be applied', async () => {
    for (const answer of [
      json(200, { object: { id: 'other', state: 'canceled' } }),
      json(200, { object: { state: 'canceled' } }),
    ]) {
      const { done } = sandboxed(journal(), [answer, pending]);
      const said = await done.then(
        (one) => (one.kind === 'carried_out' ? one.outcome.kind : one.kind),
        () => 'refused',
      );
      expect(said).not.toBe('applied');
    }
  });

  it('that stands in the way of itself is refused', async () => {
    const intents = journal();
    await intents.open(newIntentOf(about, cancel, 'x'));
    const { requests, done } = sandboxed(intents, [pending]);
    expect(await done).toMatchObject({ kind: 'refused', earlier: { kind: 'unsettled' } });
    expect(requests).toEqual([]);
  });

  it('whose outcome cannot be written down says what happened all the same', async () => {
    const intents = journal();
    const full = new Error('the disk is full');
    const broken = { ...intents, close: () => Promise.reject(full) };
    const { done } = sandboxed(broken, [json(200, { object: { id: 'r', state: 'canceled' } })]);
    expect(await done).toMatchObject({
      outcome: { kind: 'applied' },
      intent: { state: 'open' },
      unrecorded: full,
    });
    const [open] = await intents.list();
    const settled = await settleIntent(clientFor([pending]).client, broken, {
      intent: { ...(open as Intent), request: JSON.stringify(cancel) },
      account: about,
      mode: 'look',
    });
    expect(settled).toMatchObject({ kind: 'unknown', unrecorded: full });
  });

  it('whose journal keeps it open beside its outcome is a defect that is told', async () => {
    const intents = journal();
    const forgetful = { ...intents, close: async () => ({ state: 'open' }) as never };
    const { done } = sandboxed(forgetful, [json(200, { object: { id: 'r', state: 'canceled' } })]);
    expect(await done).toMatchObject({ unrecorded: expect.any(InvariantError) });
  });
});

describe('the first write of a client that has read nothing', () => {
  const events = json(200, { object: [] });
  const beginning = (intents: ReturnType<typeof journal>, over = {}) => ({
    ...{ intents, about, asked: create({ id: 's' }), operation: 'x' },
    meeting: { ...meeting, ...over },
  });

  it('is refused by an earlier one before anybody is asked', async () => {
    const intents = journal();
    await intents.open(newIntentOf(about, create({ id: 's' }), 'x'));
    const { client, requests } = clientFor([lost], { fresh: true });
    const begun = await underIntent(client, beginning(intents), work);
    expect(begun).toMatchObject({ kind: 'refused', earlier: { kind: 'unsettled' } });
    expect(requests).toEqual([]);
    expect(await intents.list()).toHaveLength(1);
  });

  it('reads before its intent is written, and writes none where that fails', async () => {
    const intents = journal();
    const { client } = clientFor([json(401, {})], { fresh: true });
    await expect(underIntent(client, beginning(intents), work)).rejects.toBeInstanceOf(NotReadyError);
    expect(await intents.list()).toEqual([]);
    const ready = clientFor([events], { fresh: true });
    let asked = 0;
    const open = intents.open.bind(intents);
    intents.open = (...given) => {
      asked += 1;
      return open(...given);
    };
    expect((await underIntent(ready.client, beginning(intents), work)).kind).toBe('done');
    expect([ready.requests.length, asked]).toEqual([1, 2]);
    // Nobody is asked a second time, neither the service nor the journal.
    expect((await underIntent(ready.client, beginning(intents, { newPayment: true }), work)).kind).toBe(
      'done',
    );
    expect([ready.requests.length, asked]).toEqual([1, 3]);
  });

  it('that is wanted beside an earlier one reads too', async () => {
    const intents = journal();
    await intents.open(newIntentOf(about, create({ id: 's' }), 'x'));
    const { client, requests } = clientFor([events], { fresh: true });
    expect((await underIntent(client, beginning(intents, { newPayment: true }), work)).kind).toBe('done');
    expect(requests).toHaveLength(1);
  });
});

it('an edit that was undone by an older one is a conflict, in the journal too', async () => {
  const intents = journal();
  const edit = (account: string): Asked => ({
    plan: 'edit',
    recipientId: 'r',
    transactionId: 't',
    recipient: { payout_method: { type: 'NGN::Bank', details: { bank_account: account } } },
  });
  const ours = { ...about, subject: 'r' };
  const begun = await intents.open(newIntentOf(ours, edit('A'), 'x'));
  const recipient = (account: string) => ({ id: 'r', payout_method: { details: { bank_account: account } } });
  const { client } = clientFor([
    json(200, { object: recipient('B') }),
    json(200, { object: { id: 't', recipients: [recipient('A')] } }),
  ]);
  const done = await record(client, { intents, about: ours, asked: edit('B'), meeting });
  const older = 'opened' in begun ? begun.opened.id : '';
  expect(done).toMatchObject({
    kind: 'carried_out',
    outcome: { kind: 'conflict', undoneBy: older },
    intent: { state: 'conflict', note: `undone by ${older}, which arrived after it` },
  });
  const other = clientFor([json(200, { object: recipient('B') })]);
  const plain = await record(other.client, { intents: journal(), about: ours, asked: edit('B'), meeting });
  expect(plain).toMatchObject({ outcome: { kind: 'applied' } });
  expect(other.requests).toHaveLength(1);
  const refusing = clientFor([json(422, { object: { errors: { base: ['no'] } } }), lost]);
  const refused = await record(refusing.client, {
    intents: journal(),
    about: ours,
    asked: edit('B'),
    meeting,
  });
  expect(refused).toMatchObject({ outcome: { kind: 'unknown' } });
});

describe('an intent beside a later one', () => {
  const edit = (account: string): Asked => ({
    plan: 'edit',
    recipientId: 'r',
    transactionId: 't',
    recipient: { payout_method: { details: { bank_account: account } } },
  });
  const t = '00000000-0000-4000-8000-00000000000a';
  const debit = { plan: 'debit', debit: { to_id: t, to_type: 'Transaction', amount: '1' } } as Asked;
  const half = {
    ...debit,
    payment: requestDigest(about, create({ id: 's' }, { madeId: true })),
  } as Asked;
  const shows = json(200, {
    object: {
      ...{ id: 't', external_id: 'other', state: 'approved', paid_amount: '0', input_amount: '1' },
      recipients: [{ id: 'r', state: 'pending', payout_method: { details: { bank_account: 'old' } } }],
    },
  });
  const unpaid = json(200, {
    object: { id: t, state: 'approved', paid_amount: '0', input_amount: '1', input_currency: 'EUR' },
  });
  const nothing = json(200, { object: [] });
  const looks = { create: nothing, debit: unpaid } as Partial<Record<Asked['plan'], typeof nothing>>;
  const made = { madeId: true };
  const ours = { subject: 'r' };
  type Over = Partial<ReturnType<typeof newIntentOf>>;
  it.each<[string, [Asked, Over], [Asked, Over], string, boolean]>([
    [
      'a payment made again',
      [create({ id: 's' }, made), {}],
      [create({ id: 's' }, made), {}],
      'unknown',
      false,
    ],
    [
      'one that was applied',
      [create({ id: 's' }, made), {}],
      [create({ id: 's' }, made), {}],
      'applied',
      false,
    ],
    ['one in conflict', [create({ id: 's' }, made), {}], [create({ id: 's' }, made), {}], 'conflict', false],
    [
      'one not applied',
      [create({ id: 's' }, made), {}],
      [create({ id: 's' }, made), {}],
      'not_applied',
      true,
    ],
    ['of somebody else', [create({ id: 's' }, made), {}], [create({ id: 'z' }, made), {}], 'applied', true],
    [
      'with another id',
      [create({ id: 's' }), { externalId: 'A' }],
      [create({ id: 's' }), { externalId: 'B' }],
      'applied',
      true,
    ],
    [
      'with the same id',
      [create({ id: 's' }), { externalId: 'A' }],
      [create({ id: 's' }), { externalId: 'A' }],
      'unknown',
      false,
    ],
    ['a later edit', [edit('B'), ours], [edit('C'), ours], 'applied', false],
    ['a later edit of another', [edit('B'), ours], [edit('C'), { subject: 'q' }], 'applied', true],
    ['a later edit not applied', [edit('B'), ours], [edit('C'), ours], 'not_applied', true],
    ['a cancel before an edit', [cancel, ours], [edit('C'), ours], 'unknown', false],
    ['an edit before a cancel', [edit('B'), ours], [cancel, ours], 'open', false],
    ['a debit', [debit, { subject: t }], [debit, { subject: t }], 'open', false],
    // The second half of a payment that was asked for again as a whole.
    ['a debit of a payment', [half, { subject: t }], [create({ id: 's' }, made), {}], 'applied', false],
    [
      'a debit of a payment, not applied',
      [half, { subject: t }],
      [create({ id: 's' }, made), {}],
      'not_applied',
      true,
    ],
    [
      'a debit of a payment, with another id',
      [half, { subject: t, externalId: 'A' }],
      [create({ id: 's' }), { externalId: 'B' }],
      'applied',
      true,
    ],
    ['a debit of no payment', [debit, { subject: t }], [create({ id: 's' }, made), {}], 'applied', true],
    ['no debit', [cancel, ours], [create({ id: 's' }, made), {}], 'applied', true],
  ])('%s', async (_, [first, over], [second, more], state, isSent) => {
    const clock = standingClock();
    const intents = intentsInMemory({ clock, random: seededRandom(1) });
    const open = async (asked: Asked, given: Over) => {
      const begun = await intents.open({ ...newIntentOf({ ...about, ...given }, asked, 'x'), ...given });
      if (!('opened' in begun)) throw new Error('nobody was asked');
      return begun.opened;
    };
    const older = await open(first, over);
    // A clock that is set back changes nothing.
    clock.advance(-3_600_000);
    const { id } = await open(second, more);
    if (state !== 'open') await intents.close(id, { state: state as 'applied', note: '' });
    const { client, requests } = clientFor([looks[first.plan] ?? shows, lost]);
    const kept = { ...older, request: JSON.stringify(first) };
    const settled = await settleIntent(client, intents, { intent: kept, account: about, mode: 'send' });
    expect(settled).toMatchObject(
      isSent ? { kind: 'unknown' } : { kind: 'unknown', why: expect.stringContaining(id) },
    );
    expect(requests.some(({ method }) => method !== 'GET')).toBe(isSent);
  });
});

it.each([true, false])('a row of a run that was stopped (%s) is only looked for', async (isStopped) => {
  const intents = { ...journal(), isStopped: async () => isStopped };
  const asked = create({ id: 's' });
  const begun = await intents.open(newIntentOf({ ...about, externalId: 'T-1' }, asked, 'x'));
  if (!('opened' in begun)) throw new Error('nobody was asked');
  const kept = { ...begun.opened, request: JSON.stringify(asked) };
  const { client, requests } = clientFor([json(200, { object: [] }), lost]);
  await settleIntent(client, intents, { intent: kept, account: about, mode: 'send' });
  expect(requests.some(({ method }) => method !== 'GET')).toBe(!isStopped);
});

describe('what is found of an intent beside a later one', () => {
  const found = { id: 'T', external_id: 'T-1', state: 'approved', input_currency: 'EUR', recipients: [{}] };
  const two = async () => {
    const intents = journal();
    const asked = create({ id: 's' }, { madeId: true });
    const begun = await intents.open(newIntentOf({ ...about, externalId: 'T-1' }, asked, 'x'));
    const later = await intents.open(newIntentOf({ ...about, externalId: 'T-2' }, asked, 'x'));
    if (!('opened' in begun) || !('opened' in later)) throw new Error('nobody was asked');
    return { intents, kept: { ...begun.opened, request: JSON.stringify(asked) }, later: later.opened };
  };

  it('is applied, and its id is told', async () => {
    const { intents, kept } = await two();
    const { client } = clientFor([json(200, { object: [found] })]);
    const settled = await settleIntent(client, intents, { intent: kept, account: about, mode: 'send' });
    expect(settled).toMatchObject({ kind: 'applied', how: 'found', value: { id: 'T' } });
    expect(settled).not.toHaveProperty('why');
  });

  it('is unknown, and the later one is named by what is known of it', async () => {
    const { intents, kept, later } = await two();
    const { client } = clientFor([json(200, { object: [] })]);
    expect(
      await settleIntent(client, intents, { intent: kept, account: about, mode: 'look' }),
    ).not.toHaveProperty('why');
    expect(await settleIntent(client, intents, { intent: kept, account: about, mode: 'send' })).toMatchObject(
      { value: { id: 'T-2' } },
    );
    await intents.close(later.id, { state: 'applied', note: '', resultId: 'of-the-service' });
    expect(await settleIntent(client, intents, { intent: kept, account: about, mode: 'send' })).toMatchObject(
      {
        value: { id: 'of-the-service' },
      },
    );
  });

  it('says in what it differs where it is neither as before nor as asked', async () => {
    const intents = journal();
    const edit: Asked = {
      plan: 'edit',
      recipientId: 'r',
      transactionId: 't',
      recipient: { payout_method: { type: 'NGN::Bank', details: { bank_account: 'B' } } },
      before: { bank_account: 'A' },
    };
    const begun = await intents.open(newIntentOf({ ...about, subject: 'r' }, edit, 'x'));
    await intents.open(newIntentOf({ ...about, subject: 'r' }, cancel, 'x'));
    if (!('opened' in begun)) throw new Error('nobody was asked');
    const recipients = [{ id: 'r', payout_method: { details: { bank_account: 'C' } } }];
    const { client } = clientFor([json(200, { object: { id: 't', recipients } })]);
    const kept = { ...begun.opened, request: JSON.stringify(edit) };
    expect(await settleIntent(client, intents, { intent: kept, account: about, mode: 'send' })).toMatchObject(
      {
        kind: 'unknown',
        why: expect.stringContaining('reads otherwise than before'),
      },
    );
  });
});

describe('what was told is asked about only where it would be paid a second time', () => {
  it.each<[string, Asked | { plan: 'raw'; method: string; path: string }, string]>([
    ['a payment', create({ id: 's' }, { madeId: true }), 'repeated'],
    [
      'a debit',
      { plan: 'debit', debit: { from: 'EUR', to: 'EUR', to_id: 't', amount: '1' } } as never,
      'done',
    ],
    ["a request of one's own", { plan: 'raw', method: 'POST', path: '/x' }, 'done'],
    ['a cancel', cancel, 'done'],
  ])('%s', async (_, asked, kind) => {
    for (const told of [true, false]) {
      const intents = journal();
      const id = (await standing(intents, asked as Asked)).id;
      if (told) await intents.told(id);
      const soon = { ...meeting, now: () => standingClock().now() + 1 };
      const beginning = { intents, about, asked, operation: 'x', meeting: soon };
      const begun = await underIntent(clientFor([json(200, {})]).client, beginning, work);
      const said = begun.kind === 'refused' ? begun.earlier.kind : begun.kind;
      expect([told, said]).toEqual([told, told ? kind : asked === cancel ? 'done' : 'untold']);
    }
  });
});

describe('digests of an earlier version', () => {
  const asked = create({ id: 's' });
  const beginning = (intents: ReturnType<typeof journal>) => ({
    intents,
    about,
    asked,
    operation: 'x',
    meeting,
  });

  it('are made anew again where the journal could not be read', async () => {
    const intents = journal();
    await intents.open({ ...newIntentOf(about, asked, 'x'), digest: 'of an earlier version' });
    let failures = 1;
    const list = intents.list.bind(intents);
    intents.list = async (...given) => {
      if (failures-- > 0) throw new Error('it is locked');
      return list(...given);
    };
    const { client } = clientFor([json(200, {})]);
    await expect(underIntent(client, beginning(intents), work)).rejects.toThrow('it is locked');
    expect((await underIntent(client, beginning(intents), work)).kind).toBe('refused');
  });

  it('are written once, of what is unsettled, and only where they differ', async () => {
    const intents = journal();
    const settled = await intents.open({ ...newIntentOf(about, cancel, 'x'), digest: 'settled long ago' });
    if ('opened' in settled) await intents.close(settled.opened.id, { state: 'applied', note: '' });
    await intents.open(newIntentOf({ ...about, keyLast4: 'same' }, asked, 'x'));
    const old = { ...newIntentOf({ ...about, keyLast4: 'zzzz' }, asked, 'x'), digest: 'old' };
    await intents.open(old);
    for (let more = 0; more < 120; more++)
      await intents.open(newIntentOf({ ...about, keyLast4: `k${more}` }, asked, 'x'));
    const written: string[] = [];
    const rekey = intents.rekey.bind(intents);
    intents.rekey = (id, digest) => {
      written.push(digest);
      return rekey(id, digest);
    };
    const { client } = clientFor([json(200, {})]);
    await underIntent(client, beginning(intents), work);
    await underIntent(client, beginning(intents), work);
    expect(written).toEqual([newIntentOf({ ...about, keyLast4: 'zzzz' }, asked, 'x').digest]);
  });
});

it('a request that nobody can read any more keeps its digest', async () => {
  const intents = journal();
  const asked = create({ id: 's' });
  await intents.open({ ...newIntentOf(about, asked, 'x'), digest: 'as it was', request: '{' });
  const written: string[] = [];
  intents.rekey = async (_, digest) => void written.push(digest);
  const { client } = clientFor([json(200, {})]);
  await underIntent(client, { intents, about, asked, operation: 'x', meeting }, work);
  expect(written).toEqual([]);
  expect((await intents.list()).map(({ digest }) => digest)).toContain('as it was');
});

it('a sender that nobody has is no name of another one', async () => {
  const intents = journal();
  await standing(intents, create({ external_id: 'other' }));
  const { client, requests } = clientFor([json(200, { object: [] })]);
  const given = { intents, about, asked: create({ id: 's' }), operation: 'x', meeting };
  await standing(intents, create({ id: 'z' }));
  const wanted = { ...given, asked: create({ external_id: 'E' }) };
  expect((await underIntent(client, wanted, work)).kind).toBe('done');
  expect(new URL(requests[0]?.url ?? '').search).toBe('?external_id=E');
});

const REMOTE = 'https://api.example.com/v1';
const [OLD, NEW, THIRD] = ['key_a_0001', 'key_b_0002', 'key_c_0003'];
const sentWith = (key: string, over: object = {}) => ({ ...about, ...accountWith(REMOTE, key), ...over });
const joined = (isProven: boolean, before = OLD, key = NEW): KeyJoin => ({
  ...{ baseUrl: REMOTE, before: knownKey(before), key: knownKey(key), isProven, at: 1 },
});
async function opened(
  intents: Intents,
  key: string,
  asked: Asked = cancel,
): Promise<Intent & { request: string }> {
  const begun = await intents.open(newIntentOf(sentWith(key), asked, 'x'));
  if (!('opened' in begun)) throw new Error('nobody was asked');
  return { ...begun.opened, request: JSON.stringify(asked) };
}
const recipientIs = (state: string, headers = {}) =>
  json(200, { object: { id: 't', recipients: [{ id: 'r', state }] } }, headers);
const CANCELLED = json(200, { object: { id: 'r', state: 'canceled' } });

describe('the key that settles an intent', () => {
  it.each<[string, KeyJoin[], string, 'look' | 'send', boolean]>([
    ['is its own', [], OLD, 'send', true],
    ['is its own, and only looks', [], OLD, 'look', false],
    ['took the place of its own', [joined(true)], NEW, 'send', true],
    ['took its place by the word of somebody', [joined(false)], NEW, 'send', false],
  ])('%s', async (_, joins, key, mode, sends) => {
    const intents = journal();
    const intent = await opened(intents, OLD);
    for (const join of joins) await intents.join(join);
    const { client, requests } = clientFor([recipientIs('pending'), CANCELLED]);
    const settled = await settleIntent(client, intents, { intent, account: accountWith(REMOTE, key), mode });
    expect(settled.kind).toBe(sends ? 'applied' : 'unknown');
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(sends);
  });

  it.each<[string, string, object]>([
    ['what it finds is applied', 'canceled', { kind: 'applied' }],
    [
      'what can never be applied may be of another account',
      'success',
      { kind: 'unknown', why: expect.stringContaining('nothing shows that it is of this account') },
    ],
    ['what is not there stays unknown', 'pending', { kind: 'unknown' }],
  ])('by the word of somebody: %s', async (_, state, outcome) => {
    const intents = journal();
    const intent = await opened(intents, OLD);
    await intents.join(joined(false));
    const account = accountWith(REMOTE, NEW);
    const { client } = clientFor([recipientIs(state)]);
    const settled = await settleIntent(client, intents, { intent, account, mode: 'send' });
    expect(settled).toMatchObject(outcome);
    if (state === 'pending') expect(settled).not.toHaveProperty('why');
  });

  it('is none of another account', async () => {
    const intents = journal();
    const intent = await opened(intents, OLD);
    await intents.join(joined(true, OLD, THIRD));
    const account = accountWith(REMOTE, NEW);
    const settled = settleIntent(clientFor([CANCELLED]).client, intents, { intent, account, mode: 'look' });
    await expect(settled).rejects.toThrow(InvariantError);
  });

  it('with its own key it is told what can never be applied', async () => {
    const intents = journal();
    const intent = await opened(intents, OLD);
    const { client } = clientFor([recipientIs('success')]);
    const settled = await settleIntent(client, intents, { intent, account: intent, mode: 'send' });
    expect(settled.kind).toBe('not_applied');
  });

  it('a later wish of another account does not stand in the way, and one of this account does', async () => {
    for (const [key, sends] of [
      [THIRD, true],
      [NEW, false],
    ] as const) {
      const intents = journal();
      const asked = create({ id: 's' }, { madeId: true });
      const intent = await opened(intents, OLD, asked);
      await intents.join(joined(true));
      await opened(intents, key, asked);
      const { client, requests } = clientFor([json(200, { object: [] }), lost]);
      await settleIntent(client, intents, { intent, account: intent, mode: 'send' });
      expect([key, requests.some(({ method }) => method === 'POST')]).toEqual([key, sends]);
    }
  });
});

describe('what the service refuses for an hour', () => {
  const HOUR = 3_600_000;
  const NOW = Date.parse('2026-11-24T12:00:00Z');
  const dated = { date: new Date(NOW).toUTCString() };
  const refusing = json(422, { object: { errors: { base: [{ error: 'no' }] } }, meta: {} }, dated);
  const since = async (intents: Intents, emptySince: number) => {
    const intent = await opened(intents, OLD);
    await intents.close(intent.id, { state: 'unknown', emptySince });
    return { ...intent, emptySince };
  };

  it.each<[string, number, 'look' | 'send', string, number | undefined]>([
    ['is not applied', NOW - HOUR, 'send', 'not_applied', NOW - HOUR],
    ['is unknown before', NOW - HOUR + 1000, 'send', 'unknown', NOW - HOUR + 1000],
    ['is not ended by a look', NOW - HOUR, 'look', 'unknown', NOW - HOUR],
  ])('%s', async (_, emptySince, mode, state, left) => {
    const intents = journal();
    const intent = await since(intents, emptySince);
    const pending = recipientIs('pending', dated);
    const { client } = clientFor(mode === 'look' ? [pending] : [pending, refusing, pending]);
    const settled = await settleIntent(client, intents, { intent, account: intent, mode });
    expect([settled.kind, settled.intent.state, settled.intent.emptySince]).toEqual([state, state, left]);
  });

  it('is not ended beside a later wish for the same, which is only looked for', async () => {
    const intents = journal();
    const intent = await since(intents, NOW - HOUR);
    await opened(intents, OLD);
    const { client, requests } = clientFor([recipientIs('pending', dated)]);
    const settled = await settleIntent(client, intents, { intent, account: intent, mode: 'send' });
    expect([settled.kind, settled.intent.emptySince, requests.length]).toEqual(['unknown', NOW - HOUR, 1]);
  });
});

describe('the same, sent with another key before', () => {
  const asked = create({ id: 's' });
  const beginning = (intents: Intents, key: string, over: object = {}, at = REMOTE) => ({
    ...{ intents, asked, operation: 'x', about: { ...about, ...accountWith(at, key) } },
    meeting: { ...meeting, ...over },
  });
  const left = async (at = REMOTE) => {
    const intents = journal();
    const begun = await intents.open(newIntentOf({ ...about, ...accountWith(at, OLD) }, asked, 'x'));
    if (!('opened' in begun)) throw new Error('nobody was asked');
    let reads = 0;
    const joins = async (): Promise<KeyJoin[]> => {
      reads += 1;
      return intents.joins();
    };
    const counted = { ...intents, joins };
    return { intents: counted, id: begun.opened.id, reads: () => reads };
  };
  const done = async (beginning_: ReturnType<typeof beginning>) => {
    const { client } = clientFor([json(200, {})]);
    const ended = await underIntent(client, beginning_, work);
    return ended.kind === 'refused' ? ended.earlier.kind : ended.kind;
  };

  it.each<[string, KeyJoin[], string]>([
    ['that is not joined is asked about', [], 'other_key'],
    ['that is joined stands in the way', [joined(true)], 'unsettled'],
    ['that is joined by somebody’s word stands in the way', [joined(false)], 'unsettled'],
  ])('%s', async (_, joins, kind) => {
    const { intents, reads } = await left();
    for (const join of joins) await intents.join(join);
    expect([await done(beginning(intents, NEW)), reads() > 0]).toEqual([kind, true]);
  });

  it('is told of where it does not stand in the way: on this machine, and where another payment is meant', async () => {
    const local = 'http://127.0.0.1:4010/v1';
    const told: string[] = [];
    const beside = ({ id }: Intent): void => void told.push(id);
    const here = await left(local);
    expect(await done(beginning(here.intents, NEW, { beside }, local))).toBe('done');
    expect(told).toEqual([here.id]);
    expect(await done(beginning(here.intents, NEW, {}, local))).not.toBe('other_key');
    const there = await left();
    expect(await done(beginning(there.intents, NEW, { beside, newPayment: true }))).toBe('done');
    expect(told).toEqual([here.id]);
  });

  it('costs no read of the joins where another of this key stands in the way', async () => {
    const { intents, reads } = await left();
    expect([await done(beginning(intents, OLD)), reads()]).toEqual(['unsettled', 0]);
  });

  it('costs no read of the joins where there is none', async () => {
    const { intents, reads } = await left();
    const other = { ...beginning(intents, NEW), asked: create({ id: 'other' }) };
    const told: string[] = [];
    const silent = {
      ...other,
      meeting: { ...other.meeting, beside: ({ id }: Intent) => void told.push(id) },
    };
    expect([await done(silent as never), reads(), told]).toEqual(['done', 0, []]);
  });
});

describe('an edit that a newer one overtook', () => {
  const AT = Date.parse('2026-01-05T09:00:00Z');
  const hour = 3_600_000;
  const account = (value: string) => ({
    payout_method: { type: 'NGN::Bank', details: { bank_account: value } },
  });
  const asked: Asked = { plan: 'edit', recipientId: 'r', transactionId: 't', recipient: account('A') };

  it.each<[string, string, number | undefined, number, object, object]>([
    [
      'is still awaited',
      'B',
      AT,
      AT + hour - 1000,
      { kind: 'unknown', overAt: AT + hour },
      { state: 'unknown', emptySince: AT },
    ],
    [
      'begins its hour with the first look',
      'B',
      undefined,
      AT,
      { kind: 'unknown', overAt: AT + hour },
      { state: 'unknown', emptySince: AT },
    ],
    [
      'is over after its hour',
      'B',
      AT,
      AT + hour,
      { kind: 'conflict', overtakenBy: 'i-2' },
      { state: 'conflict' },
    ],
    [
      'arrived after all',
      'A',
      AT,
      AT + 1000,
      { kind: 'conflict', undid: 'i-2' },
      { state: 'applied', resultId: 'r', note: 'found; it undid i-2' },
    ],
  ])('%s, and nothing is sent', async (_, shown, emptySince, now, outcome, kept) => {
    const intents = journal();
    const begun = await intents.open(newIntentOf({ ...about, subject: 'r' }, asked, 'x'));
    if (!('opened' in begun)) throw new Error('nobody was asked');
    const { id } = begun.opened;
    await intents.close(id, { state: 'unknown', note: 'overtaken by i-2', emptySince });
    const intent = { ...((await intents.get(id)) ?? begun.opened), request: JSON.stringify(asked) };
    const answer = json(200, { object: { id: 't', recipients: [{ id: 'r', ...account(shown) }] } });
    const dated = { ...answer, headers: { ...answer.headers, date: new Date(now).toUTCString() } };
    const { client, requests } = clientFor([dated]);
    expect(await settleIntent(client, intents, { intent, account: about, mode: 'send' })).toMatchObject(
      outcome,
    );
    expect(await intents.get(id)).toMatchObject(kept);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
