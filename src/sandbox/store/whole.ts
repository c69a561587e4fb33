/** What every table of a sandbox is made of: pages, periods, and all of it at once. */
export interface Window {
  /** The first page is 1. */
  page: number;
  per: number;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** Both ends belong to the period; milliseconds. */
export interface Period {
  from?: number | undefined;
  to?: number | undefined;
}

/** What a snapshot needs of a table. */
export interface Whole<Row> {
  insert(row: Row): void;
  /** Oldest first. */
  all(): Iterable<Row>;
  clear(): void;
}
