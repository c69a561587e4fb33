/** What is said where the store fails while a run is paid: nothing is called not sent that may have been. */
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/disk/store-error.ts';
import type { PayRun, PayRuns, RowState } from '../../src/runs/store/port.ts';
import { storeFailed } from '../../src/runs/store-failed.ts';

const run = { id: 'a run', name: 'wages', rows: 5 } as PayRun;
const full = new StoreError('full', '/a/remit.db', 'no space');
const sumsOf = (states: Partial<Record<RowState, number>>) =>
  ({
    sums: async () => Object.entries(states).map(([state, rows]) => ({ state, rows })),
  }) as unknown as PayRuns;
const unreadable = { sums: () => Promise.reject(full) } as unknown as PayRuns;

describe('a store that fails while rows are paid', () => {
  it.each([
    [
      'rows are on their way',
      sumsOf({ created: 2, sending: 1, unknown: 1 }),
      'of 2 rows it is not known whether they were paid',
    ],
    ['one row is', sumsOf({ planned: 4, sending: 1 }), 'of 1 row it is not known whether it was paid'],
    ['nobody can look', unreadable, 'rows may have been sent'],
  ])('where %s, it is not known', async (_, payruns, words) => {
    expect(await storeFailed(payruns, run, full)).toMatchObject({
      facts: { category: 'unknown', outcome: 'unknown', outcomeNote: expect.stringContaining(words) },
      message: expect.stringContaining('the disk is full'),
    });
  });

  it('where every row has its answer, it says how many are paid for', async () => {
    expect(await storeFailed(sumsOf({ created: 1, planned: 4 }), run, full)).toMatchObject({
      facts: {
        category: 'config',
        outcome: 'not applied',
        outcomeNote: 'nothing is on its way; 1 of 5 rows is paid for',
      },
    });
  });

  it('leaves any other error as it is', async () => {
    const other = new TypeError('a defect');
    expect(await storeFailed(unreadable, run, other)).toBe(other);
  });
});
