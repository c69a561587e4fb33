/**
 * When what was put off is done: arrivals are unpacked, then keys are merged. All of it when nothing came for a second. While more
 * comes, only what is too much, a little after each so many that were kept: a reader has the arrivals unpacked first, and prints
 * fill the memory.
 */

import { StoreError } from '../../files/store-error.ts';
import type { Database } from '../driver.ts';
import type { Arrivals } from './arrivals.ts';
import type { Tail } from './tail.ts';
import { unpackPart } from './unpacking.ts';

/** A list has them unpacked first: in a second or two. */
const MANY_PACKED = 20_000;
/** Some 60 MB of prints. */
const MANY_UNMERGED = 200_000;
/** Kept between two looks, and twice as many are unpacked then: who waits for an answer waits for that. */
const BETWEEN = 100;
const IDLE_MS = 1000;
const LAST_PARTS = 8;

interface Merging {
  /** So many were kept. */
  kept(count: number): void;
  end(): void;
  /**
   * Before more is acknowledged, and at the end. @throws what keeps acknowledged deliveries from being moved, where trying again
   * does not help
   */
  check(): void;
}

export function createMerging(
  database: Database,
  { arrivals, tail }: { arrivals: Arrivals; tail: Tail },
): Merging {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let busy = false;
  /** As far as this process knows; other processes unpack too. */
  let packed: number | undefined;
  let since = 0;
  let failure: unknown;
  /** A file that is locked, or a disk that is full, passes: it is tried again. Anything else is kept, and told by `check`. */
  const attempt = (work: () => void) => {
    try {
      work();
      failure = undefined;
    } catch (error) {
      if (!passes(error)) failure = error;
    }
  };
  const unpack = (count?: number): boolean => {
    const moved = database.transaction(() => unpackPart(database, count));
    packed = moved === 0 ? 0 : Math.max(0, (packed ?? 0) - moved);
    return moved > 0;
  };
  const lessen = () => {
    const count = 2 * since;
    since = 0;
    attempt(() => {
      if ((packed ?? 0) >= MANY_PACKED) unpack(count);
      if (tail.size() >= MANY_UNMERGED) tail.merge();
    });
  };
  const work = () => {
    soon = undefined;
    if (busy) return;
    attempt(() => {
      if (unpack() || tail.merge()) soon = setImmediate(work);
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
      packed ??= arrivals.count() - count;
      packed += count;
      since += count;
      busy = true;
      if (!timer) wait();
      if (since >= BETWEEN) lessen();
    },
    end() {
      clearTimeout(timer);
      clearImmediate(soon);
      timer = undefined;
      soon = undefined;
      if (packed !== undefined) attempt(() => finish(unpack, tail));
    },
    check() {
      if (failure !== undefined) attempt(() => void unpack());
      if (failure !== undefined) throw failure;
    },
  };
}

const passes = (error: unknown): boolean =>
  error instanceof StoreError && (error.kind === 'busy' || error.kind === 'full');

/** Within a second or so: the rest is for the next one. */
function finish(unpack: () => boolean, tail: Tail): void {
  for (let part = 0; part < LAST_PARTS; part++) {
    if (!unpack() && !tail.merge()) return;
  }
}
