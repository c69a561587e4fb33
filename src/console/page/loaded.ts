/** Data that a view reads, with each of their states: loading, there, failed, and there but stale since they could not be read again. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../wire.ts';
import { Failed } from './call.ts';

export interface Loaded<Data> {
  data: Data | undefined;
  /** Why the last look failed: what is shown is older then. */
  problem: Failure | undefined;
  isLoading: boolean;
}

/** Reads at once, and again where `of` changes or `again` is called. */
export function useLoaded<Data>(
  read: () => Promise<Data>,
  of: string,
): { now: Signal<Loaded<Data>>; again: () => Promise<void> } {
  const now = useSignal<Loaded<Data>>({ data: undefined, problem: undefined, isLoading: true });
  const latest = useSignal('');
  const again = async (): Promise<void> => {
    now.value = { ...now.value, isLoading: true };
    const mine = of;
    try {
      const data = await read();
      // An answer to an older question is not shown under a newer one.
      if (latest.value === mine) now.value = { data, problem: undefined, isLoading: false };
    } catch (error) {
      if (latest.value === mine) now.value = { ...now.value, problem: problemOf(error), isLoading: false };
    }
  };
  useEffect(() => {
    latest.value = of;
    now.value = { data: undefined, problem: undefined, isLoading: true };
    void again();
  }, [of]);
  return { now, again };
}

export function problemOf(error: unknown): Failure {
  if (error instanceof Failed) return error.problem;
  return {
    code: 'page',
    category: 'internal',
    message: `The page itself failed: ${error instanceof Error ? error.message : String(error)}`,
    next: null,
    outcome: null,
    fields: [],
  };
}
