/** When a listener ends: Ctrl-C, so many deliveries, nobody reads what it says any more, or nothing can be kept any more. */
import type { Context } from '../context.ts';

type Reason = 'interrupt' | 'count' | 'reader_gone' | 'inbox_lost';

export interface ListenEnd {
  promise: Promise<void>;
  counted(): void;
  /** The first reason counts. */
  end(reason: Reason, failure?: Error): void;
  reason(): Reason;
  failure(): Error | undefined;
}

export function endSignal({ world }: Context, count: number | undefined): ListenEnd {
  let left = count ?? Number.POSITIVE_INFINITY;
  let why: { reason: Reason; failure: Error | undefined } | undefined;
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const end = (reason: Reason, failure?: Error): void => {
    why ??= { reason, failure };
    resolve();
  };
  if (world.interrupt.aborted) end('interrupt');
  world.interrupt.addEventListener('abort', () => end('interrupt'), { once: true });
  return {
    promise,
    end,
    reason: () => why?.reason ?? 'interrupt',
    failure: () => why?.failure,
    counted() {
      if (--left <= 0) end('count');
    },
  };
}
