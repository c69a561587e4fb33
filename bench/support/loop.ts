/** A closed loop: so many requests at once, each followed by the next as soon as it is answered. */
import { spent } from './processor.ts';
import type { Sample } from './turns.ts';

export interface LoopQuestion {
  count: number;
  concurrency: number;
}

export async function closedLoop(
  { count, concurrency }: LoopQuestion,
  once: () => Promise<unknown>,
): Promise<Sample> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await once();
  };
  const { micros, ms } = await spent(() => Promise.all(Array.from({ length: concurrency }, worker)));
  return { micros: micros / count, rate: (count / ms) * 1000 };
}
