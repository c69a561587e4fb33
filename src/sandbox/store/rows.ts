/** Rows in the order they came, found by id and by one unique text, paged newest first without copying. */
import { invariant } from '../../core/invariants.ts';
import type { Page, Period, Window } from './whole.ts';

interface Row {
  id: string;
  createdAt: number;
}

/** `Object.assign` takes a slow way where the target has members already, and every move goes through here. */
export function assign<R extends object>(row: R, patch: Partial<R>): R {
  for (const name in patch) row[name] = patch[name] as R[typeof name];
  return row;
}

export class Rows<R extends Row> {
  readonly #rows: R[] = [];
  readonly #byId = new Map<string, R>();
  readonly #byKey = new Map<string, R>();
  readonly #keyOf: (row: R) => string | null;

  constructor(keyOf: (row: R) => string | null = () => null) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#rows.length;
  }

  insert(row: R): void {
    invariant(!this.#byId.has(row.id), `id ${row.id} is new`);
    this.#rows.push(row);
    this.#byId.set(row.id, row);
    this.#index(row);
  }

  all(): Iterable<R> {
    return this.#rows;
  }

  clear(): void {
    this.#rows.length = 0;
    this.#byId.clear();
    this.#byKey.clear();
  }

  get(id: string): R | undefined {
    return this.#byId.get(id);
  }

  byKey(key: string): R | undefined {
    return this.#byKey.get(key);
  }

  update(row: R, patch: Partial<R>): R {
    const before = this.#keyOf(row);
    assign(row, patch);
    const after = this.#keyOf(row);
    if (before !== after) {
      if (before !== null) this.#byKey.delete(before);
      this.#index(row);
    }
    return row;
  }

  page(period: Period, window: Window, keep?: (row: R) => boolean): Page<R> {
    const low = period.from === undefined ? 0 : this.#firstFrom(period.from);
    const high = period.to === undefined ? this.#rows.length : this.#firstFrom(period.to + 1);
    return keep
      ? filteredPage(this.#rows, low, high, window, keep)
      : pageOf(this.#rows, low, Math.max(low, high), window);
  }

  #index(row: R): void {
    const key = this.#keyOf(row);
    if (key === null) return;
    invariant(!this.#byKey.has(key), `key ${key} names one row`);
    this.#byKey.set(key, row);
  }

  /** Creation times never fall, so the first row at or after an instant is found by halving. */
  #firstFrom(at: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle]?.createdAt ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The window of `rows[low, high)` counted from its end. */
export function pageOf<R>(rows: readonly R[], low: number, high: number, window: Window): Page<R> {
  const picked: R[] = [];
  const start = high - 1 - (window.page - 1) * window.per;
  for (let i = start; i >= low && picked.length < window.per; i--) {
    const row = rows[i];
    if (row !== undefined) picked.push(row);
  }
  return { rows: picked, total: high - low };
}

function filteredPage<R>(
  rows: readonly R[],
  low: number,
  high: number,
  window: Window,
  keep: (row: R) => boolean,
): Page<R> {
  const picked: R[] = [];
  const skip = (window.page - 1) * window.per;
  let total = 0;
  for (let i = high - 1; i >= low; i--) {
    const row = rows[i];
    if (row === undefined || !keep(row)) continue;
    if (total >= skip && picked.length < window.per) picked.push(row);
    total += 1;
  }
  return { rows: picked, total };
}
