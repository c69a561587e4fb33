/**
 * Long work as steps, each of which says what it cost: run at once, or in slices with a turn of the event loop between two. A
 * step's cost is counted in records: no clock is asked.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Steps = Iterable<number>;

/** About ten milliseconds' work. */
const SLICE = 1_000;

export function inOneGo(steps: Steps): void {
  for (const _ of steps);
}

export async function inSlices(steps: Steps): Promise<void> {
  let cost = 0;
  for (const step of steps) {
    cost += step;
    if (cost < SLICE) continue;
    cost = 0;
    await nextTurn();
  }
}
