/**
 * The windows of a run that are in this process's hands: taken one after the other, renewed while their rows are under way, and
 * given back when nothing of them is.
 */

import { isDeadWorker } from '../profiles/worker.ts';
import type { Lease, PayRuns } from './store/port.ts';

/** A window in our hands. */
export interface Held {
  lease: Lease;
  /** Rows that are under way. */
  open: number;
  /** Every row of it was begun, or none is begun any more. */
  isFed: boolean;
  /** Another process has it, or may: nothing new is sent for it. */
  isLost: boolean;
}

interface WindowsOf {
  runId: string;
  /** Names this process, as `profiles/worker.ts` has it. */
  worker: string;
  leaseMs: number;
  /** Hears of a store that fails, or of a defect. */
  onError(error: unknown): void;
}

/** How long a window stays with a worker of which nobody can tell that it is dead: behind PgBouncer, or after a power failure. */
export const LEASE_MS = 30_000;

export class Windows {
  readonly #payruns: PayRuns;
  readonly #of: WindowsOf;
  readonly #held = new Set<Held>();
  /** All that is under way: rows, and windows that are given back. */
  readonly #work = new Set<Promise<void>>();
  readonly #visited = new Set<number>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(payruns: PayRuns, of: WindowsOf) {
    this.#payruns = payruns;
    this.#of = of;
    this.#timer = setInterval(() => void this.#renewAll(), of.leaseMs / 3);
    this.#timer.unref();
  }

  /** The next window after `after` that this process did not go through yet. */
  async take(after: number): Promise<Held | undefined> {
    const { runId, worker, leaseMs } = this.#of;
    const isDead = (other: string): boolean => isDeadWorker(other, this.#payruns.isShared);
    for (let from = after; ; ) {
      const lease = await this.#payruns.take(runId, worker, { after: from, leaseMs, isDead });
      if (lease === undefined) return undefined;
      if (!this.#visited.has(lease.window)) {
        this.#visited.add(lease.window);
        const held: Held = { lease: lease, open: 0, isFed: false, isLost: false };
        this.#held.add(held);
        return held;
      }
      // Only unknown rows are left in it, and those were looked into.
      await this.#payruns.giveBack(lease);
      from = lease.window;
    }
  }

  isTakenByOthers(): Promise<boolean> {
    return this.#payruns.isTaken(this.#of.runId, this.#of.worker);
  }

  /** Something of a window is under way until `work` ends. */
  track(held: Held, work: Promise<void>): void {
    held.open += 1;
    const task: Promise<void> = work
      .catch(this.#of.onError)
      .then(() => {
        held.open -= 1;
        return held.isFed && held.open === 0 ? this.#giveBack(held) : undefined;
      })
      .then(() => {
        this.#work.delete(task);
      });
    this.#work.add(task);
  }

  /** Starts no more rows of this window; releases it after its last answer. */
  fed(held: Held): void {
    held.isFed = true;
    this.track(held, Promise.resolve());
  }

  /** The fence, or the row, was refused: a user may have cancelled the row alone. */
  async doubt(held: Held): Promise<void> {
    await this.#renew(held);
  }

  /** Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
    clearInterval(this.#timer);
  }

  async #giveBack(held: Held): Promise<void> {
    try {
      // Unsent rows of a lost window may be ours to send later.
      if (held.isLost) this.#visited.delete(held.lease.window);
      else await this.#payruns.giveBack(held.lease);
    } catch (error) {
      this.#of.onError(error);
    } finally {
      this.#held.delete(held);
    }
  }

  async #renewAll(): Promise<void> {
    for (const held of this.#held) {
      // A store that cannot be asked now is asked again; the lease goes on until it ends.
      if (!held.isLost) await this.#renew(held).catch(() => {});
    }
  }

  async #renew(held: Held): Promise<void> {
    const later = await this.#payruns.renew(held.lease, this.#of.leaseMs);
    if (later === undefined) held.isLost = true;
    else held.lease = later;
  }
}
