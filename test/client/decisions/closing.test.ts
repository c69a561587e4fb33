/** How an intent is closed, and when a refusal that stands for an hour is believed. */
import { describe, expect, it } from 'vitest';
import { isMadeOtherwise, isRefusedForAnHour, overtakenBy, weighed } from '../../../src/client/closing.ts';
import { ApiError } from '../../../src/client/errors.ts';
import type { Outcome } from '../../../src/client/outcome.ts';

const HOUR = 3_600_000;
const NOW = 1_790_000_000_000;
const call = { operation: 'transactions.create', nonce: 'n', effect: 'money' as const };
const refusal = new ApiError(422, call, {
  ...{ fields: [], meta: {}, existing: {}, resource: undefined, isOwn: true },
});
type Unknown = Extract<Outcome<{ id: string }>, { kind: 'unknown' }>;
const refused: Unknown = { kind: 'unknown', error: refusal, refusedAgain: true };
const lost: Unknown = { kind: 'unknown', error: undefined };

describe('what was refused again, and not found', () => {
  it.each<[string, Unknown, number | undefined, number | undefined, boolean, unknown]>([
    // What was tried; since when looks find nothing; the service's time; a look alone; what stands then.
    ['the first time', refused, undefined, NOW, false, ['unknown', NOW, NOW + HOUR]],
    ['a moment before the hour', refused, NOW - HOUR + 1, NOW, false, ['unknown', NOW - HOUR + 1, NOW + 1]],
    ['after the hour', refused, NOW - HOUR, NOW, false, ['not_applied', NOW - HOUR, undefined]],
    ['long after it', refused, NOW - 9 * HOUR, NOW, false, ['not_applied', NOW - 9 * HOUR, undefined]],
    ['where the time of the service went back', refused, NOW + 1, NOW, false, ['unknown', NOW, NOW + HOUR]],
    [
      'where the service does not say its time',
      refused,
      undefined,
      undefined,
      false,
      ['unknown', undefined, undefined],
    ],
    [
      'where it does not say it any more',
      refused,
      NOW - HOUR,
      undefined,
      false,
      ['unknown', NOW - HOUR, undefined],
    ],
    ['by a look alone, after the hour', refused, NOW - HOUR, NOW, true, ['unknown', NOW - HOUR, undefined]],
    ['by a look alone, which begins no hour', lost, undefined, NOW, true, ['unknown', undefined, undefined]],
    ['by a look alone, which ends none', lost, NOW - 1, NOW, true, ['unknown', NOW - 1, undefined]],
    // What was sent just now may be on its way.
    ['lost again, after the hour', lost, NOW - HOUR, NOW, false, ['unknown', undefined, undefined]],
  ])('%s', (_, outcome, emptySince, date, isLook, stands) => {
    const { outcome: after, closing } = weighed(outcome, { emptySince, date, isLook });
    expect(closing.state).toBe(after.kind);
    expect([after.kind, closing.emptySince, 'overAt' in after ? after.overAt : undefined]).toEqual(stands);
  });

  it('says why, and hands on the refusal', () => {
    const { outcome, closing } = weighed(refused, { emptySince: NOW - HOUR, date: NOW, isLook: false });
    expect(outcome).toEqual({ kind: 'not_applied', error: refusal });
    expect(closing.note).toContain('refused it again');
  });
});

