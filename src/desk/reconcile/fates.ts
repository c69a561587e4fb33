/**
 * The fates of the rows of two sides: the ending of each row, and the row of the other side that it goes
 * with. A row is given its ending once.
 */
import { invariant } from '../../core/invariants.ts';
import { codeOf, type Ending, endingOf } from './endings.ts';
import type { Side } from './side.ts';

export class Fates {
  readonly side: Side;
  readonly #endings: Uint8Array;
  /** The row of the other side that this one goes with; -1 where there is none. */
  readonly mate: Int32Array;

  constructor(side: Side) {
    this.side = side;
    this.#endings = new Uint8Array(side.count);
    this.mate = new Int32Array(side.count).fill(-1);
  }

  isOpen(row: number): boolean {
    return this.#endings[row] === 0;
  }

  of(row: number): Ending {
    const ending = endingOf(this.#endings[row] ?? 0);
    invariant(ending !== undefined, 'every row has an ending');
    return ending;
  }

  end(row: number, ending: Ending, mate = -1): void {
    invariant(this.isOpen(row), 'a pass takes no row that another took');
    this.#endings[row] = codeOf(ending);
    this.mate[row] = mate;
  }

  /** A row that is outside of the time that is compared: nothing is said about it. */
  leaveOut(row: number): void {
    this.#endings[row] = codeOf('outside');
    this.mate[row] = -1;
  }
}

/** Each way from a row of one side to the one of the other that perhaps is the same payment. */
export interface Perhaps {
  right: ReadonlyMap<number, number>;
  left: ReadonlyMap<number, number>;
}

export interface Matched {
  left: Fates;
  right: Fates;
  /** Rows that stand alone, and perhaps go together. */
  perhaps?: Perhaps;
}
