/** The fates of the rows of two sides: the ending of each row, and the row of the other side that it goes with. */
import { invariant } from '../../core/invariants.ts';
import type { RowEnding } from './endings.ts';
import type { Side, SideRow } from './side.ts';

/** A row in one comparison: the same ledger is held against several sides. */
export class Fate {
  /** The row of the other side that this one goes with. */
  mate: Fate | undefined;
  /** The row of the other side that perhaps is the same payment, where both stand alone. */
  perhaps: Fate | undefined;
  /** The suggestion of a rule about this row and others. */
  suggestion: Suggestion | undefined;
  #ending: RowEnding | undefined;

  constructor(
    readonly row: SideRow,
    readonly side: Side,
  ) {}

  get isOpen(): boolean {
    return this.#ending === undefined;
  }

  get ending(): RowEnding {
    invariant(this.#ending !== undefined, 'every row has an ending');
    return this.#ending;
  }

  /** A row is given its ending once. */
  end(ending: RowEnding, mate?: Fate): void {
    invariant(this.isOpen, 'a pass takes no row that another took');
    this.#ending = ending;
    this.mate = mate;
  }

  /** The amounts differ by no more than a charge of the bank that a rule allows. */
  callCharge(): void {
    invariant(this.#ending === 'amount_differs', 'a charge is a difference of amounts');
    this.#ending = 'bank_charge';
  }

  /** Leaves out a row outside of the time that is compared. */
  leaveOut(): void {
    this.#ending = 'outside';
    this.mate = undefined;
  }
}

/** Not a decision: the rows stay differences until a person accepts it by its id. */
export interface Suggestion {
  /** The same for the same rows in every run; undefined where there are several answers: none can be accepted. */
  id: string | undefined;
  /** `tolerances: EUR`, as the file of rules has it. */
  rule: string;
  words: string;
  /** All rows that it is about. */
  rows: readonly Fate[];
  /** The charge of the bank, where it is about one. */
  charge?: bigint;
}

export interface PaymentPart {
  side: Side;
  /** Follows the order of the rows. */
  fates: readonly Fate[];
}

export interface Matched {
  left: PaymentPart;
  right: PaymentPart;
}

/** Both of a pair say that they go together: they stand in one line. */
export const isPair = (one: Fate): boolean => one.mate?.mate === one && one.mate.ending === one.ending;

export const isFateOpen = (one: Fate): boolean => one.isOpen;

export function endBoth(row: Fate, other: Fate, ending: RowEnding): void {
  row.end(ending, other);
  other.end(ending, row);
}

export const sumOf = (rows: readonly Fate[], of: 'amount' | 'back' = 'amount'): bigint =>
  rows.reduce((sum, { row }) => sum + row[of], 0n);
