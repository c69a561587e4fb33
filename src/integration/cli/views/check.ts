import { toCell, type View } from '../../../frame/terminal/view.ts';
import { onboardingShape, pollingShape } from '../../../payments/shapes/service.ts';
import type { CheckResult } from '../../judged.ts';
import type { PollingRow } from '../../polling.ts';

const WORDS = { pass: 'pass', fail: 'FAIL', no_evidence: 'no evidence' } as const;

/** A demand as it was judged, as far as the log was read; the next step is spelt. */
export type CheckRow = Omit<CheckResult, 'next'> & { next: string | null; complete: boolean };

/** Most of the commands that are named are in one piece. */
const COMMAND = 22;

const exampleWords = ({ examples }: CheckRow, written: (id: string) => string): string =>
  examples.map(({ kind, id }) => `${kind} ${written(id)}`).join(', ');

export const onboardingView: View<CheckRow> = {
  shape: onboardingShape,
  columns: [
    { name: 'verdict', head: 'RESULT', get: (row) => WORDS[row.verdict] },
    { name: 'check', get: (row) => row.check },
    { name: 'says', wrap: true, least: 18, get: (row) => row.says },
    {
      name: 'examples',
      wrap: true,
      // The longest of its words.
      least: 11,
      priority: 2,
      brief: (_, row) => exampleWords(row, (id) => id.slice(0, 8)),
      get: (row) => exampleWords(row, (id) => id) || null,
    },
    { name: 'next', wrap: true, least: COMMAND, priority: 1, get: (row) => row.next },
  ],
};

export const pollingView: View<PollingRow> = {
  shape: pollingShape,
  empty: 'no reads were logged',
  columns: [
    { name: 'result', get: (row) => (row.beyond > 0 ? 'FAIL' : 'pass') },
    { name: 'what', wrap: true, least: 16, get: (row) => row.what },
    { name: 'day', get: (row) => row.day },
    { name: 'reads', right: true, get: (row) => toCell(row.reads) },
    { name: 'at_most', head: 'AT MOST', right: true, get: (row) => toCell(row.at_most) },
    { name: 'beyond', right: true, get: (row) => toCell(row.beyond) },
    { name: 'id', head: 'TRANSACTION', id: true, priority: 1, get: (row) => row.id },
  ],
};
