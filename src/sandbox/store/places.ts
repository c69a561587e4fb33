/**
 * Questions that were asked page by page, and where their pages ended (decision 0049). A database passes over all rows before a
 * page; from a place that is known it passes over those since the place alone. Every write keeps the places true.
 */
import type { ColumnValue, Condition } from '../../core/ports/record-database.ts';

type Columns = Readonly<Record<string, ColumnValue>>;

/** So many records that fit have this sequence or a later one. */
interface Place {
  from: number;
  ahead: number;
}

export interface Asked {
  where: readonly Condition[];
  /** How many records fit. */
  total: number;
  places: Place[];
}

const QUESTIONS_KEPT = 8;
const PLACES_KEPT = 8;
/** Before the newest record. */
const START: Place = { from: Number.MAX_SAFE_INTEGER, ahead: 0 };

export class Places {
  readonly #asked = new Map<string, Asked>();

  /** The question, with what is known of it; `count` is asked for where it is a new one. */
  of(where: readonly Condition[], count: () => number): Asked {
    const name = JSON.stringify(where);
    const asked = this.#asked.get(name) ?? { where, total: count(), places: [] };
    this.#asked.delete(name);
    this.#asked.set(name, asked);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > QUESTIONS_KEPT && oldest !== undefined) this.#asked.delete(oldest);
    return asked;
  }

  /** A record was written; `before` is undefined for a new one. */
  wrote(sequence: number, before: Columns | undefined, after: Columns): void {
    for (const asked of this.#asked.values()) {
      const was = before !== undefined && fits(asked.where, before);
      const is = fits(asked.where, after);
      if (was !== is) move(asked, sequence, is ? 1 : -1);
    }
  }

  forget(): void {
    this.#asked.clear();
  }
}

function move(asked: Asked, sequence: number, by: 1 | -1): void {
  asked.total += by;
  for (const place of asked.places) if (sequence >= place.from) place.ahead += by;
}

/** The place that is nearest to a record, by how many come before it. */
export function nearest({ places }: Asked, offset: number): Place {
  const distance = ({ ahead }: Place) => Math.abs(ahead - offset);
  return places.reduce((best, place) => (distance(place) < distance(best) ? place : best), START);
}

export function remember(asked: Asked, place: Place): void {
  asked.places = [place, ...asked.places.filter(({ from }) => from !== place.from)].slice(0, PLACES_KEPT);
}

function fits(where: readonly Condition[], columns: Columns): boolean {
  return where.every((condition) => {
    const value = columns[condition.column] ?? null;
    if ('in' in condition) return condition.in.includes(value);
    const { from, to } = condition;
    return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
  });
}
