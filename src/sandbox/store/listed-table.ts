/**
 * A table that is listed. Its records are never taken out one by one, so their sequences have no gap, and creation times never
 * fall: a page of all records, or of a period, is a range of sequences. Any other question goes on from a place that is known.
 */
import type { Condition } from '../../core/ports/record-database.ts';
import { type Columns, DurableTable } from './durable-table.ts';
import { type Asked, nearest, Places, remember } from './places.ts';
import type { Page, Period, Window } from './whole.ts';

/** Sequences, both ends included. */
interface Range {
  first: number;
  last: number;
}

export class ListedTable<R extends { id: string }> extends DurableTable<R> {
  readonly #places = new Places();

  /** `total` is known to some. */
  protected list(where: readonly Condition[], period: Period, window: Window, total?: number): Page<R> {
    this.flush();
    const range = this.#rangeOf(period);
    if (where.length === 0) return this.#pageOf(range, window);
    const { from, to } = period;
    const timed = from === undefined && to === undefined ? [] : [{ column: 'created_at', from, to }];
    const within = timed.length === 0 ? where : [...where, inRange(range)];
    const asked = this.#places.of([...where, ...timed], () => total ?? this.table.count(within));
    const rows = this.#window(asked, within, window);
    return { rows, total: asked.total };
  }

  override clear(): void {
    super.clear();
    this.#places.forget();
  }

  override reload(): void {
    super.reload();
    this.#places.forget();
  }

  protected override wrote(sequence: number, before: Columns | undefined, after: Columns): void {
    this.#places.wrote(sequence, before, after);
  }

  #pageOf({ first, last }: Range, { page, per }: Window): Page<R> {
    const newest = last - (page - 1) * per;
    const where = [inRange({ first: Math.max(first, newest - per + 1), last: newest })];
    const rows = newest < first ? [] : this.table.select({ where, order: 'newest', limit: per, offset: 0 });
    return { rows: this.shown(rows), total: Math.max(0, last - first + 1) };
  }

  #rangeOf({ from, to }: Period): Range {
    const { last } = this;
    const oldest = last - this.size + 1;
    /* Where everything was cleared, sequences go on from where they were, and the table has none to compare with. */
    return {
      first: from === undefined ? oldest : Math.max(oldest, this.table.firstFrom('created_at', from)),
      last: to === undefined ? last : this.table.firstFrom('created_at', to + 1) - 1,
    };
  }

  /** Records after the place, and before those the ones between it and the page, where it lies behind. */
  #window(asked: Asked, where: readonly Condition[], { page, per }: Window): R[] {
    const offset = (page - 1) * per;
    if (offset >= asked.total) return [];
    const place = nearest(asked, offset);
    const between = Math.max(0, place.ahead - offset);
    const above =
      between === 0
        ? []
        : this.table
            .select({
              where: [...where, { column: 'sequence', from: place.from }],
              order: 'oldest',
              limit: Math.min(per, between),
              offset: Math.max(0, between - per),
            })
            .reverse();
    const below =
      above.length === per
        ? []
        : this.table.select({
            where: place.ahead === 0 ? where : [...where, { column: 'sequence', to: place.from - 1 }],
            order: 'newest',
            limit: per - above.length,
            offset: Math.max(0, offset - place.ahead),
          });
    const found = [...above, ...below];
    const end = found.at(-1);
    if (end) remember(asked, { from: end.sequence, ahead: offset + found.length });
    return this.shown(found);
  }
}

const inRange = ({ first, last }: Range): Condition => ({ column: 'sequence', from: first, to: last });
