/**
 * When what was put off is done: arrivals are unpacked, then keys are merged. Part by part, when nothing came for a second, or when
 * they are so many that a reader would wait, or that memory fills. Never in front of an answer.
 */
import type { Database } from '../driver.ts';
import type { Tail } from './tail.ts';
import { unpackPart } from './unpacking.ts';

/** A list has them unpacked first: in a second or two. */
const MANY_PACKED = 20_000;
/** Some 60 MB of prints. */
const MANY_UNMERGED = 200_000;
/** Those who wait for an answer wait for these too. */
const BESIDE_WORK = 100;
const IDLE_MS = 1000;
const LAST_PARTS = 8;

interface Merging {
  /** So many were kept. */
  kept(count: number): void;
  end(): void;
}

export function createMerging(database: Database, tail: Tail): Merging {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let busy = false;
  /** As far as this process knows. */
  let packed = 0;
  let some = false;
  /** What fails here is tried again: nothing depends on it but speed. */
  const attempt = (work: () => void) => {
    try {
      work();
    } catch {}
  };
  const unpack = (): boolean => {
    const moved = database.transaction(() => unpackPart(database, busy ? BESIDE_WORK : undefined));
    packed = moved === 0 ? 0 : Math.max(0, packed - moved);
    return moved > 0;
  };
  const isMuch = (): boolean => packed >= MANY_PACKED || tail.size() >= MANY_UNMERGED;
  const work = () => {
    soon = undefined;
    attempt(() => {
      const more = (!busy || packed >= MANY_PACKED) && unpack();
      const moreKeys = !more && (!busy || tail.size() >= MANY_UNMERGED) && tail.merge();
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
    kept(count) {
      busy = true;
      some = true;
      packed += count;
      if (!timer) wait();
      if (isMuch()) soon ??= setImmediate(work);
    },
    end() {
      clearTimeout(timer);
      clearImmediate(soon);
      timer = undefined;
      soon = undefined;
      busy = false;
      if (some) attempt(() => finish(unpack, tail));
    },
  };
}

/** Within a second or so: the rest is for the next one. */
function finish(unpack: () => boolean, tail: Tail): void {
  for (let part = 0; part < LAST_PARTS; part++) {
    if (!unpack() && !tail.merge()) return;
  }
}
