import type { View } from '../../../frame/terminal/view.ts';
import { checkShape } from '../../../payments/shapes/machine.ts';
import type { Checked } from '../doctor/finding.ts';

const WORDS = { pass: 'pass', warn: 'warn', fail: 'FAIL', skip: 'skip' } as const;

export const findingView: View<Checked> = {
  shape: checkShape,
  columns: [
    { name: 'verdict', head: 'RESULT', get: (row) => WORDS[row.verdict] },
    { name: 'check', get: (row) => row.check },
    { name: 'says', wrap: true, get: (row) => row.says },
    { name: 'next', wrap: true, priority: 1, get: (row) => row.next },
  ],
};
