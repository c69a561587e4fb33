/** What an answer proves of a write, and what a look makes of it, each pair of them by itself. */
import { describe, expect, it } from 'vitest';
import { claimOfWhole } from '../../../src/client/bound.ts';
import {
  ApiError,
  Contradiction,
  NetworkError,
  NotReadyError,
  UnreadableAnswerError,
} from '../../../src/client/errors.ts';
import { noted } from '../../../src/client/intents.ts';
import {
  attempt,
  carryOut,
  carryOutOnce,
  isDefiniteRefusal,
  type Looked,
  lookInto,
  type Sent,
  settle,
  settleByLooking,
  verdictOf,
  type WritePlan,
} from '../../../src/client/outcome.ts';
import { claimOfRefusal, claimUnseen } from '../../../src/client/refusal-claims.ts';
import { InvariantError } from '../../../src/core/invariants.ts';
import { TransportError } from '../../../src/core/transport.ts';
import { outcomeProblem } from '../../../src/payments/outcome-problem.ts';

const call = { operation: 'POST /x', nonce: 'n', effect: 'money' } as const;
/** In the service's own form, where that has one for the status. */
const refusal = (status: number, transaction?: unknown, isOwn = [400, 404, 422].includes(status)): ApiError =>
  new ApiError(status, call, {
    fields: [],
    meta: {},
    existing: { transaction },
    resource: undefined,
    isOwn,
  });
const foreign = (status: number): ApiError => refusal(status, undefined, false);
const network = (reach: 'not_sent' | 'may_have_arrived') =>
  new NetworkError(reach, 'ECONNRESET', call, 'cut');
const cut = network('may_have_arrived');
const unsent = network('not_sent');

type Value = { id: string };
const ours = { id: 'ours' };
const APPLIED: Looked<Value> = { kind: 'applied', value: ours };
const ABSENT: Looked<Value> = { kind: 'absent' };
const BEGUN: Looked<Value> = { kind: 'absent', begun: true };
const NEVER: Looked<Value> = { kind: 'never', value: ours, why: 'it is over' };
const OTHER: Looked<Value> = { kind: 'conflict', value: ours, differences: ['amount'] };
const EDITED: Looked<Value> = { kind: 'conflict', value: ours, differences: ['type'], why: 'other details' };

interface Played extends WritePlan<Value> {
  did: string[];
}

/** Each send and each look gives the next of its answers; an error is thrown by a look. */
function plan(
  sends: Sent<Value>[],
  looks: (Looked<Value> | Error)[],
  over: Partial<WritePlan<Value>> = {},
): Played {
  const did: string[] = [];
  return {
    did,
    body: { amount: '1' },
    async send(again) {
      did.push(again ? 'send again' : 'send');
      const next = sends.shift();
      if (next === undefined) throw new Error('sent too often');
      return next;
    },
    async look() {
      did.push('look');
      const next = looks.shift();
      if (next === undefined) throw new Error('looked too often');
      if (next instanceof Error) throw next;
      return next;
    },
    ...over,
  };
}

const refused = (status: number): Sent<Value> => ({ kind: 'refused', error: refusal(status) });
const unknown: Sent<Value> = { kind: 'unknown', error: cut };
const applied: Sent<Value> = { kind: 'applied', value: ours };

describe('what a failure proves', () => {
  it.each([
    [200, false, 'unknown'],
    [302, false, 'unknown'],
    [400, false, 'refused'],
    [400, true, 'refused'],
    [401, false, 'unknown'],
    [403, false, 'unknown'],
    [404, false, 'refused'],
    [404, true, 'refused'],
    [405, false, 'unknown'],
    [409, false, 'unknown'],
    [409, true, 'unknown'],
    [422, false, 'refused'],
    [422, true, 'duplicate'],
    [429, false, 'unknown'],
    [500, false, 'unknown'],
    [503, true, 'unknown'],
  ])('the status %i, where an existing record is named %j: %s', (status, names, verdict) => {
    const error = refusal(status, names ? { id: 'x' } : undefined);
    expect(verdictOf(error)).toBe(verdict);
    expect(isDefiniteRefusal(error)).toBe(verdict !== 'unknown');
  });

  it.each([400, 404, 422])('the status %i of what stands in front of the service: nothing', (status) => {
    for (const existing of [undefined, { id: 'x' }])
      expect(verdictOf(refusal(status, existing, false))).toBe('unknown');
  });

  it.each([
    [unsent, 'not_sent'],
    [new NotReadyError(cut), 'not_sent'],
    [cut, 'unknown'],
    [new TransportError('not_sent', 'ECONNREFUSED', 'no'), 'not_sent'],
    [new TransportError('may_have_arrived', 'ECONNRESET', 'cut'), 'unknown'],
    [new UnreadableAnswerError(200, call, 'no JSON'), 'unknown'],
    [new Error('a defect'), 'unknown'],
    [{ reach: 'not_sent' }, 'unknown'],
    [undefined, 'unknown'],
  ])('%s: %s', (error, verdict) => expect(verdictOf(error)).toBe(verdict));
});

