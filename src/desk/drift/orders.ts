/** The states in which each thing was seen, and which of them no order of the double's moves explains. */
import type { Finding } from './differences.ts';
import { type MachineName, machines } from './machines.ts';

interface Sight {
  state: string;
  at: number;
  /** Answers are in the order in which the service gave them; deliveries may be late. */
  isFresh: boolean;
  within: string;
}

interface Thing {
  machine: MachineName;
  sights: Sight[];
}

type Found = Finding & { at: number };

export class Orders {
  readonly #things = new Map<string, Thing>();

  /** Logs are read from their end: a sight comes before those that were given earlier. */
  note(machine: MachineName, id: string, sight: Sight): void {
    if (!machines[machine].states.includes(sight.state)) return;
    const key = `${machine} ${id}`;
    const thing = this.#things.get(key) ?? { machine, sights: [] };
    this.#things.set(key, thing);
    const newest = thing.sights.at(-1);
    // The same state again says nothing new, and a log is long.
    if (newest?.state === sight.state && newest.isFresh === sight.isFresh)
      newest.at = Math.min(newest.at, sight.at);
    else thing.sights.push(sight);
  }

  *found(): Generator<Found> {
    for (const thing of this.#things.values()) yield* disorderOf(thing);
  }
}

function* disorderOf({ machine, sights }: Thing): Generator<Found> {
  const { leads, next } = machines[machine];
  const where = `${machine}.state`;
  const told = new Set<string>();
  const answers = sights.filter(({ isFresh }) => isFresh).reverse();
  answers.sort((a, b) => a.at - b.at);
  for (const [index, sight] of answers.entries()) {
    const before = answers[index - 1];
    if (before === undefined || leads(before.state, sight.state)) continue;
    told.add(pairOf(before.state, sight.state));
    const ours = `${before.state} leads to ${next(before.state).join(', ') || 'nothing'}`;
    const seen = `${before.state}, then ${sight.state}`;
    yield { difference: 'order', where, seen, within: sight.within, ours, at: sight.at };
  }
  for (const sight of sights.filter(({ isFresh }) => !isFresh)) {
    for (const { state } of sights) {
      const pair = pairOf(sight.state, state);
      if (told.has(pair) || leads(sight.state, state) || leads(state, sight.state)) continue;
      told.add(pair);
      const ours = `${sight.state} leads to ${next(sight.state).join(', ') || 'nothing'}`;
      yield { difference: 'order', where, seen: pair, within: sight.within, ours, at: sight.at };
    }
  }
}

const pairOf = (one: string, other: string): string => [one, other].sort().join(' and ');
