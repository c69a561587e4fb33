/** What is only added to: bounded logs, used nonces, and tasks, which are read again at the next start alone. */
import type { RecordTable } from '../../core/ports/record-database.ts';
import { everyStored } from './durable-table.ts';
import { Nonces, REMEMBERED_NONCES } from './nonces.ts';
import type { TaskTable } from './port.ts';
import type { Task } from './task.ts';
import type { Page, Period, Window } from './whole.ts';

interface LogEntry {
  id: string;
  createdAt: number;
}

/** The newest entries; the others make room when they are written. */
export class DurableLog<E extends LogEntry> {
  readonly #table: RecordTable;
  readonly #limit: number;
  readonly #note: () => void;
  readonly #added = new Map<string, E>();
  #cleared = false;
  #last = 0;
  #first = 0;

  constructor(table: RecordTable, note: () => void, limit: number) {
    this.#table = table;
    this.#note = note;
    this.#limit = limit;
    this.reload();
  }

  reload(): void {
    this.#added.clear();
    this.#cleared = false;
    this.#last = this.#table.lastSequence();
    this.#first = this.#last - this.#table.count([]);
  }

  /** Entries are numbered without gaps. */
  get size(): number {
    return Math.min(this.#last + this.#added.size - this.#first, this.#limit);
  }

  get waiting(): number {
    return this.#added.size;
  }

  insert(entry: E): void {
    this.#added.set(entry.id, entry);
    this.#note();
  }

  get(id: string): E | undefined {
    this.flush();
    const stored = this.#table.get(id);
    return stored && (JSON.parse(stored.body) as E);
  }

  page({ from, to }: Period, { page, per }: Window): Page<E> {
    this.flush();
    const oldest = this.#first + 1;
    const first = from === undefined ? oldest : Math.max(oldest, this.#table.firstFrom('created_at', from));
    const last = to === undefined ? this.#last : this.#table.firstFrom('created_at', to + 1) - 1;
    const newest = last - (page - 1) * per;
    const where = [{ column: 'sequence', from: Math.max(first, newest - per + 1), to: newest }];
    const found = newest < first ? [] : this.#table.select({ where, order: 'newest', limit: per, offset: 0 });
    return { rows: found.map(({ body }) => JSON.parse(body) as E), total: Math.max(0, last - first + 1) };
  }

  *all(): Iterable<E> {
    this.flush();
    for (const { body } of everyStored(this.#table)) yield JSON.parse(body) as E;
  }

  clear(): void {
    this.#added.clear();
    this.#cleared = true;
    this.#first = this.#last;
    this.#note();
  }

  flush(): void {
    if (this.#cleared) this.#table.clear();
    this.#cleared = false;
    if (this.#added.size === 0) return;
    for (const entry of this.#added.values()) {
      this.#last += 1;
      const columns = { created_at: entry.createdAt };
      this.#table.add({ sequence: this.#last, id: entry.id, columns, body: JSON.stringify(entry) });
    }
    this.#added.clear();
    if (this.#last - this.#limit <= this.#first) return;
    this.#first = this.#last - this.#limit;
    this.#table.removeUpTo(this.#first);
  }
}

/** Memory serves the look-up, and the disk the next start. */
export class DurableNonces extends Nonces {
  readonly #table: RecordTable;
  readonly #note: () => void;
  #added: string[] = [];
  #cleared = false;
  #last = 0;

  constructor(table: RecordTable, note: () => void) {
    super();
    this.#table = table;
    this.#note = note;
    this.reload();
  }

  reload(): void {
    super.clear();
    this.#added = [];
    this.#cleared = false;
    this.#last = this.#table.lastSequence();
    const newest = { where: [], order: 'newest', limit: REMEMBERED_NONCES, offset: 0 } as const;
    for (const { id } of this.#table.select(newest).reverse()) super.insert({ id });
  }

  override insert(nonce: { id: string }): void {
    super.insert(nonce);
    this.#added.push(nonce.id);
    this.#note();
  }

  override clear(): void {
    super.clear();
    this.#added = [];
    this.#cleared = true;
    this.#note();
  }

  flush(): void {
    if (this.#cleared) this.#table.clear();
    this.#cleared = false;
    if (this.#added.length === 0) return;
    for (const id of this.#added) {
      this.#last += 1;
      this.#table.add({ sequence: this.#last, id, columns: {}, body: '' });
    }
    this.#added = [];
    this.#table.removeUpTo(this.#last - REMEMBERED_NONCES);
  }
}

/** A task that is added and taken within a turn never touches the disk. */
export class DurableTasks implements TaskTable {
  readonly #table: RecordTable;
  readonly #note: () => void;
  readonly #added = new Map<number, Task>();
  readonly #gone: number[] = [];
  #cleared = false;

  constructor(table: RecordTable, note: () => void) {
    this.#table = table;
    this.#note = note;
  }

  reload(): void {
    this.#added.clear();
    this.#gone.length = 0;
    this.#cleared = false;
  }

  get waiting(): number {
    return this.#added.size + this.#gone.length;
  }

  insert(task: Task): void {
    this.#added.set(task.sequence, task);
    this.#note();
  }

  remove({ sequence }: Task): void {
    if (!this.#added.delete(sequence)) this.#gone.push(sequence);
    this.#note();
  }

  *all(): Iterable<Task> {
    this.flush();
    for (const { body } of everyStored(this.#table)) yield JSON.parse(body) as Task;
  }

  clear(): void {
    this.reload();
    this.#cleared = true;
    this.#note();
  }

  flush(): void {
    if (this.#cleared) this.#table.clear();
    this.#cleared = false;
    for (const sequence of this.#gone) this.#table.remove(sequence);
    this.#gone.length = 0;
    for (const task of this.#added.values()) {
      const { sequence } = task;
      this.#table.add({ sequence, id: String(sequence), columns: {}, body: JSON.stringify(task) });
    }
    this.#added.clear();
  }
}
