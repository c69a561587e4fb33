/**
 * One commit for many deliveries. What arrives in one turn of the event loop is kept together, and while commits are on their
 * way to the disk the next one gathers: a durable commit takes as long for thirty deliveries as for one, so that the rate of
 * the intake is the network's, not the disk's. Nobody is answered before the commit of what they sent.
 *
 * A group that is large enough does not wait for the end of the turn: all senders would be answered together, come again
 * together, and the disk would rest while they are verified, and they while it writes.
 */
export type Commit<T, R> = (items: readonly T[]) => Promise<readonly R[]>;

export interface GroupOptions {
  /** How many commits may be under way; more than one only where they are carried out in the order of the calls. */
  atOnce?: number;
}

const ENOUGH_ITEMS = 16;
const MAX_ITEMS = 256;

/** What is returned resolves for each item with its own result; a commit that fails rejects all that were in it. */
export function groupCommit<T, R>(
  commit: Commit<T, R>,
  { atOnce = 1 }: GroupOptions = {},
): (item: T) => Promise<R> {
  let gathered: Waiting<T, R>[] = [];
  let running = 0;
  let scheduled = false;

  const start = (): void => {
    if (running >= atOnce || gathered.length === 0) return;
    const group = gathered.length > MAX_ITEMS ? gathered.splice(0, MAX_ITEMS) : gathered;
    if (group === gathered) gathered = [];
    running += 1;
    void run(group);
  };

  const run = async (group: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const results = await commit(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => {
        resolve(results[index] as R);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    running -= 1;
    start();
  };

  const atTheEndOfTheTurn = (): void => {
    scheduled = false;
    start();
  };

  return (item) =>
    new Promise((resolve, reject) => {
      gathered.push({ item, resolve, reject });
      if (running >= atOnce) return;
      if (gathered.length >= ENOUGH_ITEMS && atOnce > 1) start();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(atTheEndOfTheTurn);
      }
    });
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}
