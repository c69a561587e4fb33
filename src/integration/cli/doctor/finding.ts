/** The finding of one check. */

import type { DataOf } from '../../../frame/shape.ts';
import type { checkShape } from '../../../payments/shapes/machine.ts';

export type Checked = DataOf<typeof checkShape>;

export const pass = (check: string, says: string): Checked => ({
  check,
  verdict: 'pass',
  says,
  next: null,
});
export const warn = (check: string, says: string, next: string | null = null): Checked => ({
  check,
  verdict: 'warn',
  says,
  next,
});
export const fail = (check: string, says: string, next: string | null = null): Checked => ({
  check,
  verdict: 'fail',
  says,
  next,
});
export const skip = (check: string, says: string): Checked => ({
  check,
  verdict: 'skip',
  says,
  next: null,
});