describe('one attempt', () => {
  const failing = (error: unknown, onDuplicate?: (error: ApiError) => Sent<Value>) =>
    attempt<Value>(async () => {
      throw error;
    }, onDuplicate);

  it('that succeeds is applied', async () => {
    expect(await attempt(async () => ours)).toEqual({ kind: 'applied', value: ours });
  });

  const taken = refusal(422, { id: 'x' });
  const contradiction = new Contradiction('two answers');
  it.each([
    [unsent, { kind: 'not_sent', error: unsent }],
    [new NotReadyError(refusal(401)), { kind: 'not_sent', error: { name: 'NotReadyError' } }],
    [cut, { kind: 'unknown', error: cut }],
    [contradiction, { kind: 'unknown', error: contradiction }],
    [refusal(503), { kind: 'unknown' }],
    [refusal(422), { kind: 'refused' }],
    [refusal(401), { kind: 'unknown' }],
    [foreign(422), { kind: 'unknown' }],
    [taken, { kind: 'refused', error: taken }],
  ])('%s', async (error, sent) => expect(await failing(error)).toMatchObject(sent));

  it('asks about a duplicate, and about nothing else', async () => {
    const onDuplicate = (error: ApiError): Sent<Value> => ({
      kind: 'conflict',
      value: 1,
      differences: ['x'],
      error,
    });
    expect(await failing(taken, onDuplicate)).toEqual({
      kind: 'conflict',
      value: 1,
      differences: ['x'],
      error: taken,
    });
    for (const error of [refusal(422), refusal(503), cut, unsent])
      expect((await failing(error, onDuplicate)).kind).not.toBe('conflict');
  });

  it('throws a defect of ours on', async () => {
    await expect(failing(new TypeError('x'))).rejects.toBeInstanceOf(TypeError);
  });
});

