/** When a listener ends: Ctrl-C, so many deliveries, or nobody reads what it says any more. */
import type { Context } from '../context.ts';

type Reason = 'interrupt' | 'count' | 'reader_gone';

export interface ListenEnd {
  promise: Promise<void>;
  counted(): void;
  /** The first reason counts. */
  end(reason: Reason): void;
  reason(): Reason;
}

export function endSignal({ world }: Context, count: number | undefined): ListenEnd {
  let left = count ?? Number.POSITIVE_INFINITY;
  let why: Reason | undefined;
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const end = (reason: Reason): void => {
    why ??= reason;
    resolve();
  };
  if (world.interrupt.aborted) end('interrupt');
  world.interrupt.addEventListener('abort', () => end('interrupt'), { once: true });
  return {
    promise,
    end,
    reason: () => why ?? 'interrupt',
    counted() {
      if (--left <= 0) end('count');
    },
  };
}
