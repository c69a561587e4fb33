/** What each earlier intent means for the same wish. */
import { describe, expect, it } from 'vitest';
import {
  earlierOf,
  leftByOtherKey,
  mayBeSamePayment,
  type NewWrite,
} from '../../../src/client/duplicate-check.ts';
import { type Intent, REPEAT_WINDOW_MS } from '../../../src/client/store/port.ts';
import { accountWith, knownKey } from '../../../src/contract/account-key.ts';
import type { KeyJoin } from '../../../src/core/account.ts';
import { InvariantError } from '../../../src/core/invariants.ts';

const ACCOUNT = accountWith('https://api.example.com/v1', 'key_of_acme_51ab');
const OTHER = knownKey('key_of_acme_before_9c9c');
const LOCAL = { baseUrl: 'http://localhost:4010/v1' };
const JOINED: KeyJoin = {
  baseUrl: ACCOUNT.baseUrl,
  before: OTHER,
  key: knownKey('key_of_acme_51ab'),
  isProven: true,
  at: 1,
};
const BEGAN = 10 * REPEAT_WINDOW_MS;
const intent = (over: Partial<Intent> = {}): Intent =>
  ({
    ...ACCOUNT,
    digest: 'd',
    id: 'i-1',
    state: 'applied',
    createdAt: BEGAN - 1_000,
    updatedAt: 0,
    ...over,
  }) as Intent;
const wish = (over: Partial<NewWrite> = {}): NewWrite => ({
  account: ACCOUNT,
  digest: 'd',
  joins: [],
  givenId: undefined,
  payers: [],
  paysAgain: true,
  isAskedAbout: true,
  lastTold: 7,
  now: () => BEGAN,
  isRunning: () => false,
  isPassed: () => false,
  ...over,
});

const STARTED_AT_ONCE: Partial<Intent> = {
  toldAt: BEGAN,
  toldSeq: 7,
  toldUptime: 500,
  process: 'b-1 ns 17 3',
};

