/**
 * A file of records (decision 0031): texts in rows, each found by its sequence alone. Everything between two commits is there
 * together or not at all. What the records mean is the caller's business.
 */
export interface StoredRecord {
  /** Above zero. A record keeps its own for ever. */
  sequence: number;
  kind: string;
  /** JSON. */
  body: string;
}

export interface RecordDatabase {
  /** Every record, in the order of their sequences. */
  all(): Iterable<StoredRecord>;
  /** Writes the record over the one of this sequence, or as a new one. */
  put(record: StoredRecord): void;
  remove(sequence: number): void;
  /** Removes every record. */
  clear(): void;
  /** Everything written since the last commit is on disk when this returns. */
  commit(): void;
  /** Forgets what was written since the last commit. */
  rollback(): void;
  close(): void;
}

/** The records of a file cannot be taken over; the message says why, as a sentence. */
export class UnreadableRecords extends Error {
  override readonly name = 'UnreadableRecords';
}
