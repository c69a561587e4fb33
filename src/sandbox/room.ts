/** A sandbox says that it is full while it still can: Node ends a program that finds no more room (decision 0031). */
import { getHeapStatistics } from 'node:v8';

/** Bytes. */
export interface Heap {
  /** The room of objects, those no longer needed included. */
  used: number;
  /** By the pages that the objects are on. */
  taken: number;
  limit: number;
}

export function heapOfNow(): Heap {
  const { used_heap_size: used, total_heap_size: taken, heap_size_limit: limit } = getHeapStatistics();
  return { used, taken, limit };
}

/** Beyond these shares the collector takes more and more of the time, and then the program ends. */
const MOST_TAKEN = 0.84;
const MOST_USED = 0.6;
/** Requests between two looks. */
const LOOK_EVERY = 50;

export class HeapRoom {
  readonly #heap: () => Heap;
  #sinceLook = LOOK_EVERY;
  #full: Heap | undefined;

  constructor(heap: () => Heap) {
    this.#heap = heap;
  }

  /** Why nothing more can be kept, and what to do about it, as a sentence; null while there is room. */
  get full(): string | null {
    this.#look();
    if (!this.#full) return null;
    const megabytes = Math.round(this.#full.limit / 1_048_576);
    return `the sandbox is full: it keeps everything in memory, and Node gives it ${megabytes} MB. Give Node more (NODE_OPTIONS=--max-old-space-size=${megabytes * 2}), or reset it`;
  }

  /**
   * Measures the memory now and then, and each time while the sandbox is full: a collection or a reset may have made
   * room.
   */
  #look(): void {
    this.#sinceLook += 1;
    if (!this.#full && this.#sinceLook < LOOK_EVERY) return;
    this.#sinceLook = 0;
    const heap = this.#heap();
    const { used, taken, limit } = heap;
    this.#full = taken > limit * MOST_TAKEN && used > limit * MOST_USED ? heap : undefined;
  }
}
