/**
 * A database of records (decision 0031): JSON texts in tables, each found by its id, by the columns that its table declares, and
 * in the order it came. Everything between two commits is there together or not at all. What the records mean is the caller's
 * business.
 */
export type ColumnValue = string | number | null;

export interface TableSpec {
  name: string;
  /** True where records are found by their id, which then names one of them. */
  byId: boolean;
  /** Values that records are found by, beside id and sequence. Names are lower case words joined by `_`. */
  columns: Readonly<Record<string, 'text' | 'integer'>>;
  /** Columns of which no two records share a value; null is no value. */
  unique: readonly string[];
  /** Columns that are often looked up, each by itself; records of one value then come in order. */
  indexed: readonly string[];
}

export interface RecordSpec {
  /** The words for the content of such a file, for people: `sandbox data`. */
  what: string;
  /** A 32-bit number that tells such files from others. */
  kind: number;
  version: number;
  tables: readonly TableSpec[];
}

export interface StoredRecord {
  /** Above zero; records keep theirs for ever. */
  sequence: number;
  id: string;
  body: string;
}

export interface NewRecord extends StoredRecord {
  columns: Readonly<Record<string, ColumnValue>>;
}

/** A value of these, or one in a range with both ends. `sequence` counts as a column. */
export type Condition =
  | { column: string; in: readonly ColumnValue[] }
  | { column: string; from?: string | number | undefined; to?: string | number | undefined };

export interface Selection {
  where: readonly Condition[];
  order: 'newest' | 'oldest';
  limit: number;
  offset: number;
}

export interface RecordTable {
  get(id: string): StoredRecord | undefined;
  /** The record with this value in a unique column; elsewhere the first. */
  find(column: string, value: ColumnValue): StoredRecord | undefined;
  select(selection: Selection): StoredRecord[];
  count(where: readonly Condition[]): number;
  /**
   * The first sequence from which on the values of a column are at least this: one after the newest where all are less. The
   * column's values never fall from one record to the next.
   */
  firstFrom(column: string, least: number): number;
  /** The sequence of the newest record; 0 when there is none. */
  lastSequence(): number;
  add(record: NewRecord): void;
  /** `columns` are those that changed: the others stay. */
  change(sequence: number, columns: NewRecord['columns'], body: string): void;
  remove(sequence: number): void;
  removeUpTo(sequence: number): void;
  clear(): void;
}

export interface RecordDatabase {
  /** A table that the specification declares. */
  table(name: string): RecordTable;
  /** Everything written since the last commit is on disk when this returns. */
  commit(): void;
  /** Forgets what was written since the last commit. */
  rollback(): void;
  close(): void;
}
