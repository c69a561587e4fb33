/**
 * The newest entries of a log: a bounded ring, found by id, paged newest first. Their long texts lie outside the heap: each lives
 * long enough to be moved among what stays for ever, and would leave a hole there.
 */
import { pageOf } from './rows.ts';
import type { Keeper, Page, Period, Whole, Window } from './whole.ts';

interface Entry {
  id: string;
  createdAt: number;
}

interface Kept<E> {
  id: string;
  createdAt: number;
  entry: E;
  /** In the order of the members; undefined where there is no text. */
  texts: (Buffer | undefined)[];
}

export class Recent<E extends Entry> implements Whole<E> {
  keeper: Keeper | undefined;
  #kept: Kept<E>[] = [];
  readonly #byId = new Map<string, Kept<E>>();
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
    const { id, createdAt } = entry;
    const texts = this.#long.map((name) => asBytes(entry[name]));
    const short = { ...entry };
    this.#long.forEach((name, i) => {
      if (texts[i]) short[name] = '' as E[keyof E];
    });
    const kept = { id, createdAt, entry: short, texts };
    this.#kept.push(kept);
    this.#byId.set(id, kept);
    this.keeper?.put(id, entry);
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

  get(id: string): E | undefined {
    const kept = this.#byId.get(id);
    return kept && this.#whole(kept);
  }

  page(period: Period, window: Window): Page<E> {
    const { rows, total } = pageOf(this.#kept.slice(-this.#limit), period, window);
    return { rows: rows.map((kept) => this.#whole(kept)), total };
  }

  #whole({ entry, texts }: Kept<E>): E {
    const whole = { ...entry };
    this.#long.forEach((name, i) => {
      if (texts[i]) whole[name] = String(texts[i]) as E[keyof E];
    });
    return whole;
  }
}

const asBytes = (value: unknown): Buffer | undefined =>
  typeof value === 'string' ? Buffer.from(value) : undefined;
