/** The store of a sandbox as its parts know it: the tables, and with `durable` a file that keeps every change (decision 0031). */

import type { Steps } from '../slices.ts';
import type { memoryTables } from './memory.ts';

/** A value that is kept beside the tables, one for the whole sandbox: the clock, the dice, the settings. */
export interface Piece {
  name: string;
  /** Plain JSON. */
  read(): unknown;
  /** Takes what `read` gave, in this process or an earlier one. */
  write(value: unknown): void;
}

type Tables = ReturnType<typeof memoryTables>;

export type TableName = keyof Tables;

export interface SandboxStore extends Tables {
  /** Undefined for a store that forgets. */
  durable?: Durability;
}

export interface Durability {
  /** True while nothing was ever committed. */
  readonly isNew: boolean;
  /** Records that changed and are not written yet. */
  readonly waiting: number;
  /** Called at a change of a record. */
  onChange: () => void;
  /** The value of a piece at the last commit; undefined for one that there was not. */
  piece(name: string): unknown;
  /** Writes all records anew, instead of those that are there, a record a step: other tables took the place of the old ones. */
  rewriting(): Steps;
  /** Everything that changed, and the pieces, are on disk when this returns. */
  commit(pieces: readonly Piece[]): void;
  /** Reads everything again as it was at the last commit; objects that were handed out count no more. */
  rollback(): void;
}
