/** The newest entries of a log: a bounded ring, found by id, paged newest first. */

import { pageOf } from './rows.ts';
import type { Page, Period, Window } from './whole.ts';

interface Entry {
  id: string;
  createdAt: number;
}

export class Recent<E extends Entry> {
  #entries: E[] = [];
  readonly #byId = new Map<string, E>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return Math.min(this.#entries.length, this.#limit);
  }

  insert(entry: E): void {
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    const gone = this.#entries[this.#entries.length - 1 - this.#limit];
    if (gone) this.#byId.delete(gone.id);
    if (this.#entries.length >= this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
  }

  all(): Iterable<E> {
    return this.#entries.slice(-this.#limit);
  }

  clear(): void {
    this.#entries = [];
    this.#byId.clear();
  }

  get(id: string): E | undefined {
    return this.#byId.get(id);
  }

  page(period: Period, window: Window): Page<E> {
    return pageOf(this.#entries.slice(-this.#limit), period, window);
  }
}
