/** A value that is kept beside the tables, one for the whole sandbox: the clock, the dice, the settings. */
export interface Piece {
  name: string;
  /** Plain JSON. */
  read(): unknown;
  /** Takes what `read` gave, in this process or an earlier one. */
  write(value: unknown): void;
}