it.each<[Outcome<{ id: string }>, object]>([
  [
    { kind: 'applied', how: 'found', value: { id: 't-1' } },
    { state: 'applied', resultId: 't-1', note: 'found' },
  ],
  [
    { kind: 'not_applied', error: refusal },
    { state: 'not_applied', note: 'transactions.create answered 422' },
  ],
  [
    { kind: 'conflict', value: {}, differences: ['amount', 'sender'] },
    { state: 'conflict', note: 'differs in amount, sender' },
  ],
  [
    { kind: 'conflict', value: {}, differences: ['amount'], why: 'it was edited' },
    { state: 'conflict', note: 'it was edited' },
  ],
  [
    { kind: 'conflict', value: { id: 't-1' }, differences: ['amount'], madeFor: {} as never },
    { state: 'applied', resultId: 't-1', note: 'made otherwise: it differs in amount' },
  ],
  [
    { kind: 'conflict', value: { id: 'r-1' }, differences: [], undid: 'i-2' },
    { state: 'applied', resultId: 'r-1', note: 'found; it undid i-2' },
  ],
  [
    { kind: 'conflict', value: undefined, differences: [], overtakenBy: 'i-2' },
    { state: 'conflict', note: 'overtaken by i-2; it may have stood before' },
  ],
  [
    { kind: 'conflict', value: { id: 'r-1' }, differences: ['a'], undoneBy: 'i-2' },
    { state: 'conflict', note: 'undone by i-2, which arrived after it' },
  ],
])('the outcome %j ends any hour', (outcome, closing) => {
  for (const isLook of [false, true]) {
    const weighedAt = weighed(outcome, { emptySince: NOW - HOUR, date: NOW, isLook });
    expect(weighedAt.outcome).toBe(outcome);
    expect(weighedAt.closing).toMatchObject(closing);
    expect(weighedAt.closing.emptySince).toBeUndefined();
  }
});

it.each<[Outcome<{ id: string }>, string | undefined, boolean]>([
  [{ kind: 'conflict', value: { id: 't-1' }, differences: ['amount'], madeFor: {} as never }, 't-1', true],
  [{ kind: 'conflict', value: { id: 't-1' }, differences: ['amount'] }, undefined, false],
  [{ kind: 'applied', how: 'found', value: { id: 't-1' } }, 't-1', false],
  [{ kind: 'unknown', error: undefined, answeredId: 't-1' }, 't-1', false],
  [{ kind: 'unknown', error: undefined }, undefined, false],
  [{ kind: 'not_applied', error: refusal }, undefined, false],
])('the outcome %j keeps the id %s, and is kept as made otherwise: %s', (outcome, resultId, isOtherwise) => {
  const { closing } = weighed(outcome, { emptySince: undefined, date: NOW, isLook: true });
  expect(closing.resultId).toBe(resultId);
  expect(isMadeOtherwise(closing)).toBe(isOtherwise);
});

it.each<[Parameters<typeof isRefusedForAnHour>[0], boolean]>([
  [{ state: 'not_applied', emptySince: NOW }, true],
  [{ state: 'not_applied' }, false],
  [{ state: 'unknown', emptySince: NOW }, false],
])('%j is known to be refused for an hour: %s', (intent, is) => {
  expect(isRefusedForAnHour(intent)).toBe(is);
});

it.each<[string, string | undefined, boolean, string | undefined]>([
  ['applied', 'made otherwise: it differs in amount', true, undefined],
  ['conflict', 'made otherwise: it differs in amount', false, undefined],
  ['applied', 'found', false, undefined],
  ['applied', undefined, false, undefined],
  ['unknown', 'overtaken by i-2', false, 'i-2'],
  ['conflict', 'overtaken by i-2', false, undefined],
  ['unknown', 'not overtaken by i-2', false, undefined],
  ['unknown', undefined, false, undefined],
])('an intent that is %s with the note %s', (state, note, isOtherwise, newer) => {
  const intent = { state, note } as never;
  expect([isMadeOtherwise(intent), overtakenBy(intent)]).toEqual([isOtherwise, newer]);
});

it('an edit that a newer one overtook, and that was not found, says by which', () => {
  const outcome: Outcome<{ id: string }> = { kind: 'unknown', error: undefined, overtakenBy: 'i-2' };
  const { closing } = weighed(outcome, { emptySince: NOW, date: NOW, isLook: true });
  expect(closing).toEqual({
    state: 'unknown',
    note: 'overtaken by i-2',
    resultId: undefined,
    emptySince: NOW,
  });
});
