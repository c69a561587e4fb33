/**
 * One commit for many deliveries. What arrives in one turn of the event loop is kept together, and while one commit is on its
 * way to the disk the next one gathers: a durable commit takes as long for fifty deliveries as for one, so that the rate of
 * the intake is the network's, not the disk's. Nobody is answered before the commit of what they sent.
 */
export type Commit<T, R> = (items: readonly T[]) => Promise<readonly R[]>;

const MAX_ITEMS = 256;

/** What is returned resolves for each item with its own result; a commit that fails rejects all that were in it. */
export function groupCommit<T, R>(commit: Commit<T, R>): (item: T) => Promise<R> {
  const gathered: Waiting<T, R>[] = [];
  let busy = false;

  const run = async (): Promise<void> => {
    const group = gathered.splice(0, MAX_ITEMS);
    try {
      const results = await commit(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => {
        resolve(results[index] as R);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    if (gathered.length > 0) void run();
    else busy = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      if (busy) return;
      busy = true;
      setImmediate(() => void run());
    });
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}
