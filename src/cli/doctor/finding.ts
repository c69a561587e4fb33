/** What one check found. */
export type Verdict = 'pass' | 'warn' | 'fail' | 'skip';

export interface Finding {
  check: string;
  verdict: Verdict;
  says: string;
  /** What to type or do. */
  next: string | null;
}

export const pass = (check: string, says: string): Finding => ({ check, verdict: 'pass', says, next: null });
export const warn = (check: string, says: string, next: string | null = null): Finding => ({
  check,
  verdict: 'warn',
  says,
  next,
});
export const fail = (check: string, says: string, next: string | null = null): Finding => ({
  check,
  verdict: 'fail',
  says,
  next,
});
export const skip = (check: string, says: string): Finding => ({ check, verdict: 'skip', says, next: null });
