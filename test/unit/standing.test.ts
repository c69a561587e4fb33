/** Who must act, what is allowed, and what is true to say, for every state and every reason of the contract. */
import { describe, expect, it } from 'vitest';
import { standingOf } from '../../src/cli/standing.ts';
import { span } from '../../src/cli/terminal/spans.ts';
import { recipientCodes } from '../../src/contract/codes.ts';
import type { Recipient } from '../../src/contract/resources/transaction.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';

const now = Date.parse('2026-05-02T12:00:00Z');
const HOUR = 3_600_000;
const recipient = (members: Partial<Recipient>): Recipient => ({
  id: 'r',
  created_at: '2026-05-02T10:00:00Z',
  transaction_state: 'received',
  ...members,
});
const because = (code: string) => ({ state_reason_details: { code } }) as Partial<Recipient>;

describe('who must act', () => {
  it.each([
    ['error', '416', true, true, 'edit'],
    ['error', '416', false, true, 'cancel'],
    ['error', '416', false, false, 'ask'],
    ['error', '3', true, true, 'wait'],
    ['error', '511', true, true, 'cancel'],
    ['manual', '3', true, true, 'ask'],
    ['manual', '416', true, true, 'edit'],
    ['pending', '1', true, false, 'wait'],
    ['pending', '13', true, false, 'ask'],
    ['pending', '21', true, true, 'wait'],
    ['stuck', '12', true, false, 'ask'],
    ['overpaid', '0', false, false, 'ask'],
    ['exception', '13', false, false, 'ask'],
  ])('%s with %s (editable %s, may_cancel %s): %s', (state, code, editable, may_cancel, act) => {
    expect(standingOf(recipient({ state, editable, may_cancel, ...because(code) }), now).act).toBe(act);
  });

  it('a payout that is pending for more than a day is one to ask about', () => {
    const old = recipient({ state: 'pending', created_at: '2026-05-01T10:00:00Z' });
    expect(standingOf(old, now).act).toBe('ask');
  });

  it('never advises what is not allowed, and always says something, for every state and code', () => {
    for (const state of Object.keys(recipientStates))
      for (const { code } of recipientCodes)
        for (const editable of [true, false])
          for (const may_cancel of [true, false]) {
            const {
              act,
              can,
              tell,
              because: why,
            } = standingOf(recipient({ state, editable, may_cancel, ...because(code) }), now);
            if (act === 'edit') expect(can).toContain('edit');
            if (act === 'cancel') expect(can).toContain('cancel');
            expect(tell).toMatch(/^[A-Z].*\.$/s);
            expect(why).not.toBe('');
            if (state !== 'refunded') expect(tell).not.toMatch(/money is back/);
            if (state !== 'success' && state !== 'overpaid') expect(tell).not.toMatch(/was paid out/);
          }
  });
});

describe('the time left to the automatic refund', () => {
  it('counts from the funding, which is within an hour of the creation', () => {
    const { refundInMs } = standingOf(recipient({ state: 'error' }), now);
    expect(refundInMs).toEqual({ earliest: 22 * HOUR, latest: 23 * HOUR });
  });

  it.each([
    ['paid', { state: 'success' }],
    ['not funded', { state: 'initial', transaction_state: 'approved' }],
    ['with nobody knowing whether it was paid', { state: 'stuck' }],
  ])('is none where it is %s', (_, members) => {
    expect(standingOf(recipient(members), now).refundInMs).toBeNull();
  });

  it('is none where the transaction switched it off', () => {
    expect(standingOf(recipient({ state: 'error' }), now, false).refundInMs).toBeNull();
  });
});

it.each([
  [999, '0s'],
  [59_000, '59s'],
  [3_599_000, '59m'],
  [5 * HOUR + 20 * 60_000, '5h 20m'],
  [23 * HOUR, '23h'],
  [76 * HOUR, '3d 4h'],
])('%i ms is %s', (ms, words) => {
  expect(span(ms)).toBe(words);
});
