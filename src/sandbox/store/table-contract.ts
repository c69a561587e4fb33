/** The parts of every table of a sandbox: pages, periods, all of it at once, and who keeps it on disk. */
export interface Window {
  /** The first page is 1. */
  page: number;
  per: number;
}

export interface TablePage<Row> {
  rows: Row[];
  total: number;
}

/** Both ends belong to the period; milliseconds. */
export interface TimeRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** The name of a record among those of its table. */
export type RecordKey = string | number;

/** Hears of every change of a table, so that it can be written to disk. */
export interface Keeper {
  /** The record is new, or has changed. */
  put(key: RecordKey, row: object): void;
  remove(key: RecordKey): void;
  clear(): void;
}

/** The members of a table that a snapshot and a data file need. */
export interface Whole<Row> {
  /** Undefined for a table that lives in memory alone. */
  keeper?: Keeper | undefined;
  insert(row: Row): void;
  /** Oldest first. */
  all(): Iterable<Row>;
  clear(): void;
}