describe('the first time', () => {
  it.each<[string, Sent<Value>, object]>([
    ['applied', applied, { kind: 'applied', how: 'answered', value: ours }],
    ['existing', { kind: 'existing', value: ours }, { kind: 'applied', how: 'existing', value: ours }],
    ['not sent', { kind: 'not_sent', error: unsent }, { kind: 'not_applied', error: unsent }],
    [
      'conflict',
      { kind: 'conflict', value: ours, differences: ['amount'], error: refusal(422) },
      { kind: 'conflict', value: ours, differences: ['amount'] },
    ],
    [
      'conflict that may have been ours',
      { kind: 'conflict', value: ours, differences: ['type'], why: 'w', error: refusal(422) },
      { kind: 'conflict', value: ours, differences: ['type'], why: 'w' },
    ],
  ])('%s is believed without a look', async (_, sent, outcome) => {
    for (const carry of [carryOut, carryOutOnce]) {
      const one = plan([sent], []);
      expect(await carry(one)).toStrictEqual(outcome);
      expect(one.did).toEqual(['send']);
    }
  });

  it.each<[string, (Looked<Value> | Error)[], object, string]>([
    ['stands', [APPLIED], { kind: 'applied', how: 'found', value: ours }, 'look'],
    ['can never be', [NEVER], { kind: 'not_applied', value: ours, why: 'it is over', error: cut }, 'look'],
    ['differs', [OTHER], { kind: 'conflict', differences: ['amount'] }, 'look'],
    [
      'was edited',
      [EDITED],
      { kind: 'unknown', why: 'other details', value: ours, error: undefined },
      'look',
    ],
    ['cannot be looked at', [refusal(500)], { kind: 'unknown', error: cut }, 'look'],
  ])('a lost answer, and it %s', async (_, looks, outcome, did) => {
    for (const carry of [carryOut, carryOutOnce]) {
      const one = plan([unknown], [...looks]);
      expect(await carry(one)).toMatchObject(outcome);
      expect(one.did).toEqual(['send', did]);
    }
  });

  it('a lost answer that leaves nothing is sent again, but not where a second would stand beside it', async () => {
    const twice = plan([unknown, applied], [ABSENT]);
    expect(await carryOut(twice)).toEqual({ kind: 'applied', how: 'answered', value: ours });
    expect(twice.did).toEqual(['send', 'look', 'send again']);
    const once = plan([unknown], [ABSENT]);
    expect(await carryOutOnce(once)).toEqual({ kind: 'unknown', error: cut });
    expect(once.did).toEqual(['send', 'look']);
  });

  it.each<[string, Sent<Value>, (Looked<Value> | Error)[], object]>([
    ['existing', { kind: 'existing', value: ours }, [], { kind: 'applied', how: 'existing' }],
    [
      'conflict',
      { kind: 'conflict', value: ours, differences: ['amount'], error: refusal(422) },
      [],
      { kind: 'conflict', differences: ['amount'] },
    ],
    [
      'conflict that may have been ours',
      { kind: 'conflict', value: ours, differences: ['type'], why: 'w', error: refusal(422) },
      [],
      { kind: 'unknown', why: 'w', value: ours },
    ],
    ['refused, and nothing stands', refused(422), [ABSENT], { kind: 'unknown', error: { status: 422 } }],
    ['refused, and it stands', refused(422), [APPLIED], { kind: 'applied', how: 'found' }],
    ['not sent', { kind: 'not_sent', error: unsent }, [ABSENT], { kind: 'unknown', error: unsent }],
    ['lost', unknown, [NEVER], { kind: 'not_applied', error: cut, why: 'it is over' }],
    ['lost twice', unknown, [cut], { kind: 'unknown', error: cut }],
  ])('the second try: %s', async (_, second, looks, outcome) => {
    const one = plan([unknown, second], [ABSENT, ...looks]);
    expect(await carryOut(one)).toMatchObject(outcome);
    expect(one.did).toEqual(['send', 'look', 'send again', ...looks.map(() => 'look')]);
  });

  it.each<[string, number, (Looked<Value> | Error)[], object]>([
    ['nothing stands', 422, [ABSENT], { kind: 'not_applied', error: { status: 422 } }],
    ['nothing stands', 404, [ABSENT], { kind: 'not_applied', error: { status: 404 } }],
    ['nothing stands', 400, [ABSENT], { kind: 'not_applied', error: { status: 400 } }],
    ['it stands', 422, [APPLIED], { kind: 'applied', how: 'found' }],
    ['another stands', 422, [OTHER], { kind: 'conflict', differences: ['amount'] }],
    ['it can never be', 422, [NEVER], { kind: 'not_applied', error: { status: 422 } }],
    ['the look is refused', 422, [refusal(401)], { kind: 'unknown', error: { status: 422 } }],
    ['the look is refused alike', 422, [refusal(422)], { kind: 'unknown' }],
    ['the look fails', 400, [refusal(500)], { kind: 'unknown', error: { status: 400 } }],
    ['the look is lost', 422, [cut], { kind: 'unknown', error: { status: 422 } }],
    ['nothing says what is not found', 422, [refusal(404)], { kind: 'unknown' }],
  ])('a refusal, and %s (%i)', async (_, status, looks, outcome) => {
    for (const carry of [carryOut, carryOutOnce]) {
      const one = plan([refused(status)], [...looks]);
      expect(await carry(one)).toMatchObject(outcome);
      expect(one.did).toEqual(['send', ...looks.map(() => 'look')]);
    }
  });

  it.each<[string, Error]>([
    ['says that there is no such record: it was read before', refusal(404)],
    ['comes from something in front of the service', foreign(404)],
    ['is refused', refusal(401)],
    ['is refused for what it asks', refusal(422)],
    ['is lost', cut],
  ])('a refusal proves nothing where the answer to the look %s', async (_, looked) => {
    for (const carry of [carryOut, carryOutOnce])
      expect(await carry(plan([refused(404)], [looked]))).toMatchObject({ kind: 'unknown' });
    expect(await claimOfRefusal(plan([], [looked]), refusal(422))).toEqual({ kind: 'unknown' });
  });

  it('a defect in a read is thrown on', async () => {
    const defect = new TypeError('x');
    await expect(lookInto(plan([], [defect]), refusal(422))).rejects.toBe(defect);
    await expect(claimUnseen({ prove: () => Promise.reject(defect) }, refusal(422))).rejects.toBe(defect);
  });

  it('what stands in front of the service refuses nothing', async () => {
    await expect(lookInto(plan([], [ABSENT]), foreign(422))).rejects.toBeInstanceOf(InvariantError);
  });

  it.each<[string, number, Looked<Value>[]]>([['a part stands', 422, [BEGUN]]])(
    '%s (%i): only the same again can tell, where it may be sent',
    async (_, status, looks) => {
      const again = plan([refused(status), applied], [...looks]);
      expect(await carryOut(again)).toMatchObject({ kind: 'applied', how: 'answered' });
      expect(again.did).toEqual(['send', 'look', 'send again']);
      const once = plan([refused(status)], [...looks]);
      expect(await carryOutOnce(once)).toMatchObject({ kind: 'unknown', error: { status } });
      expect(once.did).toEqual(['send', 'look']);
    },
  );
});

