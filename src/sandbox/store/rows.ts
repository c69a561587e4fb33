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
  protected readonly rows: R[] = [];
  /** The place of each row. */
  readonly #places = new Map<string, number>();
  readonly #byKey = new Map<string, R>();
  readonly #keyOf: (row: R) => string | null;

  constructor(keyOf: (row: R) => string | null = () => null) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.rows.length;
  }

  insert(row: R): void {
    invariant(!this.#places.has(row.id), `id ${row.id} is new`);
    this.#places.set(row.id, this.rows.length);
    this.rows.push(row);
    this.#index(row);
  }

  all(): Iterable<R> {
    return this.rows;
  }

  clear(): void {
    this.rows.length = 0;
    this.#places.clear();
    this.#byKey.clear();
  }

  get(id: string): R | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.rows[place];
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

  /** Where the row stands among all, the oldest being the first. */
  protected placeOf({ id }: R): number {
    const place = this.#places.get(id);
    invariant(place !== undefined, `${id} is kept`);
    return place;
  }

  #index(row: R): void {
    const key = this.#keyOf(row);
    if (key === null) return;
    invariant(!this.#byKey.has(key), `key ${key} names one row`);
    this.#byKey.set(key, row);
  }
}

/** The rows of a period stand side by side: from the first place on, and before the second. */
export function placesOf(rows: readonly { createdAt: number }[], { from, to }: Period): [number, number] {
  const low = from === undefined ? 0 : firstFrom(rows, from);
  const high = to === undefined ? rows.length : firstFrom(rows, to + 1);
  return [low, Math.max(low, high)];
}

/** Creation times never fall, so the first row at or after an instant is found by halving. */
function firstFrom(rows: readonly { createdAt: number }[], at: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.createdAt ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a period, newest first; what is before and after the window is not looked at. */
export function pageOf<R extends { createdAt: number }>(
  rows: readonly R[],
  period: Period,
  { page, per }: Window,
): Page<R> {
  const [low, high] = placesOf(rows, period);
  const end = Math.max(low, high - (page - 1) * per);
  return { rows: rows.slice(Math.max(low, end - per), end).reverse(), total: high - low };
}
