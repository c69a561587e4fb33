/**
 * When what was kept lately is merged. Keys go part by part, when nothing came for a second, or when they are so many that
 * memory fills; the indexes of lists, which cost little, as soon as a list would notice. Never in front of an answer.
 */
import type { Tail } from './tail.ts';

/** Some 60 MB of prints. */
const MUCH = 200_000;
/** A list reads them one by one, which it does for as many in a few hundredths of a second. */
const NOTICED = 50_000;
const IDLE_MS = 1000;
const LAST_PARTS = 4;

interface Merging {
  /** Something was kept. */
  later(): void;
  end(): void;
}

export function createMerging(tail: Tail): Merging {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let busy = false;
  let kept = false;
  /** What fails here is tried again: nothing depends on it but speed. */
  const attempt = (work: () => void) => {
    try {
      work();
    } catch {}
  };
  const work = () => {
    soon = undefined;
    attempt(() => {
      const more = tail.unlisted() >= NOTICED || !busy ? tail.list() : false;
      const moreKeys = tail.size() >= MUCH || !busy ? tail.merge() : false;
      if (!busy && (more || moreKeys)) soon ??= setImmediate(work);
    });
  };
  const whenIdle = () => {
    timer = undefined;
    if (!busy) return work();
    busy = false;
    wait();
  };
  const wait = () => {
    timer = setTimeout(whenIdle, IDLE_MS);
    timer.unref();
  };
  /* What an earlier process left. One that only reads ends before that. */
  wait();
  return {
    later() {
      busy = true;
      kept = true;
      if (!timer) wait();
      if (tail.size() >= MUCH || tail.unlisted() >= NOTICED) soon ??= setImmediate(work);
    },
    end() {
      clearTimeout(timer);
      clearImmediate(soon);
      timer = undefined;
      soon = undefined;
      if (kept) attempt(() => finish(tail));
    },
  };
}

/** Within a second or so: the rest is for the next one. */
function finish(tail: Tail): void {
  tail.list();
  for (let part = 0; part < LAST_PARTS && tail.merge(); part++);
}