describe('what was sent by an earlier run', () => {
  it('is looked for before it is sent again, and sent once', async () => {
    const stands = plan([], [APPLIED]);
    expect(await settle(stands)).toMatchObject({ kind: 'applied', how: 'found' });
    expect(stands.did).toEqual(['look']);
    const again = plan([unknown], [ABSENT, ABSENT]);
    expect(await settle(again)).toEqual({ kind: 'unknown', error: cut });
    expect(again.did).toEqual(['look', 'send again', 'look']);
    const lookLost = plan([], [cut]);
    expect(await settle(lookLost)).toEqual({ kind: 'unknown', error: cut });
    expect(lookLost.did).toEqual(['look']);
  });

  it.each<[Looked<Value> | Error, object]>([
    [APPLIED, { kind: 'applied', how: 'found', value: ours }],
    [ABSENT, { kind: 'unknown', error: undefined }],
    [BEGUN, { kind: 'unknown', error: undefined }],
    [NEVER, { kind: 'not_applied', error: undefined, value: ours, why: 'it is over' }],
    [OTHER, { ...OTHER }],
    [EDITED, { kind: 'unknown', error: undefined, why: 'other details', value: ours }],
    [cut, { kind: 'unknown', error: cut }],
  ])('is only looked for: %j', async (looked, outcome) => {
    const one = plan([], [looked]);
    expect(await settleByLooking(one)).toStrictEqual(outcome);
    expect(one.did).toEqual(['look']);
  });

  it('a defect of ours in a look is thrown on', async () => {
    const defect = new TypeError('x');
    await expect(settleByLooking(plan([], [defect]))).rejects.toBe(defect);
    await expect(settle(plan([], [defect]))).rejects.toBe(defect);
    await expect(lookInto(plan([], [defect]), refusal(422))).rejects.toBe(defect);
  });
});

describe('the rule of two tries', () => {
  it('stops what sends other bytes the second time', async () => {
    const changing = plan([unknown, applied], [ABSENT]);
    const body = { amount: '1' };
    const look = changing.look.bind(changing);
    const plot = {
      ...changing,
      body,
      look: async () => {
        body.amount = '2';
        return look();
      },
    };
    await expect(carryOut(plot)).rejects.toBeInstanceOf(InvariantError);
    expect(changing.did).toEqual(['send', 'look']);
  });

  it('lets the first try be of whatever the body is then', async () => {
    const one = plan([applied], []);
    expect(await carryOut({ ...one, body: undefined })).toMatchObject({ kind: 'applied' });
  });
});

it('a plan tells whether it went as far as the network', async () => {
  const { plan: sent, isBegun } = noted(plan([applied], []));
  expect(isBegun()).toBe(false);
  await sent.send(false);
  expect(isBegun()).toBe(true);
  const broken = noted(
    plan([], [], {
      send: async (again) => {
        throw new Error(`${again}`);
      },
    }),
  );
  await expect(broken.plan.send(true)).rejects.toThrow('true');
  expect(broken.isBegun()).toBe(false);
});

