/**
 * A table whose records live on disk. Handlers change the objects they were given, so one id is one object for as long as it
 * may be held: what changed is written at the commit, or before a question that must see it; what has not been used for long
 * is forgotten between turns and read again.
 */
import { invariant } from '../../core/invariants.ts';
import type { ColumnValue, RecordTable, StoredRecord } from '../../core/ports/record-database.ts';
import type { Piece } from './pieces.ts';
import { assign } from './rows.ts';

export interface Shape<R> {
  columns?: (row: R) => Columns;
  /** The column whose value names one record, and that value; null for none. */
  key?: { column: string; of: (row: R) => string | null };
  /** Records are counted by this word as they change, and the counts kept under this name: nobody counts a million. */
  counts?: { name: string; of: (row: R) => string };
}

interface Entry<R> {
  row: R;
  sequence: number;
  changed: boolean;
  key: string | null;
  /** As they are in the database; null when it is not there yet, undefined until somebody is about to change it. */
  columns: Columns | null | undefined;
}

export type Columns = Record<string, ColumnValue>;

const ROWS_KEPT = 20_000;
const ROWS_READ_AT_ONCE = 500;

/** Every record that is written, oldest first, read in parts: whoever goes through them may let others work in between. */
export function* everyStored(table: RecordTable): Iterable<StoredRecord> {
  for (let after = 0; ; ) {
    const where = [{ column: 'sequence', from: after + 1 }];
    const found = table.select({ where, order: 'oldest', limit: ROWS_READ_AT_ONCE, offset: 0 });
    yield* found;
    const last = found.at(-1);
    if (!last) return;
    after = last.sequence;
  }
}

export class DurableTable<R extends { id: string }> {
  protected readonly table: RecordTable;
  readonly #shape: Shape<R>;
  readonly #note: () => void;
  readonly #live = new Map<string, Entry<R>>();
  readonly #byKey = new Map<string, Entry<R>>();
  readonly #changed = new Set<Entry<R>>();
  readonly #gone = new Set<number>();
  #cleared = false;
  #last = 0;
  #size = 0;
  #counts: Record<string, number> = {};

  constructor(table: RecordTable, note: () => void, shape: Shape<R> = {}) {
    this.table = table;
    this.#note = note;
    this.#shape = shape;
    this.#load();
  }

  /** Forgets everything that is not on disk. */
  reload(): void {
    this.#load();
  }

