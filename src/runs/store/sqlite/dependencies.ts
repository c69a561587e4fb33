import type { IntentWrites, StoreDependencies } from '../../../client/store/intent-writes.ts';
import type { Write } from '../../../disk/commit-together.ts';

export interface PayRunDependencies extends StoreDependencies {
  intents: IntentWrites;
  /** The journal's, where it is in the same file. */
  write: Write;
}

/** SQL for the number of a run, by its id. */
export const SEQ = '(SELECT seq FROM payruns WHERE id = ?)';
