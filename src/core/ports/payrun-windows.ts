/**
 * The rows are divided into windows. Who pays takes a window for a while (a lease), and gets a number with it (a fence) that is
 * greater than any before it. An intent is written in the transaction that looks whether the fence is still the window's: who
 * slept past the end of its lease, and was replaced meanwhile, sends nothing new.
 */

/** A window that is taken: nobody else has it before `until`, unless this one gives it back. */
export interface Taken {
  runId: string;
  window: number;
  fence: number;
  /** By the caller's own clock, reckoned from before the store was asked: past this nothing new may be sent. */
  until: number;
}

export interface PayRunWindows {
  /**
   * The next window after `after` (-1 for the first) that nobody has, or whose lease is over by the store's own clock, and in
   * which a row is planned, sending or unknown. `worker` names who takes it; one that is known to be dead loses it at once.
   */
  take(
    id: string,
    worker: string,
    options: { after: number; leaseMs: number; isDead?: (worker: string) => boolean },
  ): Promise<Taken | undefined>;
  /** Some window of the run is in another's hands. */
  isTaken(id: string, worker: string): Promise<boolean>;
  /** A later `until`; undefined where somebody else has it meanwhile. */
  renew(taken: Taken, leaseMs: number): Promise<Taken | undefined>;
  giveBack(taken: Taken): Promise<void>;
}