describe('an intent and a wish', () => {
  it.each<[string, Partial<Intent>, Partial<NewWrite>, string | undefined]>([
    [
      'about the same subject, under way',
      { digest: 'e', state: 'open' },
      { isRunning: () => true },
      'under_way',
    ],
    ['about the same subject, left open', { digest: 'e', state: 'open' }, {}, undefined],
    ['about the same subject, unknown', { digest: 'e', state: 'unknown' }, {}, undefined],
    ['unknown', { state: 'unknown' }, {}, 'unsettled'],
    ['unknown, and nothing is paid twice', { state: 'unknown' }, { paysAgain: false }, 'unsettled'],
    ['open, and its process runs', { state: 'open' }, { isRunning: () => true }, 'under_way'],
    ['open, and its process is gone', { state: 'open' }, {}, 'unsettled'],
    ['applied, and nobody was told', {}, {}, 'untold'],
    ['applied, and nothing is paid twice', {}, { paysAgain: false }, undefined],
    ['applied, and another is wanted beside it', {}, { isPassed: () => true }, undefined],
    ['unknown, and another is wanted beside it', { state: 'unknown' }, { isPassed: () => true }, 'unsettled'],
    // Whatever a clock says: it may have been set back, or forward.
    ['applied and told last before we began', { toldAt: BEGAN + 60_000, toldSeq: 7 }, {}, 'repeated'],
    ['applied and told after we began', { toldAt: BEGAN - 60_000, toldSeq: 8 }, {}, 'untold'],
    ['applied and told with the row of its run', { toldAt: BEGAN + 1 }, {}, 'repeated'],
    // Two that are started at once may open the journal one after the other: then this machine's uptime tells.
    [
      'told after we began, before we opened the journal',
      STARTED_AT_ONCE,
      { began: { boot: 'b-1', uptime: 500 } },
      'untold',
    ],
    ['told before we began', STARTED_AT_ONCE, { began: { boot: 'b-1', uptime: 501 } }, 'repeated'],
    [
      'told before this machine was started again',
      STARTED_AT_ONCE,
      { began: { boot: 'b-2', uptime: 1 } },
      'repeated',
    ],
    [
      'told on a machine whose name begins alike',
      STARTED_AT_ONCE,
      { began: { boot: 'b', uptime: 1 } },
      'repeated',
    ],
    [
      'told by whom nobody knows',
      { ...STARTED_AT_ONCE, process: undefined },
      { began: { boot: 'b-1', uptime: 1 } },
      'repeated',
    ],
    ['told last by who began when nobody knows', STARTED_AT_ONCE, {}, 'repeated'],
    [
      'told before telling was numbered, whenever we began',
      { ...STARTED_AT_ONCE, toldSeq: undefined },
      { began: { boot: 'b-1', uptime: 1 } },
      'repeated',
    ],
    [
      'told when nobody knows',
      { ...STARTED_AT_ONCE, toldUptime: undefined },
      { began: { boot: 'b-1', uptime: 1 } },
      'repeated',
    ],
    ['told, and nobody asks about it', { toldAt: BEGAN, toldSeq: 7 }, { isAskedAbout: false }, undefined],
    [
      'told, and it has an id of the caller',
      { toldAt: BEGAN - 1, externalId: 'T' },
      { givenId: 'T' },
      undefined,
    ],
    ['untold for a day', { createdAt: BEGAN - REPEAT_WINDOW_MS }, {}, 'untold'],
    ['untold for longer', { createdAt: BEGAN - REPEAT_WINDOW_MS - 1 }, {}, 'repeated'],
    [
      'untold for longer, and nobody asks about it',
      { createdAt: BEGAN - REPEAT_WINDOW_MS - 1 },
      { isAskedAbout: false },
      'untold',
    ],
    [
      'untold for longer, with the same id of the caller',
      { createdAt: BEGAN - REPEAT_WINDOW_MS - 1, externalId: 'T' },
      { givenId: 'T' },
      'untold',
    ],
    ['of another id of the caller', { state: 'unknown', externalId: 'T' }, { givenId: 'U' }, undefined],
    [
      'unknown, of another key, before joins were read',
      { ...OTHER, state: 'unknown' },
      { joins: undefined },
      'other_key',
    ],
    ['applied, of another key, before joins were read', OTHER, { joins: undefined }, 'other_key'],
    ['unknown, of a key that is not joined', { ...OTHER, state: 'unknown' }, {}, 'other_key'],
    ['left open, of a key that is not joined', { ...OTHER, state: 'open' }, {}, 'other_key'],
    [
      'under way, of a key that is not joined',
      { ...OTHER, state: 'open' },
      { isRunning: () => true },
      undefined,
    ],
    ['applied, of a key that is not joined', OTHER, {}, undefined],
    [
      'unknown, of a key that is not joined, where nothing is paid twice',
      { ...OTHER, state: 'unknown' },
      { paysAgain: false },
      undefined,
    ],
    ['the same, passed', { ...OTHER, state: 'unknown' }, { isPassed: () => true }, undefined],
    [
      'the same, on this machine',
      { ...OTHER, ...LOCAL, state: 'unknown' },
      { account: { ...ACCOUNT, ...LOCAL } },
      undefined,
    ],
    ['unknown, of a key that is joined', { ...OTHER, state: 'unknown' }, { joins: [JOINED] }, 'unsettled'],
    [
      'unknown, of a key that is joined by word',
      { ...OTHER, state: 'unknown' },
      { joins: [{ ...JOINED, isProven: false }] },
      'unsettled',
    ],
    ['applied and not told, of a key that is joined', OTHER, { joins: [JOINED] }, 'untold'],
    ['of an id of the caller, and we give none', { state: 'unknown', externalId: 'T' }, {}, 'unsettled'],
    ['of no id, and we give one', { state: 'unknown' }, { givenId: 'U' }, 'unsettled'],
    [
      'of an id that was made for it',
      { state: 'unknown', externalId: 'T', madeId: true },
      { givenId: 'U' },
      'unsettled',
    ],
  ])('%s', (_, over, wished, kind) => {
    const one = intent(over);
    expect(earlierOf([one], wish(wished))).toStrictEqual(
      kind === undefined ? undefined : { kind, intent: one },
    );
  });
});

