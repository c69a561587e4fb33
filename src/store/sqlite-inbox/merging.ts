/**
 * When what was kept lately is merged: part by part, when nothing came for a second, or when it is so much that memory fills.
 * Never in front of an answer.
 */
import type { Tail } from './tail.ts';

/** Some 60 MB of prints. */
const MUCH = 200_000;
const IDLE_MS = 1000;

interface Merging {
  /** Something was kept. */
  later(): void;
  end(): void;
}

export function createMerging(tail: Tail): Merging {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let busy = false;
  /** What fails here is tried again: nothing depends on it but speed. */
  const merge = () => {
    soon = undefined;
    try {
      tail.merge();
    } catch {
      return;
    }
    if (!busy && tail.size() > 0) soon ??= setImmediate(merge);
  };
  const whenIdle = () => {
    timer = undefined;
    if (!busy) return merge();
    busy = false;
    wait();
  };
  const wait = () => {
    timer = setTimeout(whenIdle, IDLE_MS);
    timer.unref();
  };
  return {
    later() {
      busy = true;
      if (!timer) wait();
      if (tail.size() >= MUCH) soon ??= setImmediate(merge);
    },
    end() {
      clearTimeout(timer);
      clearImmediate(soon);
      timer = undefined;
    },
  };
}
