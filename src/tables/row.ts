/**
 * Rows as they are read from a file of payments, by the names of columns that remit knows, and the faults of
 * a row.
 */

import type { Hint } from '../core/next.ts';
import { type Problem, unsent } from '../core/problem.ts';

/** Canonical column to text. */
export type Cells = Readonly<Record<string, string>>;

export interface FileRow {
  /** Its place in the file, from 1. */
  n: number;
  /** Where a person finds it: `line 12`, `item 3`, `CdtTrfTxInf 4`. */
  at: string;
  /** A person may have typed it: in CSV and YAML. */
  isTyped?: boolean | undefined;
  /** By canonical column; a cell that is empty is left out. */
  cells: Cells;
}

export interface Fault {
  row: number | undefined;
  at: string | undefined;
  column: string | undefined;
  /** A machine word, stable across versions: `not_a_choice`. */
  code: string;
  /** The fault in words, without an account number and without a name. */
  words: string;
  /** The hint at what would be right: `did you mean 044?`. */
  right?: string | undefined;
}

/** Rows and faults in the order of the file, many at a time. */
export type Batches = AsyncIterable<readonly (FileRow | Fault)[]>;

export const isFault = (one: FileRow | Fault): one is Fault => 'code' in one;

export type RowPlace = Pick<FileRow, 'n' | 'at'>;

export const faultAt = (
  { n, at }: RowPlace,
  column: string | undefined,
  code: string,
  words: string,
  right?: string,
): Fault => ({ row: n, at, column, code, words, right });

/** A name of a column that came from outside, short enough to stand in a sentence. */
export const shortName = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

/** The problem of a file as a whole: none of its rows is used. */
export const fileProblem = (code: string, message: string, hint?: Hint): Problem =>
  unsent('usage', code, message, hint);

/** Returns the name of a file for sentences: `-` is standard input. */
export const wordsOfFile = (name: string): string => (name === '-' ? 'standard input' : name);
