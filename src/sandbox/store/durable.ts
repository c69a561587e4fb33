/**
 * The store with a file beside it (decision 0031): each record and each piece that changed is written over its own row, and a
 * start reads the file once. Questions are answered from memory alone.
 */
import { type RecordDatabase, type StoredRecord, UnreadableRecords } from '../../disk/record-database.ts';
import type { Steps } from '../slices.ts';
import { memoryTables, tableNames } from './memory.ts';
import type { Durability, Piece, SandboxStore, TableName } from './port.ts';
import type { Task } from './records.ts';
import type { Keeper, RecordKey, Whole } from './table-contract.ts';

/** The kind of a row that holds a piece; the others have the names of their tables. */
const PIECE = 'pieces';
/** Records between two writes to the file that are not a commit. */
const AT_ONE_WRITE = 1_000;
const RECORDS_BETWEEN_LOOKS = 100;

interface KeptPiece {
  name: string;
  value: unknown;
}

/** Says why nothing more can be kept in memory; null while there is room. */
interface Memory {
  readonly full: string | null;
}

/** @throws UnreadableRecords, and what the file throws */
export function durableStore(
  data: RecordDatabase,
  memory: Memory = { full: null },
): SandboxStore & { durable: Durability } {
  const store = memoryTables();
  return Object.assign(store, { durable: new RowPerRecord(data, store, memory) });
}

class RowPerRecord implements Durability {
  onChange: () => void = () => {};
  readonly #data: RecordDatabase;
  readonly #store: SandboxStore;
  #kinds = new Map<TableName, Changes>();
  #pieces = new Map<string, { sequence: number; text: string }>();
  #last = 0;
  /** A table was cleared: everything is written anew at the next commit, which takes less than to look for its rows. */
  #anew = false;

  constructor(data: RecordDatabase, store: SandboxStore, memory: Memory) {
    this.#data = data;
    this.#store = store;
    this.#read(memory);
  }

  get isNew(): boolean {
    return this.#pieces.size === 0;
  }

  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#kinds.values()) sum += waiting;
    return sum;
  }

  piece(name: string): unknown {
    const kept = this.#pieces.get(name);
    return kept && (JSON.parse(kept.text) as KeptPiece).value;
  }

  commit(pieces: readonly Piece[]): void {
    if (this.#anew) for (const _ of this.rewriting());
    this.#write();
    for (const piece of pieces) this.#putPiece(piece);
    this.#data.commit();
  }

  rollback(): void {
    this.#data.rollback();
    this.#read();
  }

  *rewriting(): Steps {
    this.#data.clear();
    this.#startAnew();
    this.#keep();
    let count = 0;
    for (const [name, changes] of this.#kinds) {
      for (const row of tableOf(this.#store, name).all()) {
        changes.put(keyOf(name, row), row);
        count += 1;
        if (count % AT_ONE_WRITE === 0) this.#write();
        yield 1;
      }
    }
  }

  /** The tables are replaced by what the file says; a start looks whether there is memory for it. */
  #read(memory?: Memory): void {
    Object.assign(this.#store, memoryTables());
    this.#startAnew();
    for (const record of this.#data.all()) {
      this.#take(record);
      this.#last = record.sequence;
      const full = this.#last % RECORDS_BETWEEN_LOOKS === 0 ? memory?.full : null;
      if (full) throw new UnreadableRecords(full);
    }
    this.#keep();
  }

  #take({ sequence, kind, body }: StoredRecord): void {
    try {
      const value = JSON.parse(body);
      if (kind === PIECE) {
        this.#pieces.set((value as KeptPiece).name, { sequence, text: body });
        return;
      }
      const name = kind as TableName;
      tableOf(this.#store, name).insert(value);
      this.#kinds.get(name)?.sequences.set(keyOf(name, value), sequence);
    } catch (error) {
      throw new UnreadableRecords(
        `record ${sequence} of ${kind} cannot be read: ${(error as Error).message}`,
      );
    }
  }

  #startAnew(): void {
    const note = (cleared: boolean) => {
      this.#anew ||= cleared;
      this.onChange();
    };
    this.#kinds = new Map(tableNames.map((name) => [name, new Changes(note)]));
    this.#pieces = new Map();
    this.#last = 0;
    this.#anew = false;
  }

  #keep(): void {
    for (const [name, changes] of this.#kinds) tableOf(this.#store, name).keeper = changes;
  }

  /** To be kept or forgotten with everything else at the next commit or rollback. */
  #write(): void {
    for (const [name, changes] of this.#kinds) {
      for (const sequence of changes.removed) this.#data.remove(sequence);
      for (const [key, row] of changes.changed) {
        const sequence = changes.sequences.get(key) ?? this.#next();
        changes.sequences.set(key, sequence);
        this.#data.put({ sequence, kind: name, body: JSON.stringify(row) });
      }
      changes.written();
    }
  }

  #putPiece({ name, read }: Piece): void {
    const text = JSON.stringify({ name, value: read() } satisfies KeptPiece);
    const kept = this.#pieces.get(name);
    if (kept?.text === text) return;
    const sequence = kept?.sequence ?? this.#next();
    this.#pieces.set(name, { sequence, text });
    this.#data.put({ sequence, kind: PIECE, body: text });
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** The changes of a table since the last commit, and where its records lie in the file. */
class Changes implements Keeper {
  readonly sequences = new Map<RecordKey, number>();
  readonly changed = new Map<RecordKey, object>();
  removed: number[] = [];
  readonly #note: (cleared: boolean) => void;

  constructor(note: (cleared: boolean) => void) {
    this.#note = note;
  }

  get waiting(): number {
    return this.changed.size + this.removed.length;
  }

  put(key: RecordKey, row: object): void {
    this.changed.set(key, row);
    this.#note(false);
  }

  /** A record that came and went within a turn never touches the disk. */
  remove(key: RecordKey): void {
    this.changed.delete(key);
    const sequence = this.sequences.get(key);
    if (sequence !== undefined) this.removed.push(sequence);
    this.sequences.delete(key);
    this.#note(false);
  }

  clear(): void {
    this.#note(true);
  }

  written(): void {
    this.changed.clear();
    this.removed = [];
  }
}

const tableOf = (store: SandboxStore, name: TableName) => store[name] as Whole<object>;

function keyOf(name: TableName, row: object): RecordKey {
  return name === 'tasks' ? (row as Task).sequence : (row as { id: string }).id;
}