  #load(): void {
    this.#live.clear();
    this.#byKey.clear();
    this.#changed.clear();
    this.#gone.clear();
    this.#cleared = false;
    this.#last = this.table.lastSequence();
    this.#size = this.table.count([]);
  }

  get size(): number {
    return this.#size;
  }

  /** The sequence of the newest record. */
  protected get last(): number {
    return this.#last;
  }

  /** How many records there are of each word of `counts`. */
  protected get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** The counts, where there are some. */
  get piece(): Piece | undefined {
    const { counts } = this.#shape;
    return (
      counts && {
        name: counts.name,
        read: () => this.#counts,
        write: (value) => {
          this.#counts = { ...(value as Record<string, number>) };
        },
      }
    );
  }

  /** Counts all records: the file is of a version that kept no such counts. */
  recount(): void {
    this.#counts = {};
    for (const row of this.all()) this.#count(row, 1);
  }

  /** Records that are not written yet. */
  get waiting(): number {
    return this.#changed.size + this.#gone.size;
  }

  insert(row: R): void {
    /* What is not live is compared by the database, when it is written. */
    invariant(!this.#live.has(row.id), `id ${row.id} is new`);
    const key = this.#shape.key?.of(row) ?? null;
    invariant(key === null || !this.#byKey.has(key), `key ${key} names one row`);
    this.#last += 1;
    this.#size += 1;
    this.#count(row, 1);
    this.#mark(this.#keep({ row, sequence: this.#last, changed: false, key, columns: null }));
  }

  get(id: string): R | undefined {
    return this.#find(id)?.row;
  }

  byKey(key: string): R | undefined {
    const live = this.#byKey.get(key);
    if (live || this.#cleared || !this.#shape.key) return live?.row;
    const stored = this.table.find(this.#shape.key.column, key);
    /* One that is live under another key was renamed since. */
    return stored && !this.#isStale(stored) ? this.#adopt(stored).row : undefined;
  }

  update(row: R, patch: Partial<R>): R {
    const entry = this.#find(row.id);
    invariant(entry, `${row.id} is kept`);
    invariant(entry.row === row, `${row.id} is held by one object`);
    entry.columns ??= entry.columns === null ? null : this.#columnsOf(row);
    this.#count(row, -1);
    assign(row, patch);
    this.#count(row, 1);
    const key = this.#shape.key?.of(row) ?? null;
    if (key !== entry.key) this.#rename(entry, key);
    this.#mark(entry);
    return row;
  }

  remove(id: string): void {
    const entry = this.#find(id);
    if (!entry) return;
    this.#count(entry.row, -1);
    this.#drop(entry);
    this.#changed.delete(entry);
    this.#gone.add(entry.sequence);
    this.#size -= 1;
    this.#note();
  }

  /** Sees what was changed a moment ago. */
  select(selection: Parameters<RecordTable['select']>[0]): R[] {
    this.flush();
    return this.table.select(selection).map((stored) => this.#adopt(stored).row);
  }

  /** Records to be shown and not changed: one that nobody holds is not kept, however many pages are read. */
  protected shown(found: readonly StoredRecord[]): R[] {
    return found.map(({ id, body }) => this.#live.get(id)?.row ?? (JSON.parse(body) as R));
  }

  *all(): Iterable<R> {
    this.flush();
    for (const stored of everyStored(this.table))
      yield this.#live.get(stored.id)?.row ?? (JSON.parse(stored.body) as R);
  }

  clear(): void {
    this.#live.clear();
    this.#byKey.clear();
    this.#changed.clear();
    this.#gone.clear();
    this.#cleared = true;
    this.#size = 0;
    this.#counts = {};
    this.#note();
  }

  /** Writes what changed; it is on disk after the commit. */
  flush(): void {
    if (this.#cleared) this.table.clear();
    this.#cleared = false;
    for (const sequence of this.#gone) this.table.remove(sequence);
    this.#gone.clear();
    for (const entry of this.#changed) this.#write(entry);
    this.#changed.clear();
  }

  /** Between turns nobody holds a record: the ones that came first are forgotten. */
  evict(): void {
    if (this.#live.size <= ROWS_KEPT) return;
    for (const entry of this.#live.values()) {
      if (this.#live.size <= ROWS_KEPT / 2) return;
      if (!entry.changed) this.#drop(entry);
    }
  }

  #write(entry: Entry<R>): void {
    const { row, sequence } = entry;
    const before = entry.columns ?? undefined;
    const columns = this.#columnsOf(row);
    const body = JSON.stringify(row);
    if (before) this.table.change(sequence, changesOf(before, columns), body);
    else this.table.add({ sequence, id: row.id, columns, body });
    this.wrote(sequence, before, columns);
    entry.columns = columns;
    entry.changed = false;
  }

  /** For whoever must know what is in the database; `before` is undefined for a new record. */
  protected wrote(_sequence: number, _before: Columns | undefined, _after: Columns): void {}

  #count(row: R, by: 1 | -1): void {
    const { counts } = this.#shape;
    if (!counts) return;
    const word = counts.of(row);
    this.#counts[word] = (this.#counts[word] ?? 0) + by;
  }

  #find(id: string): Entry<R> | undefined {
    const live = this.#live.get(id);
    if (live || this.#cleared) return live;
    const stored = this.table.get(id);
    return stored && !this.#gone.has(stored.sequence) ? this.#adopt(stored) : undefined;
  }

  /** The object of this record: the one that is live, or a new one. */
  #adopt({ id, sequence, body }: StoredRecord): Entry<R> {
    const live = this.#live.get(id);
    if (live) return live;
    const row = JSON.parse(body) as R;
    const key = this.#shape.key?.of(row) ?? null;
    return this.#keep({ row, sequence, changed: false, key, columns: undefined });
  }

  #columnsOf(row: R): Columns {
    return this.#shape.columns?.(row) ?? {};
  }

  #isStale({ id, sequence }: StoredRecord): boolean {
    return this.#live.has(id) || this.#gone.has(sequence);
  }

  #keep(entry: Entry<R>): Entry<R> {
    this.#live.set(entry.row.id, entry);
    if (entry.key !== null) this.#byKey.set(entry.key, entry);
    return entry;
  }

  #drop({ row, key }: Entry<R>): void {
    this.#live.delete(row.id);
    if (key !== null) this.#byKey.delete(key);
  }

  #rename(entry: Entry<R>, key: string | null): void {
    const other = key === null ? undefined : this.byKey(key);
    invariant(other === undefined, `key ${key} names one row`);
    if (entry.key !== null) this.#byKey.delete(entry.key);
    entry.key = key;
    if (key !== null) this.#byKey.set(key, entry);
    /* Written after the one that gave this key up. */
    this.#changed.delete(entry);
    entry.changed = false;
  }

  #mark(entry: Entry<R>): void {
    if (entry.changed) return;
    entry.changed = true;
    this.#changed.add(entry);
    this.#note();
  }
}

/** An index is touched only where its column changed. */
function changesOf(before: Columns, after: Columns): Columns {
  const changes: Columns = {};
  for (const name in after) {
    const value = after[name] ?? null;
    if (before[name] !== value) changes[name] = value;
  }
  return changes;
}
