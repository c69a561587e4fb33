import { describe, expect, it } from 'vitest';
import { isEventName } from '../../src/contract/events.ts';
import { isBack, isPaidOut } from '../../src/contract/states/money.ts';
import {
  payinMethodMoves,
  payinMethodStarts,
  payinMethodStates,
} from '../../src/contract/states/payin-method.ts';
import {
  isEditable,
  isNotStarted,
  isTriedAgain,
  isUnderWay,
  isWithProvider,
  isWithService,
  recipientStates,
} from '../../src/contract/states/recipient.ts';
import { recipientMoves } from '../../src/contract/states/recipient-moves.ts';
import { senderMoves, senderStarts, senderStates } from '../../src/contract/states/sender.ts';
import { findMove, type Move, type Start, type StateInfo } from '../../src/contract/states/state.ts';
import { transactionStates } from '../../src/contract/states/transaction.ts';
import { transactionMoves, transactionStarts } from '../../src/contract/states/transaction-moves.ts';

interface Table {
  states: Readonly<Record<string, StateInfo>>;
  moves: readonly Move<string, string>[];
  starts: readonly Start<string>[];
  count: number;
}

const tables: Record<string, Table> = {
  transaction: { states: transactionStates, moves: transactionMoves, starts: transactionStarts, count: 11 },
  recipient: { states: recipientStates, moves: recipientMoves, starts: [], count: 10 },
  sender: { states: senderStates, moves: senderMoves, starts: senderStarts, count: 7 },
  payin: { states: payinMethodStates, moves: payinMethodMoves, starts: payinMethodStarts, count: 10 },
};

describe.each(Object.entries(tables))('the table of a %s', (_name, { states, moves, starts, count }) => {
  it('knows every state the service has', () => {
    expect(Object.keys(states)).toHaveLength(count);
  });

  it('is closed: every row starts and ends in a known state and sends known events', () => {
    for (const row of [...moves, ...starts]) {
      if ('from' in row) expect(states).toHaveProperty(row.from);
      expect(states).toHaveProperty(row.to);
      expect(row.events.every(isEventName)).toBe(true);
      expect(row.says).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('says one thing for one state and one trigger', () => {
    const keys = moves.map((row) => `${row.from} ${row.on}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('gives a rule one sentence and one basis', () => {
    const byRule = new Map<string, string>();
    for (const row of moves) {
      const text = `${row.basis} ${row.says}`;
      expect(byRule.get(row.rule) ?? text).toBe(text);
      byRule.set(row.rule, text);
    }
  });

  it('keeps terminal states terminal, and lets every other one move', () => {
    for (const [state, { terminal }] of Object.entries(states)) {
      expect([state, moves.some((row) => row.from === state)]).toEqual([state, !terminal]);
    }
  });

  it('can reach every state', () => {
    const reached = new Set(starts.length > 0 ? starts.map((start) => start.to) : ['initial']);
    for (let grown = true; grown; ) {
      const next = moves.filter((row) => reached.has(row.from) && !reached.has(row.to));
      for (const row of next) reached.add(row.to);
      grown = next.length > 0;
    }
    expect([...reached].sort()).toEqual(Object.keys(states).sort());
  });
});

const names = (states: object): string[] => Object.keys(states).sort();
const from = (table: readonly Move<string, string>[], trigger: string): string[] =>
  table
    .filter(({ on }) => on === trigger)
    .map((row) => row.from)
    .sort();

describe('columns agree with the moves', () => {
  it.each([
    ['the payout starts', isNotStarted, 'payout_start'],
    ['the provider may stay silent', isUnderWay, 'payout_unanswered'],
    ['the service may give up', isTriedAgain, 'too_many_tries'],
    ['the service may wait for a mandate', isWithService, 'await_mandate'],
    ['the service may cancel by itself', isWithService, 'auto_refund'],
    ['a cancel is asked for', isWithProvider, 'request_cancel'],
    ['details change', isEditable, 'edit'],
  ] as const)('of a recipient, where %s', (_what, is, on) => {
    expect(names(recipientStates).filter(is)).toEqual(from(recipientMoves, on));
  });

  it.each([
    ['awaits funds', 'expire'],
    ['clearing', 'payin_failed'],
    ['running', 'partly_refunded'],
    ['called off', 'refund_by_hand'],
  ])('of a transaction whose stage is %s', (stage, on) => {
    const at = Object.entries(transactionStates).filter(([, info]) => info.stage === stage);
    expect(at.map(([state]) => state).sort()).toEqual(from(transactionMoves, on));
  });

  it('with each other: the mark in the books, and the end of a transaction', () => {
    for (const [state, { mark }] of Object.entries(recipientStates))
      expect([state, mark === 'paid', mark === 'refund']).toEqual([state, isPaidOut(state), isBack(state)]);
    for (const [state, { stage, terminal }] of Object.entries(transactionStates))
      expect([state, stage === 'over']).toEqual([state, terminal]);
  });
});

describe('what the service description states', () => {
  it('is marked as stated', () => {
    expect(findMove(transactionMoves, 'approved', 'expire')).toMatchObject({
      to: 'canceled',
      basis: 'stated',
    });
    expect(findMove(transactionMoves, 'received', 'all_paid')).toMatchObject({ to: 'paid', basis: 'stated' });
    expect(findMove(transactionMoves, 'pending', 'payin_mispaid')).toMatchObject({
      to: 'mispaid',
      basis: 'stated',
    });
    expect(findMove(recipientMoves, 'pending', 'payout_failed')).toMatchObject({
      to: 'error',
      basis: 'stated',
    });
    expect(findMove(recipientMoves, 'error', 'payout_paid')).toMatchObject({
      to: 'success',
      basis: 'stated',
    });
  });

  it('lets nothing fund a cancelled transaction, and nothing cancel a paid recipient', () => {
    expect(findMove(transactionMoves, 'canceled', 'fund')).toBeUndefined();
    expect(findMove(recipientMoves, 'success', 'cancel')).toBeUndefined();
  });
});
