/** What an answer proves of a write, and what a look makes of it, each pair of them by itself. */
import { describe, expect, it } from 'vitest';
import { ApiError, Contradiction, NetworkError, UnreadableAnswerError } from '../../../src/client/errors.ts';
import {
  attempt,
  carryOut,
  carryOutOnce,
  claimOfRefusal,
  claimUnseen,
  isDefiniteRefusal,
  type Looked,
  lookInto,
  noted,
  type Plan,
  type Sent,
  settle,
  settleByLooking,
  verdictOf,
  verdictOfStatus,
} from '../../../src/client/outcome.ts';
import { InvariantError } from '../../../src/core/invariants.ts';
import { TransportError } from '../../../src/core/ports/transport.ts';

const call = { operation: 'POST /x', nonce: 'n', effect: 'money' } as const;
const refusal = (status: number, transaction?: unknown): ApiError =>
  new ApiError(status, call, { fields: [], meta: {}, existing: { transaction }, resource: undefined });
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

interface Played extends Plan<Value> {
  did: string[];
}

/** Each send and each look gives the next of its answers; an error is thrown by a look. */
function plan(
  sends: Sent<Value>[],
  looks: (Looked<Value> | Error)[],
  over: Partial<Plan<Value>> = {},
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
    [401, false, 'refused'],
    [403, false, 'refused'],
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
    expect(verdictOfStatus(status, names)).toBe(verdict);
    const error = refusal(status, names ? { id: 'x' } : undefined);
    expect(verdictOf(error)).toBe(verdict);
    const isKey = status === 401 || status === 403;
    expect(isDefiniteRefusal(error)).toBe(verdict !== 'unknown' && !isKey);
  });

  it.each([
    [unsent, 'not_sent'],
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
    [cut, { kind: 'unknown', error: cut }],
    [contradiction, { kind: 'unknown', error: contradiction }],
    [refusal(503), { kind: 'unknown' }],
    [refusal(422), { kind: 'refused' }],
    [refusal(401), { kind: 'refused' }],
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
    [
      'the key is refused alike',
      401,
      [refusal(401), refusal(401)],
      { kind: 'not_applied', error: { status: 401 } },
    ],
    [
      'the look is refused otherwise',
      401,
      [refusal(403), refusal(403)],
      { kind: 'unknown', error: { status: 401 } },
    ],
    ['the looks are not refused alike', 422, [refusal(422), refusal(500)], { kind: 'unknown' }],
    ['the look is lost', 422, [cut], { kind: 'unknown', error: { status: 422 } }],
    ['the second look is lost', 401, [refusal(401), cut], { kind: 'unknown' }],
    ['nothing is found, twice', 422, [refusal(404), refusal(404)], { kind: 'not_applied' }],
    ['it is found the second time', 401, [refusal(401), APPLIED], { kind: 'applied', how: 'found' }],
  ])('a refusal, and %s (%i)', async (_, status, looks, outcome) => {
    for (const carry of [carryOut, carryOutOnce]) {
      const one = plan([refused(status)], [...looks]);
      expect(await carry(one)).toMatchObject(outcome);
      expect(one.did).toEqual(['send', ...looks.map(() => 'look')]);
    }
  });

  it.each<[string, number, Looked<Value>[]]>([
    ['a part stands', 422, [BEGUN]],
    ['the key is refused, and nothing stands', 401, [ABSENT]],
    ['the key is refused, and nothing stands', 403, [ABSENT]],
  ])('%s (%i): only the same again can tell, where it may be sent', async (_, status, looks) => {
    const again = plan([refused(status), applied], [...looks]);
    expect(await carryOut(again)).toMatchObject({ kind: 'applied', how: 'answered' });
    expect(again.did).toEqual(['send', 'look', 'send again']);
    const once = plan([refused(status)], [...looks]);
    expect(await carryOutOnce(once)).toMatchObject({ kind: 'unknown', error: { status } });
    expect(once.did).toEqual(['send', 'look']);
  });
});

describe('a key that is refused', () => {
  it('is not believed to be wrong where it was accepted before', async () => {
    for (const carry of [carryOut, carryOutOnce]) {
      const accepted = plan([refused(401)], [refusal(401), refusal(401)], { accepted: () => true });
      expect(await carry(accepted)).toMatchObject({ kind: 'unknown', error: { status: 401 } });
      const never = plan([refused(401)], [refusal(401), refusal(401)], { accepted: () => false });
      expect(await carry(never)).toMatchObject({ kind: 'not_applied' });
    }
    const probe = plan([], [refusal(401), refusal(401)], { accepted: () => true });
    expect(await claimUnseen(probe, refusal(401))).toBe('unknown');
    expect(
      await claimOfRefusal(plan([], [refusal(401), refusal(401)], { accepted: () => true }), refusal(401)),
    ).toEqual({ kind: 'unknown' });
  });
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
  ])('of status %i, and a look that says %j', async (status, looked, claim) => {
    expect(await claimOfRefusal(plan([], [looked]), refusal(status))).toStrictEqual(claim);
  });

  it.each([409, 429, 500])('of status %i proves nothing, and nobody looks', async (status) => {
    const one = plan([], []);
    expect(await claimOfRefusal(one, refusal(status))).toEqual({ kind: 'unknown' });
    expect(one.did).toEqual([]);
  });
});

describe('a refusal of what nobody can look for', () => {
  it.each([
    [422, false, 'not_applied'],
    [400, false, 'not_applied'],
    [404, false, 'not_applied'],
    // A duplicate may be our own first copy.
    [422, true, 'unknown'],
    [429, false, 'unknown'],
    [500, false, 'unknown'],
  ])('of status %i, where an existing one is named %j: %s, without a look', async (status, names, claim) => {
    const probe = plan([], []);
    expect(await claimUnseen(probe, refusal(status, names ? {} : undefined))).toBe(claim);
    expect(probe.did).toEqual([]);
  });

  it.each<[(Looked<Value> | Error)[], string]>([
    [[refusal(401), refusal(401)], 'not_applied'],
    [[refusal(403), refusal(403)], 'unknown'],
    [[refusal(401), cut], 'unknown'],
    [[ABSENT], 'unknown'],
    [[APPLIED], 'unknown'],
  ])('of the key, and a read that says %j: %s', async (looks, claim) => {
    expect(await claimUnseen(plan([], looks), refusal(401))).toBe(claim);
  });
});
