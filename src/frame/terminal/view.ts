/** One view per resource says its columns and its details; formats are generic and know no resource. */
import type { Look } from '../../core/look.ts';
import type { Shape } from '../shape.ts';

/** The look of a word; undefined for one that is no state. */
export type LookOf = (word: string) => Look | undefined;

export type Cell = string | null | undefined;

export interface Column<Row> {
  /** The name in `--fields`, CSV and text headings. */
  name: string;
  head?: string;
  get(row: Row): Cell;
  right?: boolean;
  /** A plain decimal: in CSV it stays a number, a negative one too. */
  amount?: boolean;
  /** The name of the column with its currency: in a spreadsheet the amount has that currency's decimals, and is added up. */
  currency?: string;
  /** An amount with its currency: in CSV each has a column of its own. By name where the view has it in `flat`. */
  apart?: readonly (Column<Row> | string)[];
  /** The order of what it means to the reader: 0 is never left out, the highest goes first where the terminal is narrow. */
  priority?: number;
  /** Words that may be cut to this width, with an ellipsis, on a terminal; of a time, to its day. */
  least?: number;
  /**
   * The number of characters at its end that are never cut, as the last four of an account: the text before
   * them is.
   */
  keepsEnd?: number;
  /** Sentences: where the terminal is narrow they go on in the next line, and the column is dropped only when even that fails. */
  wrap?: boolean;
  /** A long id: its first eight characters stand in a table, unless `--fields` names it. */
  id?: boolean;
  /** Returns the text for a table, where that is shorter. */
  brief?(value: string, row: Row): string;
  /** A time or a day: a table has it in the reader's zone, to the minute; a spreadsheet as a date. */
  time?: boolean;
  /** Coloured as a state word: how each word looks. */
  state?: LookOf;
  /** How it is coloured, where what stands in a table is no state word. */
  look?(row: Row): Look | undefined;
}

/** The columns of an amount and of its currency. */
export const apart = <Row>(
  amount: string,
  currency: string,
  get: (row: Row) => readonly [Cell, Cell],
): readonly Column<Row>[] => [
  { name: amount, amount: true, currency, get: (row) => get(row)[0] },
  { name: currency, get: (row) => get(row)[1] },
];

/** How much of a list is in the output: `meta` in its JSON. */
export interface ListMeta {
  /** True where nothing that matches is left out. */
  complete: boolean;
  /** Records that were read to find these. */
  looked_at: number;
  /** How many there are, filters of ours aside; null if not known. */
  total: number | null;
}

export interface View<Row> {
  /** The record as JSON has it: its kind, its version and its members. */
  shape: Shape;
  /** Members that its records have, and other records of the shape do not. */
  also?: readonly string[];
  columns: readonly Column<Row>[];
  /** CSV has these columns instead: there an amount and its currency are cells of their own. */
  flat?: readonly Column<Row>[];
  /** Columns whose values keep the totals of a spreadsheet apart: amounts of different ones are not added. */
  totalsBy?: readonly string[];
  /** Members that are worked out from a record, beside its own, in every format. */
  added?(row: Row): Readonly<Record<string, unknown>>;
  /** Lines for one record on its own; where absent, the columns as a list of names and values. */
  details?(row: Row): readonly DetailLine[];
  /** The words for an empty list. */
  empty?: string;
}

export interface DetailOptions {
  /** Coloured as a state word: how each word looks. */
  state?: LookOf | undefined;
  indent?: boolean;
  /** A sentence: on a terminal it goes on below itself. */
  wrap?: boolean;
}

export type DetailLine = readonly [label: string, value: Cell, options?: DetailOptions] | '';

/** Members that can be picked, so that a view's `get` stays plain. */
export const toCell = (value: unknown): Cell =>
  value === null || value === undefined ? null : String(value);
