/**
 * One commit for many (decision 0038). What comes in one turn of the event loop is committed together at its end, and while a
 * commit is on its way to the disk the next group gathers: a durable commit takes as long for thirty deliveries as for one, so
 * that the rate of the intake is the network's, not the disk's. A sender is answered only after the commit.
 */
import { invariant } from './invariants.ts';

/** The number that is told of its commit in one turn: whatever else came meanwhile need not wait for all of them. */
const TOLD_AT_ONCE = 16;

/** Answers one result for each item, in their order. */
export type Commit<T, R> = (items: readonly T[]) => Promise<readonly R[]>;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function whose promise resolves for each item with its own result; a commit that fails rejects all that
 * were in it.
 */
export function groupCommit<T, R>(commit: Commit<T, R>): (item: T) => Promise<R> {
  let gathered: Waiting<T, R>[] = [];
  let isBusy = false;

  const commitAll = async (): Promise<void> => {
    while (gathered.length > 0) {
      const group = gathered;
      gathered = [];
      await commitGroup(commit, group);
    }
    isBusy = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      setImmediate(() => void commitAll());
    });
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function commitGroup<T, R>(commit: Commit<T, R>, group: readonly Waiting<T, R>[]): Promise<void> {
  try {
    const results = await commit(group.map(({ item }) => item));
    invariant(results.length === group.length, 'everything that was committed has a result of its own');
    for (const [i, { resolve }] of group.entries()) {
      if (i > 0 && i % TOLD_AT_ONCE === 0) await nextTurn();
      resolve(results[i] as R);
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
