/** Who must act, what is allowed, and what is true to say, for every state and every reason of the contract. */
import { describe, expect, it } from 'vitest';
import { recipientCodes } from '../../src/contract/codes.ts';
import type { Recipient, Transaction } from '../../src/contract/resources/transaction.ts';
import { recipientStates } from '../../src/contract/states/recipient.ts';
import { span } from '../../src/core/amount-words.ts';
import { nextActionOf } from '../../src/payments/cases/next-action.ts';
import { refundByTheClock } from '../../src/payments/cases/recipient-lines.ts';
import { storyOf } from '../../src/payments/cases/story.ts';
import { recipientLines } from '../../src/payments/cli/views/recipient.ts';

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
    ['manual', '416', true, true, 'ask'],
    ['pending', '1', true, false, 'wait'],
    ['pending', '13', true, false, 'ask'],
    ['pending', '21', true, true, 'wait'],
    ['stuck', '12', true, false, 'ask'],
    ['overpaid', '0', false, false, 'ask'],
    ['exception', '13', false, false, 'ask'],
  ])('%s with %s (editable %s, may_cancel %s): %s', (state, code, editable, may_cancel, act) => {
    expect(nextActionOf(recipient({ state, editable, may_cancel, ...because(code) }), now).act).toBe(act);
  });

  it('a payout that is pending for more than a day is one to ask about', () => {
    const old = recipient({ state: 'pending', created_at: '2026-05-01T10:00:00Z' });
    expect(nextActionOf(old, now).act).toBe('ask');
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
            } = nextActionOf(recipient({ state, editable, may_cancel, ...because(code) }), now);
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
    const { refundInMs } = nextActionOf(recipient({ state: 'error' }), now);
    expect(refundInMs).toEqual({ earliest: 22 * HOUR, latest: 23 * HOUR });
  });

  it.each([
    ['paid', { state: 'success' }],
    ['not funded', { state: 'initial', transaction_state: 'approved' }],
    ['with nobody knowing whether it was paid', { state: 'stuck' }],
  ])('is none where it is %s', (_, members) => {
    expect(nextActionOf(recipient(members), now).refundInMs).toBeNull();
  });

  it('is none where the transaction switched it off', () => {
    expect(nextActionOf(recipient({ state: 'error' }), now, { autoRefund: false }).refundInMs).toBeNull();
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

describe('one that is cancelled', () => {
  const cancelled = recipient({ state: 'canceled' });

  it.each([
    [true, 'wait', /Your refund follows/],
    [undefined, 'wait', /If you had paid for it: your refund follows/],
    [false, null, /No money had come in for it, and nothing was paid out/],
  ])('paid in: %s', (paidIn, act, words) => {
    const next = nextActionOf(cancelled, now, { paidIn });
    expect(next.act).toBe(act);
    expect(next.tell).toMatch(words);
    if (paidIn === false) expect(next.because).not.toContain('if it was funded');
  });

  it.each([
    [undefined, /If you had paid/],
    [{ state: 'canceled', paid_amount: '0.0', input_amount: '5.0' }, /No money had come in/],
    [
      { state: 'canceled', paid_amount: '2.0', input_amount: '5.0' },
      /^The payment is cancelled. Your refund/,
    ],
    [{ state: 'canceled', input_amount: '5.0' }, /If you had paid/],
    [{ state: 'manual', paid_amount: '5.0', input_amount: '5.0' }, /^The payment is cancelled. Your refund/],
  ])('of the transaction %j', (transaction, words) => {
    const { standing } = storyOf(cancelled, now, { transaction: transaction as Transaction | undefined });
    expect(standing.tell_the_customer).toMatch(words);
  });
});

it.each(['success', 'refunded', 'canceled'])('nobody is told to act on one that is %s', (state) => {
  const lines = recipientLines(recipient({ state, ...because('416') }));
  const [, who] = lines.find((line) => line[0] === 'who must act') ?? [];
  expect(who).toMatch(/^nobody/);
});

describe('the automatic refund', () => {
  /** As the table of moves has them; a state that it leaves out has none. */
  it.each([
    ['received', true],
    ['mispaid', true],
    ['processing', true],
    ['manual', true],
    ['exception', true],
    ['initial', false],
    ['approved', false],
    ['pending', false],
    ['paid', false],
    ['canceled', false],
    ['refunded', false],
  ])('of a recipient in error inside a transaction that is %s: %s', (transaction_state, comes) => {
    const { refundInMs } = nextActionOf(recipient({ state: 'error', transaction_state }), now);
    expect(refundInMs !== null).toBe(comes);
  });

  it('is told by the clock at its earliest: a day after the creation, and not before', () => {
    const failed = recipient({ state: 'error', ...because('416') });
    const told = (at: number) => refundByTheClock(storyOf(failed, at));
    expect(told(now)).toBe('2026-05-03T10:00:00.000Z at the earliest, if it is still unpaid');
    // The time that it names stays while time passes.
    expect(told(now + 20 * HOUR)).toBe(told(now));
    expect(refundByTheClock(storyOf(recipient({ state: 'paid' }), now))).toBeNull();
  });
});
