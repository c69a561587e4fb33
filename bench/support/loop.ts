/** A closed loop: so many requests at once, each followed by the next as soon as it is answered. */
export interface LoopQuestion {
  count: number;
  concurrency: number;
}

export interface LoopAnswer {
  /** Requests a second. */
  rate: number;
  /** Time of the processor that one request took in this process, in microseconds. */
  cpuMicros: number;
  /** Bytes of text of the last answer, to see that all programs got the same. */
  bytes: number;
}

export async function closedLoop(
  { count, concurrency }: LoopQuestion,
  once: () => Promise<number>,
): Promise<LoopAnswer> {
  let left = count;
  let bytes = 0;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      bytes = await once();
    }
  };
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const ms = performance.now() - before;
  const cpu = process.cpuUsage(cpuBefore);
  return { rate: (count / ms) * 1000, cpuMicros: (cpu.user + cpu.system) / count, bytes };
}