describe('a refusal that is not sent again', () => {
  it.each<[number, Looked<Value> | Error, object]>([
    [422, ABSENT, { kind: 'not_applied' }],
    [422, APPLIED, { kind: 'applied', value: ours }],
    [422, OTHER, { kind: 'not_applied' }],
    [422, EDITED, { kind: 'unknown' }],
    [422, NEVER, { kind: 'not_applied' }],
    [422, BEGUN, { kind: 'unknown' }],
    [422, cut, { kind: 'unknown' }],
    [401, ABSENT, { kind: 'unknown' }],
    [401, APPLIED, { kind: 'applied', value: ours }],
    [401, OTHER, { kind: 'not_applied' }],
    [409, ABSENT, { kind: 'unknown' }],
    [500, cut, { kind: 'unknown' }],
  ])('of status %i, and a look that says %j', async (status, looked, claim) => {
    expect(await claimOfRefusal(plan([], [looked]), refusal(status))).toStrictEqual(claim);
  });
});

describe('a refusal of what nobody can look for', () => {
  it.each([
    [422, false, 'not_applied'],
    [400, false, 'not_applied'],
    [404, false, 'not_applied'],
    // A duplicate may be our own first copy.
    [422, true, 'unknown'],
    [401, false, 'unknown'],
    [429, false, 'unknown'],
    [500, false, 'unknown'],
  ])('of status %i, where an existing one is named %j: %s', async (status, names, claim) => {
    const error = refusal(status, names ? {} : undefined);
    expect(await claimUnseen({ prove: async () => {} }, error)).toBe(claim);
    // Where no read is answered either, the refusal may not be the service's.
    for (const answer of [refusal(401), foreign(404), cut])
      expect(await claimUnseen({ prove: () => Promise.reject(answer) }, error)).toBe('unknown');
  });
});

describe('what stands of a write that is not whole', () => {
  const part = { id: 'created' };
  const HALF: Looked<Value> = { kind: 'absent', part };
  it.each<[string, () => Promise<unknown>, unknown]>([
    ['sent, looked for, and sent again', () => carryOut(plan([unknown, unknown], [HALF, HALF])), part],
    ['and not there at last', () => carryOut(plan([unknown, unknown], [HALF, ABSENT])), undefined],
    ['sent once', () => carryOutOnce(plan([unknown], [HALF])), part],
    ['settled', () => settle(plan([unknown], [HALF, HALF])), part],
    ['looked for', () => settleByLooking(plan([], [HALF])), part],
  ])('is told with the unknown outcome: %s', async (_, outcome, told) => {
    const found = await outcome();
    expect(found).toMatchObject({ kind: 'unknown' });
    expect((found as { part?: unknown }).part).toEqual(told);
  });

  it.each([
    [
      'was not debited',
      { isUnpaid: true as const, part: { id: 't1', state: 'initial' } },
      'made_unpaid',
      'fund',
    ],
    ['reads otherwise', { answeredId: 't1' }, 'reads_otherwise', 'settle'],
  ])('what %s is called %s', (_, over, code, act) => {
    const { facts } = outcomeProblem({ kind: 'unknown', error: undefined, ...over }, 'i1');
    expect([facts.category, facts.code, facts.outcome]).toEqual(['unknown', code, 'unknown']);
    const parts = typeof facts.hint === 'object' ? facts.hint.parts : [];
    expect(parts).toContainEqual({ do: 'show_transaction', id: 't1' });
    expect(parts).toContainEqual({ do: act, id: act === 'fund' ? 't1' : 'i1' });
  });

  it.each([
    [{ id: 't1', state: 'approved' }, 'created_unfunded', 't1'],
    [{ id: 't1', state: 'pending' }, 'outcome_unknown', undefined],
    [{ state: 'approved' }, 'outcome_unknown', undefined],
    [undefined, 'outcome_unknown', undefined],
  ])('%j is called %s', (stands, code, fund) => {
    const { facts } = outcomeProblem({ kind: 'unknown', error: cut, part: stands }, 'i1');
    expect([facts.category, facts.code, facts.outcome]).toEqual(['unknown', code, 'unknown']);
    const parts = typeof facts.hint === 'object' ? facts.hint.parts : [];
    expect(parts).toContainEqual({ do: 'settle', id: 'i1' });
    const funding = parts.find((part) => typeof part === 'object' && 'do' in part && part.do === 'fund');
    expect(funding).toEqual(fund === undefined ? undefined : { do: 'fund', id: fund });
  });
});

