/** Keys that took the place of others, kept where the journal is, and where pay runs are: whoever works there knows them. */
import type { KeyJoin } from '../account.ts';

export interface KeyJoins {
  /** Durable when it resolves. One that stands already is kept; it becomes proven where this one is. */
  join(join: KeyJoin): Promise<void>;
  joins(): Promise<KeyJoin[]>;
}
