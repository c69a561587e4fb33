/**
 * Rows that are asked for by what changes in them, such as their state: which rows have a value is kept as they change, and so is
 * the answer to the last few questions. A page then costs what is on it, however many rows do not fit and however deep it lies.
 */
import { Positions } from './positions.ts';
import { placesOf, Rows } from './rows.ts';
import type { Page, Period, Window } from './whole.ts';

export interface Question<R> {
  /** A row fits when each of these members has one of the values; undefined for any. */
  values: Readonly<Partial<Record<keyof R, readonly string[] | undefined>>>;
  /** What else is asked, and its name: questions of one name are the same. */
  more?: { name: string; fits: (row: R) => boolean; among?: Iterable<R> } | undefined;
}

interface Answer<R> {
  fits: (row: R) => boolean;
  places: Positions;
}

const ANSWERS_KEPT = 8;

export class FacetedRows<R extends { id: string; createdAt: number }> extends Rows<R> {
  /** The members, each a text, by which rows are chosen. */
  readonly #facets: readonly (keyof R)[];
  readonly #having: Map<string, Positions>[];
  readonly #answers = new Map<string, Answer<R>>();

  constructor(facets: readonly (keyof R)[], keyOf?: (row: R) => string | null) {
    super(keyOf);
    this.#facets = facets;
    this.#having = facets.map(() => new Map());
  }

  override insert(row: R): void {
    super.insert(row);
    const place = this.rows.length - 1;
    for (let i = 0; i < this.#facets.length; i++) this.#places(i, row).put(place, true);
    this.#answerAnew(row, place);
  }

  override update(row: R, patch: Partial<R>): R {
    for (let i = 0; i < this.#facets.length; i++) this.#leave(i, row, patch);
    super.update(row, patch);
    for (let i = 0; i < this.#facets.length; i++)
      if ((this.#facets[i] as keyof R) in patch) this.#places(i, row).put(this.placeOf(row), true);
    if (this.#answers.size > 0) this.#answerAnew(row, this.placeOf(row));
    return row;
  }

  override clear(): void {
    super.clear();
    for (const having of this.#having) having.clear();
    this.#answers.clear();
  }

  /** How many rows have each value of a facet; values that none has are left out. */
  tally(facet: keyof R): Record<string, number> {
    const having = this.#having[this.#facets.indexOf(facet)] ?? [];
    return Object.fromEntries([...having].flatMap(([value, { size }]) => (size > 0 ? [[value, size]] : [])));
  }

  ask(question: Question<R>, period: Period, { page, per }: Window): Page<R> {
    const places = this.#answer(question);
    const [low, high] = placesOf(this.rows, period);
    const found = places.newest({ low, high, skip: (page - 1) * per, take: per });
    return { rows: found.map((at) => this.rows[at] as R), total: places.count(low, high) };
  }

  #answer({ values, more }: Question<R>): Positions {
    const asked = this.#facets.flatMap((name, i) => {
      const wanted = values[name];
      return wanted ? [[i, wanted] as const] : [];
    });
    const [only] = asked;
    if (!more && asked.length === 1 && only?.[1].length === 1)
      return this.#having[only[0]]?.get(only[1][0] ?? '') ?? new Positions();
    const name = JSON.stringify([values, more?.name]);
    const known = this.#answers.get(name);
    const answer = known ?? this.#work(asked, more);
    this.#answers.delete(name);
    this.#answers.set(name, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > ANSWERS_KEPT && oldest !== undefined) this.#answers.delete(oldest);
    return answer.places;
  }

  #work(asked: readonly (readonly [number, readonly string[]])[], more: Question<R>['more']): Answer<R> {
    const fits = (row: R) =>
      asked.every(([i, values]) => values.includes(this.#value(i, row))) && (!more || more.fits(row));
    if (more?.among) {
      const places = new Positions();
      for (const row of more.among) if (fits(row)) places.put(this.placeOf(row), true);
      return { fits, places };
    }
    const sets = asked.map(([i, values]) => this.#withAny(i, values));
    const places = Positions.allOf(sets.length > 0 ? sets : [this.#withAny(0)]);
    const high = this.rows.length;
    const all = more ? places.newest({ low: 0, high, skip: 0, take: high }) : [];
    for (const at of all) if (!more?.fits(this.rows[at] as R)) places.put(at, false);
    return { fits, places };
  }

  /** Those with one of the values; with any, where none are named. */
  #withAny(facet: number, values?: readonly string[]): Positions {
    const having = this.#having[facet] as Map<string, Positions>;
    return Positions.anyOf(
      values ? [...new Set(values)].flatMap((value) => having.get(value) ?? []) : [...having.values()],
    );
  }

  #answerAnew(row: R, place: number): void {
    for (const { fits, places } of this.#answers.values()) places.put(place, fits(row));
  }

  /** Most changes are of other members: those cost a look at the patch. */
  #leave(facet: number, row: R, patch: Partial<R>): void {
    const name = this.#facets[facet] as keyof R;
    if (name in patch && patch[name] !== row[name])
      this.#having[facet]?.get(this.#value(facet, row))?.put(this.placeOf(row), false);
  }

  #value(facet: number, row: R): string {
    return row[this.#facets[facet] as keyof R] as string;
  }

  #places(facet: number, row: R): Positions {
    const having = this.#having[facet] as Map<string, Positions>;
    const value = this.#value(facet, row);
    const known = having.get(value);
    if (known) return known;
    const made = new Positions();
    having.set(value, made);
    return made;
  }
}
