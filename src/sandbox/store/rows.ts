/** Records in plain maps and lists: found by id and by one unique text, counted by state, paged newest first. */
import { invariant } from '../../core/invariants.ts';
import type { Keeper, RecordKey, TablePage, TimeRange, Whole, Window } from './table-contract.ts';

interface Row {
  id: string;
  createdAt: number;
}

/** `Object.assign` takes a slow way where the target has members already, and every move goes through here. */
export function assign<R extends object>(row: R, patch: Partial<R>): R {
  for (const name in patch) row[name] = patch[name] as R[typeof name];
  return row;
}

/** Records by their ids, in the order they came. */
class Records<R extends object, Id extends RecordKey> implements Whole<R> {
  keeper: Keeper | undefined;
  protected readonly byId = new Map<Id, R>();

  get size(): number {
    return this.byId.size;
  }

  insert(row: R): void {
    const id = this.idOf(row);
    invariant(!this.byId.has(id), `id ${id} is new`);
    this.byId.set(id, row);
    this.keeper?.put(id, row);
  }

  get(id: Id): R | undefined {
    return this.byId.get(id);
  }

  /** After a commit that failed every record is another object: what was handed out before can change nothing. */
  update(row: R, patch: Partial<R>): R {
    const id = this.idOf(row);
    invariant(this.byId.get(id) === row, `${id} is held by one object`);
    assign(row, patch);
    this.keeper?.put(id, row);
    return row;
  }

  all(): Iterable<R> {
    return this.byId.values();
  }

  clear(): void {
    this.byId.clear();
    this.keeper?.clear();
  }

  protected idOf(row: R): Id {
    return (row as { id?: unknown }).id as Id;
  }
}

/** Records that come and go. */
export class RecordMap<R extends object, Id extends RecordKey = string> extends Records<R, Id> {
  remove(id: Id): void {
    if (this.byId.delete(id)) this.keeper?.remove(id);
  }
}

/** Records that stay: they are listed in the order they came. */
export class Rows<R extends Row> extends Records<R, string> {
  protected readonly rows: R[] = [];
  readonly #byKey = new Map<string, R>();
  readonly #keyOf: (row: R) => string | null;

  constructor(keyOf: (row: R) => string | null = () => null) {
    super();
    this.#keyOf = keyOf;
  }

  override insert(row: R): void {
    super.insert(row);
    this.rows.push(row);
    this.#index(row);
  }

  override clear(): void {
    super.clear();
    this.rows.length = 0;
    this.#byKey.clear();
  }

  byKey(key: string): R | undefined {
    return this.#byKey.get(key);
  }

  page(period: TimeRange, window: Window): TablePage<R> {
    return pageOf(this.rows, period, window);
  }

  override update(row: R, patch: Partial<R>): R {
    const before = this.#keyOf(row);
    super.update(row, patch);
    const after = this.#keyOf(row);
    if (before !== after) {
      if (before !== null) this.#byKey.delete(before);
      this.#index(row);
    }
    return row;
  }

  #index(row: R): void {
    const key = this.#keyOf(row);
    if (key === null) return;
    invariant(!this.#byKey.has(key), `key ${key} names one row`);
    this.#byKey.set(key, row);
  }
}

/** Rows whose states are counted as they change. */
export class CountedRows<R extends Row & { state: string }> extends Rows<R> {
  readonly #counts = new Map<string, number>();

  override insert(row: R): void {
    super.insert(row);
    this.#count(row.state, 1);
  }

  override update(row: R, patch: Partial<R>): R {
    const before = row.state;
    super.update(row, patch);
    if (row.state !== before) {
      this.#count(before, -1);
      this.#count(row.state, 1);
    }
    return row;
  }

  override clear(): void {
    super.clear();
    this.#counts.clear();
  }

  /** How many rows are in each state; states without any are left out. */
  states(): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count > 0));
  }

  #count(state: string, by: 1 | -1): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }
}

/** The rows of a period stand side by side: from the first place on, and before the second. */
function placesOf(rows: readonly { createdAt?: number }[], { from, to }: TimeRange): [number, number] {
  const low = from === undefined ? 0 : firstFrom(rows, from);
  const high = to === undefined ? rows.length : firstFrom(rows, to + 1);
  return [low, Math.max(low, high)];
}

/** Creation times never fall, so the first row at or after an instant is found by halving. */
function firstFrom(rows: readonly { createdAt?: number }[], at: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.createdAt ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows of a period, newest first. Without a filter only the page is looked at; with one every row of the period is, since the
 * total counts them all (decision 0031).
 */
export function pageOf<R extends { createdAt?: number }>(
  rows: readonly R[],
  period: TimeRange,
  { page, per }: Window,
  fits?: (row: R) => boolean,
): TablePage<R> {
  const [low, high] = placesOf(rows, period);
  const skip = (page - 1) * per;
  if (!fits) {
    const end = Math.max(low, high - skip);
    return { rows: rows.slice(Math.max(low, end - per), end).reverse(), total: high - low };
  }
  const found: R[] = [];
  let total = 0;
  for (let at = high - 1; at >= low; at--) {
    const row = rows[at] as R;
    if (!fits(row)) continue;
    if (total >= skip && found.length < per) found.push(row);
    total += 1;
  }
  return { rows: found, total };
}
