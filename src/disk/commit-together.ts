import { groupCommit } from '../core/group-commit.ts';
import type { Database } from './driver.ts';

/** Does the given work in one transaction, perhaps with others' writes. */
export type Write = <T>(write: () => T) => Promise<T>;

type Ended<T> = { value: T } | { error: unknown };

/**
 * One commit for what a turn of the event loop writes (decision 0046): sixty payments under way wait for the disk once. Where one
 * write of the group fails, nothing of the group stands, and each is done by itself, so that it fails alone.
 */
export function committedTogether(database: Database): Write {
  const commit = groupCommit<() => unknown, Ended<unknown>>(async (writes) => {
    try {
      return database.transaction(() => writes.map((write) => ({ value: write() })));
    } catch (error) {
      return writes.length === 1 ? [{ error }] : writes.map((write) => alone(database, write));
    }
  });
  return async <T>(write: () => T) => {
    const ended = (await commit(write)) as Ended<T>;
    if ('error' in ended) throw ended.error;
    return ended.value;
  };
}

function alone<T>(database: Database, write: () => T): Ended<T> {
  try {
    return { value: database.transaction(write) };
  } catch (error) {
    return { error };
  }
}
