/** The finding of one check. */
export type CheckVerdict = 'pass' | 'warn' | 'fail' | 'skip';

export interface Checked {
  check: string;
  verdict: CheckVerdict;
  says: string;
  /** The command to type, or the thing to do. */
  next: string | null;
}

export const pass = (check: string, says: string): Checked => ({ check, verdict: 'pass', says, next: null });
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
export const skip = (check: string, says: string): Checked => ({ check, verdict: 'skip', says, next: null });
