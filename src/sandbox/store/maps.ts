/** Records that come and go: a map in the order they came is enough. */
import { invariant } from '../../core/invariants.ts';
import type { TaskTable } from './port.ts';
import type { WebhookRecord } from './records.ts';
import { assign, pageOf } from './rows.ts';
import type { Task } from './task.ts';
import type { Page, Window } from './whole.ts';

export class RecordMap<R extends { id: string }> {
  protected readonly rows = new Map<string, R>();

  get size(): number {
    return this.rows.size;
  }

  insert(row: R): void {
    invariant(!this.rows.has(row.id), `id ${row.id} is new`);
    this.rows.set(row.id, row);
  }

  get(id: string): R | undefined {
    return this.rows.get(id);
  }

  update(row: R, patch: Partial<R>): R {
    return assign(row, patch);
  }

  remove(id: string): void {
    this.rows.delete(id);
  }

  all(): Iterable<R> {
    return this.rows.values();
  }

  clear(): void {
    this.rows.clear();
  }
}

export class WebhookMap extends RecordMap<WebhookRecord> {
  page(window: Window): Page<WebhookRecord> {
    return pageOf([...this.rows.values()], {}, window);
  }
}

export class TaskMap implements TaskTable {
  readonly #tasks = new Map<number, Task>();

  insert(task: Task): void {
    this.#tasks.set(task.sequence, task);
  }

  remove({ sequence }: Task): void {
    this.#tasks.delete(sequence);
  }

  all(): Iterable<Task> {
    return this.#tasks.values();
  }

  clear(): void {
    this.#tasks.clear();
  }
}
