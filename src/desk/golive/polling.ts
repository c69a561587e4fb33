/** Reads a day by kind, and the worst of what is read again and again, against what the service asks for (docs/wire.md 13). */
import type { Call } from './evidence.ts';
import { readsPerDay, readsPerThing, readsPerTransaction } from './reads.ts';

export interface PollingRow {
  /** A kind of reads; one transaction; or what was asked for again and again, such as `/accounts/EUR`. */
  what: string;
  /** Null where all days count together. */
  day: string | null;
  reads: number;
  /** Null where it depends on when it was read. */
  at_most: number | null;
  beyond: number;
  /** The id of the transaction. */
  id: string | null;
}

const WORST = 3;

export function judgePolling(calls: readonly Call[]): PollingRow[] {
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