it.each<[boolean, object, object]>([
  [true, { state: 'approved', paid_amount: '0' }, { kind: 'unknown', isUnpaid: true, part: { id: 't1' } }],
  [
    true,
    { state: 'canceled', paid_amount: '0' },
    { kind: 'not_applied', why: expect.stringContaining('never funded') },
  ],
  [true, { state: 'paid' }, { kind: 'applied' }],
  [false, { state: 'approved', paid_amount: '0' }, { kind: 'applied' }],
])('a creation that a debit pays (%s), found as %j, is %j', (awaitsDebit, found, claim) => {
  const value = { id: 't1', ...found };
  expect(claimOfWhole({ awaitsDebit }, { kind: 'applied', how: 'found', value })).toMatchObject(claim);
  const unsure = { kind: 'unknown' as const, error: cut };
  expect(claimOfWhole({ awaitsDebit }, unsure)).toBe(unsure);
});

describe('a success that read otherwise than asked', () => {
  const named = { answeredId: () => 't-1' };
  it.each<[string, () => Promise<unknown>, object]>([
    ['is looked for', () => carryOut(plan([unknown], [APPLIED], named)), { kind: 'applied', how: 'found' }],
    ['is not sent again', () => carryOut(plan([unknown], [ABSENT], named)), { kind: 'unknown', error: cut }],
    [
      'is not called other',
      () => carryOut(plan([unknown], [EDITED], named)),
      { kind: 'unknown', value: ours },
    ],
    ['is not read', () => carryOut(plan([unknown], [cut], named)), { kind: 'unknown', error: cut }],
    ['is sent once', () => carryOutOnce(plan([unknown], [ABSENT], named)), { kind: 'unknown', error: cut }],
    ['is not sent by settling', () => settle(plan([], [ABSENT], named)), { kind: 'unknown' }],
    [
      'is looked for by settling',
      () => settle(plan([], [APPLIED], named)),
      { kind: 'applied', how: 'found' },
    ],
    ['is only looked for', () => settleByLooking(plan([], [ABSENT], named)), { kind: 'unknown' }],
  ])('%s', async (_, outcome, expected) => {
    const ended = (await outcome()) as { kind: string; answeredId?: string };
    expect(ended).toMatchObject(expected);
    expect(ended.answeredId).toBe(ended.kind === 'unknown' ? 't-1' : undefined);
  });

  it('to the second try is looked for once more', async () => {
    let sent = 0;
    const played = plan([unknown, unknown], [ABSENT, ABSENT], {
      answeredId: () => (sent === 2 ? 't-1' : undefined),
    });
    const { send } = played;
    const counted = {
      ...played,
      send: (again: boolean) => {
        sent += 1;
        return send(again);
      },
    };
    expect(await carryOut(counted)).toMatchObject({ kind: 'unknown', answeredId: 't-1' });
    expect(played.did).toEqual(['send', 'look', 'send again', 'look']);
  });

  it('leaves what is over as it is', async () => {
    const outcome = await carryOut(plan([unknown], [NEVER], named));
    expect(outcome).toEqual({ kind: 'not_applied', error: cut, value: ours, why: 'it is over' });
  });
});

describe('what was lost, and is refused when it is sent again', () => {
  it.each<[string, Sent<Value>, Looked<Value>, boolean]>([
    ['and not found', refused(422), ABSENT, true],
    ['in the form of the service, and not found', refused(400), ABSENT, true],
    ['and a part of it stands', refused(422), { kind: 'absent', part: ours }, false],
    ['and only we can have begun it', refused(422), BEGUN, false],
    ['where the refusal is no refusal', unknown, ABSENT, false],
    ['where it did not leave', { kind: 'not_sent', error: unsent }, ABSENT, false],
  ])('%s', async (_, again, after, isRefusedAgain) => {
    const outcome = await settle(plan([again], [ABSENT, after]));
    expect(outcome.kind).toBe('unknown');
    expect('refusedAgain' in outcome && outcome.refusedAgain).toBe(isRefusedAgain);
    const first = await carryOut(plan([unknown, again], [ABSENT, after]));
    expect('refusedAgain' in first && first.refusedAgain).toBe(isRefusedAgain);
  });

  it('is nothing that a look alone can tell', async () => {
    expect(await settleByLooking(plan([], [ABSENT]))).toEqual({ kind: 'unknown', error: undefined });
  });
});
