/** Commands as plain data: for programs, for completion, and for the commands that print the tree. */

import type { DataOf } from '../shape.ts';
import type { commandShape, shapeSchemaShape } from './shapes.ts';

export type DescribedCommand = DataOf<typeof commandShape>;
export type DescribedFlag = DescribedCommand['flags'][number];
export type DescribedShape = DataOf<typeof shapeSchemaShape>;

/** The tree itself, handed to the commands that print it: they cannot import what loads them. */
export interface CommandTree {
  /** The first words: commands and groups. */
  names(): Promise<readonly string[]>;
  describe(): Promise<DescribedCommand[]>;
  shapes(): Promise<DescribedShape[]>;
}