it.each<[string | undefined, string[], string | undefined]>([
  [undefined, [], 'untold'],
  [undefined, ['id:a'], 'untold'],
  ['id:a', [], 'untold'],
  ['id:a', ['id:a'], 'untold'],
  ['id:a', ['id:b'], undefined],
  ['id:a', ['ext:x'], 'perhaps'],
  ['ext:x', ['id:a'], 'perhaps'],
  ['ext:x', ['ext:y'], undefined],
  ['ext:x', ['id:a', 'ext:x'], 'untold'],
  ['ext:x', ['id:a', 'ext:y'], undefined],
  ['new:1', ['id:a'], undefined],
  ['id:a', ['new:1'], undefined],
  ['new:1', ['new:2'], undefined],
  ['new:1', ['new:1'], 'untold'],
])('the payer %j, where we have %j: %j', (payer, payers, kind) => {
  expect(earlierOf([intent({ payer })], wish({ payers }))?.kind).toBe(kind);
});

it('the first that stands in the way is told, behind those that do not', () => {
  const [told, other, unknown] = [
    intent({ id: 'i-3', toldAt: BEGAN - 5 }),
    intent({ id: 'i-2', payer: 'id:b' }),
    intent({ id: 'i-1', state: 'unknown', payer: 'id:a' }),
  ];
  const asks = wish({ payers: ['id:a'], isAskedAbout: false });
  expect(earlierOf([told, other, unknown], asks)).toEqual({ kind: 'unsettled', intent: unknown });
  expect(earlierOf([told, other], asks)).toBeUndefined();
  expect(earlierOf([], asks)).toBeUndefined();
});

it.each(['nobody', '', ':a', 'name:x'])('a payer that is named %j cannot be compared', (payer) => {
  expect(() => earlierOf([intent({ payer })], wish({ payers: ['id:a'] }))).toThrow(InvariantError);
  expect(() => earlierOf([intent({ payer: 'id:a' })], wish({ payers: [payer] }))).toThrow(InvariantError);
});

it.each<[Partial<Intent>, Partial<Intent>, boolean]>([
  [{}, {}, true],
  [{ externalId: 'A' }, { externalId: 'A' }, true],
  [{ externalId: 'A' }, { externalId: 'B' }, false],
  [{ externalId: 'A', madeId: true }, { externalId: 'B' }, true],
  [{ externalId: 'A' }, { externalId: 'B', madeId: true }, true],
  [{ externalId: 'A' }, {}, true],
  [{}, { externalId: 'B' }, true],
  [{ payer: 'id:a' }, { payer: 'id:a' }, true],
  [{ payer: 'id:a' }, { payer: 'id:b' }, false],
  [{ payer: 'id:a' }, { payer: 'ext:b' }, true],
  [{ payer: 'new:a' }, { payer: 'ext:b' }, false],
  [{ payer: 'id:a' }, {}, true],
  [{}, { payer: 'id:b' }, true],
])('%j and later %j may be one payment: %j', (earlier, later, may) =>
  expect(mayBeSamePayment(intent(earlier), intent(later))).toBe(may),
);

it('what a key that is not joined left unknown is told of, where it does not stand in the way', () => {
  const left = intent({ ...OTHER, ...LOCAL, id: 'left', state: 'unknown' });
  const local = { account: { ...ACCOUNT, ...LOCAL } };
  const ours = intent({ ...LOCAL, id: 'ours', state: 'unknown' });
  const applied = intent({ ...OTHER, ...LOCAL, id: 'applied' });
  expect(leftByOtherKey([applied, ours, left], wish(local))).toBe(left);
  expect(leftByOtherKey([applied, ours], wish(local))).toBeUndefined();
  expect(leftByOtherKey([left], wish({ ...local, paysAgain: false }))).toBeUndefined();
  expect(leftByOtherKey([left], wish({ ...local, payers: ['id:b'] }))).toBe(left);
  const joins = [{ ...JOINED, ...LOCAL }];
  expect(leftByOtherKey([left], wish({ ...local, joins }))).toBeUndefined();
  expect(leftByOtherKey([left], wish({ ...local, joins: undefined }))).toBe(left);
  const named = { ...left, payer: 'id:a' };
  expect(leftByOtherKey([named], wish({ ...local, payers: ['id:b'] }))).toBeUndefined();
});
