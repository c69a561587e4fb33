/** The differences that were found, each once, with how often and when. A value of a log gets in as a word of the wire, or as its form. */
import { isoTime } from '../../core/clock.ts';

export type DifferenceKind =
  | 'state'
  | 'order'
  | 'event'
  | 'member'
  | 'form'
  | 'code'
  | 'type'
  | 'status'
  | 'operation'
  | 'refusal'
  | 'delay';

export interface Difference {
  difference: DifferenceKind;
  /** The record and the member, or the operation, or the event: `recipient.state`. */
  where: string;
  /** A word of the wire, or the form of a value: `text(12)`. */
  seen: string;
  /** The operation or the event in which it was seen first. */
  within: string;
  times: number;
  /** Days in UTC. */
  first: string;
  last: string;
  /** The double in the same place. */
  ours: string;
}

export type Finding = Pick<Difference, 'difference' | 'where' | 'seen' | 'within' | 'ours'>;

/** A report of more is read by nobody. */
const MOST = 1_000;

export class Differences {
  readonly #found = new Map<string, Difference>();
  /** Kinds of difference that found no room. */
  left = 0;

  add(finding: Finding, at: number): void {
    const { difference, where, seen } = finding;
    const key = `${difference} ${where} ${seen}`;
    const day = isoTime(at).slice(0, 10);
    const known = this.#found.get(key);
    if (known !== undefined) {
      known.times += 1;
      if (day < known.first) known.first = day;
      if (day > known.last) known.last = day;
    } else if (this.#found.size < MOST) {
      const { within, ours } = finding;
      this.#found.set(key, { difference, where, seen, within, times: 1, first: day, last: day, ours });
    } else this.left += 1;
  }

  /** By kind, then by place. */
  get all(): Difference[] {
    const keyed = [...this.#found.values()].map(
      (one) => [`${one.difference} ${one.where} ${one.seen}`, one] as const,
    );
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  }
}
