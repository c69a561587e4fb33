/** Reads a day by kind, and the worst of what is read again and again, against what the service asks for (docs/wire.md 13). */

import type { DataOf } from '../frame/shape.ts';
import type { pollingShape } from '../payments/shapes/service.ts';
import type { LoggedCall } from './evidence.ts';
import { readsPerDay, readsPerThing, readsPerTransaction } from './reads.ts';

export type PollingRow = DataOf<typeof pollingShape>;

const WORST = 3;

export function judgePolling(calls: readonly LoggedCall[]): PollingRow[] {
  const days = readsPerDay(calls).map(({ day, kind, reads, atMost }) => ({
    what: kind,
    day,
    reads,
    at_most: atMost,
    beyond: Math.max(0, reads - atMost),
    id: null,
  }));
  const ever = { day: null, at_most: null };
  const things = readsPerThing(calls)
    .slice(0, WORST)
    .map(({ thing, reads, beyond }) => ({ what: thing, ...ever, reads, beyond, id: null }));
  const transactions = readsPerTransaction(calls)
    .slice(0, WORST)
    .map(({ id, reads, beyond }) => ({ what: 'one transaction', ...ever, reads, beyond, id }));
  return [...days, ...things, ...transactions];
}
