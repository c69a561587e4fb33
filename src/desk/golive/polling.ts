/** Reads a day by kind, and the transactions that were read most, against what the service asks for. */
import type { Call } from './evidence.ts';
import { readsPerDay, readsPerTransaction } from './reads.ts';

export interface PollingRow {
  what: string;
  /** Null for one transaction. */
  day: string | null;
  reads: number;
  /** Null for one transaction: what it may be read depends on its age. */
  at_most: number | null;
  beyond: number;
  /** Of the transaction. */
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
  const worst = readsPerTransaction(calls)
    .slice(0, WORST)
    .map(({ id, reads, beyond }) => ({
      what: 'one transaction',
      day: null,
      reads,
      at_most: null,
      beyond,
      id,
    }));
  return [...days, ...worst];
}
