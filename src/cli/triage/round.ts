import type { ExitCode } from '../exit-codes.ts';
import type { Done } from '../views/triage.ts';

/** What was done so far, and the worst of its exit codes. */
export interface Round {
  done: Done[];
  exit: ExitCode;
}
