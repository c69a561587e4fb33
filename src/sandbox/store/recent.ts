/**
 * The newest entries of a log, found by id, paged newest first: the oldest make room. Their long texts lie outside the heap: each
 * lives long enough to be moved among what stays for ever, and would leave a hole there.
 */
import { pageOf } from './rows.ts';
import type { Keeper, TablePage, TimeRange, Whole, Window } from './table-contract.ts';

export class Recent<E extends { id: string; createdAt?: number }> implements Whole<E> {
  keeper: Keeper | undefined;
  /** Long texts are bytes in these. */
  #kept: E[] = [];
  readonly #byId = new Map<string, E>();
  readonly #limit: number;
  readonly #long: readonly (keyof E)[];

  /** `long` are the members whose texts are long. */
  constructor(limit: number, long: readonly (keyof E)[] = []) {
    this.#limit = limit;
    this.#long = long;
  }

  get size(): number {
    return Math.min(this.#kept.length, this.#limit);
  }

  insert(entry: E): void {
    const kept = this.#with(entry, (text) => (typeof text === 'string' ? Buffer.from(text) : text));
    this.#kept.push(kept);
    this.#byId.set(entry.id, kept);
    this.keeper?.put(entry.id, entry);
    const gone = this.#kept[this.#kept.length - 1 - this.#limit];
    if (gone) {
      this.#byId.delete(gone.id);
      this.keeper?.remove(gone.id);
    }
    if (this.#kept.length >= this.#limit * 2) this.#kept = this.#kept.slice(-this.#limit);
  }

  *all(): Iterable<E> {
    for (const kept of this.#kept.slice(-this.#limit)) yield this.#whole(kept);
  }

  clear(): void {
    this.#kept = [];
    this.#byId.clear();
    this.keeper?.clear();
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): E | undefined {
    const kept = this.#byId.get(id);
    return kept && this.#whole(kept);
  }

  page(period: TimeRange, window: Window): TablePage<E> {
    const { rows, total } = pageOf(this.#kept.slice(-this.#limit), period, window);
    return { rows: rows.map((kept) => this.#whole(kept)), total };
  }

  #whole(kept: E): E {
    return this.#with(kept, (text) => (text instanceof Buffer ? text.toString() : text));
  }

  #with(entry: E, change: (text: unknown) => unknown): E {
    if (this.#long.length === 0) return entry;
    const changed = { ...entry };
    for (const name of this.#long) changed[name] = change(entry[name]) as E[keyof E];
    return changed;
  }
}
