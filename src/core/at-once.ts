/**
 * Works on many, a few at once: a service that is asked for a hundred things in one moment answers 429, and every request that
 * waits listens to the same signal. Ends with the first failure; what is under way then goes on.
 */
export async function atOnce<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const open = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of open) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
