/** What a state of a row says stands in one table: each screen, sum and list of SQL is made from it. */
import { expect, it } from 'vitest';
import { renderHint } from '../../../src/frame/output/render-hint.ts';
import { endingNotes } from '../../../src/runs/conclusion.ts';
import { groupStatus } from '../../../src/runs/pain002.ts';
import { summaryOfRun } from '../../../src/runs/run-summary.ts';
import { PAID_NOBODY_LIST } from '../../../src/runs/store/draft.ts';
import { TO_DO, UNDER_WAY } from '../../../src/runs/store/outcomes.ts';
import type { PayRun, RowState, RowSum } from '../../../src/runs/store/port.ts';
import { ROW_STATES, rowStates, rowStatesThat } from '../../../src/runs/store/port.ts';

it('each state says what it says, and no other', () => {
  expect(rowStatesThat(({ open }) => open)).toEqual(['planned', 'sending', 'unknown']);
  expect(rowStatesThat(({ unsure }) => unsure)).toEqual(['sending', 'unknown']);
  expect(rowStatesThat(({ takesMoney }) => takesMoney)).toEqual(['created', 'paid', 'in_error']);
  expect(rowStatesThat(({ endsWell }) => endsWell)).toEqual(['created', 'paid']);
  expect(rowStatesThat(({ exists }) => exists)).toEqual(['created', 'paid', 'in_error', 'refunded']);
});

it('what ends well took its money, what took money exists, and what is open did neither', () => {
  for (const state of ROW_STATES) {
    const { open, unsure, takesMoney, endsWell, exists } = rowStates[state];
    if (endsWell) expect(takesMoney, state).toBe(true);
    if (takesMoney) expect(exists, state).toBe(true);
    if (unsure) expect(open, state).toBe(true);
    if (open) expect(takesMoney || exists, state).toBe(false);
  }
});

it('the stores go by it', () => {
  expect(TO_DO).toEqual(['planned', 'sending', 'unknown']);
  expect(UNDER_WAY).toEqual(['sending', 'unknown']);
  expect(PAID_NOBODY_LIST).toBe("'refunded', 'cancelled', 'refused', 'conflict'");
});

const sum = (state: RowState): RowSum => ({
  state,
  type: 'NGN::Bank',
  currency: 'NGN',
  inputCurrency: 'EUR',
  rows: 1,
  amount: '100',
  estimate: '8',
  cost: '8',
  arrives: '100',
});
const wordsOf = (states: RowState[]): string => {
  const run = { name: 'wages', rows: states.length, state: 'approved', plan: '{"version":1}' } as PayRun;
  const summary = summaryOfRun(run, { sums: states.map(sum), found: [] });
  const spent = summary.spent.EUR ?? '0';
  const [note] = endingNotes(summary);
  return `${spent}: ${renderHint(note ?? '')}`;
};

it('a row in error is paid for: its money left the balance, and the service has it', () => {
  expect(wordsOf(['paid', 'created', 'in_error'])).toMatch(
    /^24: 3 of 3 rows are paid for; 1 is in error, and the service has the money until you act/,
  );
  expect(wordsOf(['paid', 'created', 'refunded'])).toMatch(/^16: 2 of 3 rows are paid for; 1 is refunded/);
  expect(wordsOf(['paid', 'created', 'refused'])).toMatch(/^16: 2 of 3 rows are paid for; 1 is refused/);
  expect(wordsOf(['in_error'])).toMatch(/^8: 1 of 1 row is paid for; 1 is in error/);
  expect(wordsOf(['refused'])).toMatch(/^0: No row is paid for; 1 is refused/);
});

it('a bank program hears of a group as its rows are', () => {
  const counts = (...states: RowState[]) =>
    Object.fromEntries(
      ROW_STATES.map((state) => [state, states.filter((one) => one === state).length]),
    ) as Record<RowState, number>;
  expect(groupStatus(counts('paid', 'created'), 2)).toBe('ACSP');
  expect(groupStatus(counts('paid', 'in_error'), 2)).toBe('PART');
  expect(groupStatus(counts('refused', 'conflict', 'refunded', 'cancelled', 'handed_on'), 5)).toBe('RJCT');
  expect(groupStatus(counts('sending', 'refused'), 2)).toBe('PDNG');
});
