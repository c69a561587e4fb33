/**
 * Hands kept deliveries on: at least once, in the order of each object, never again after that was recorded. A target that is
 * slow or dead holds up the objects it was asked about, and nothing of the intake. What fails is tried again later and later,
 * and given up at last; it stays in the inbox, and what comes after it passes.
 *
 * What happens if the process dies: before the attempt, nothing was sent, and the claim runs out; after the attempt and before
 * its record, the delivery is handed on once more under the same id; after the record, never.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { groupCommit } from '../../core/group-commit.ts';
import { invariant } from '../../core/invariants.ts';
import type { ForwardQueue, ForwardRecord, KeptDelivery } from '../store/port.ts';
import type { Attempt, Target } from './target.ts';

/** After each failed attempt; one more attempt than there are waits. */
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
const DEFAULT_ATTEMPTS = BACKOFF_MS.length + 1;

/** Longer than an attempt can take, so that no other process starts it meanwhile. */
const LEASE_SLACK_MS = 30_000;
/** All bodies that are being handed on take about so much: a target that is slow must not fill the memory. */
const HELD_BYTES = 8 * 1024 * 1024;
/** With several listeners on one inbox, what another one kept or lost is found by looking. */
const LOOK_MS = 1_000;
/** How long giving back what was broken off may take. */
const GIVE_BACK_MS = 2_000;
/** Another owner may hold due ones. */
const IDLE_MS = 50;

export interface ForwardingOptions {
  inbox: Pick<ForwardQueue, 'claim' | 'record'>;
  target: Target;
  /** Names this process; no other has the same. */
  owner: string;
  /** How many deliveries are handed on at once, over all objects. */
  concurrency: number;
  /** The longest that one attempt takes. */
  attemptMs: number;
  /** How many attempts before it is given up. By default eight, over an hour and a half. */
  attempts?: number | undefined;
  onAttempt: (delivery: KeptDelivery, attempt: Attempt, outcome: ForwardRecord['outcome']) => void;
  /** The inbox did not answer; it is asked again. */
  onError: (error: unknown) => void;
}

export class Forwarding {
  readonly #options: ForwardingOptions;
  /** Resolves when it is recorded what became of one attempt. */
  readonly #record: (record: ForwardRecord) => Promise<void>;
  /** Ids of what is being handed on. After a pause of the machine a claim of our own may have run out while we were at it. */
  readonly #running = new Set<string>();
  readonly #breakOff = new AbortController();
  #heldBytes = 0;
  #isClaiming = false;
  #isWanted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #whenIdle = (): void => {};

  constructor(options: ForwardingOptions) {
    this.#options = options;
    this.#record = groupCommit(async (records) => {
      await this.#recordAll(records);
      return records.map(() => undefined);
    });
    this.wake();
  }

  /** How many attempts are under way. */
  get busy(): number {
    return this.#running.size;
  }

  /** Call it when something new waits. */
  wake(): void {
    if (this.#isStopped) return;
    if (this.#isClaiming) this.#isWanted = true;
    else void this.#look();
  }

  /** Starts nothing new and waits for what was begun, at most so long; then it is broken off, and given back. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#idle(withinMs);
    this.#breakOff.abort();
    await this.#idle(GIVE_BACK_MS);
  }

  async #look(): Promise<void> {
    this.#isClaiming = true;
    this.#isWanted = false;
    try {
      await this.#claim();
    } catch (error) {
      this.#trouble(error);
      this.#lookIn(LOOK_MS);
    }
    this.#isClaiming = false;
    if (this.#isWanted) this.wake();
    this.#tellIdle();
  }

  async #claim(): Promise<void> {
    const { inbox, owner, concurrency, attemptMs } = this.#options;
    const limit = concurrency - this.#running.size;
    const bytes = HELD_BYTES - this.#heldBytes;
    if (limit <= 0 || bytes <= 0) return;
    const { deliveries, nextInMs } = await inbox.claim({
      owner,
      limit,
      bytes,
      leaseMs: attemptMs + LEASE_SLACK_MS,
    });
    const objects = new Set(deliveries.map(({ objectId }) => objectId));
    invariant(deliveries.length <= limit, 'no more is claimed than was asked for');
    invariant(objects.size === deliveries.length, 'two deliveries of one object are never claimed at once');
    for (const delivery of deliveries) void this.#handOn(delivery);
    this.#lookIn(Math.max(nextInMs ?? LOOK_MS, deliveries.length > 0 ? 0 : IDLE_MS));
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(ms, 1), LOOK_MS));
  }

  async #handOn(delivery: KeptDelivery): Promise<void> {
    if (this.#running.has(delivery.id)) return;
    this.#running.add(delivery.id);
    this.#heldBytes += delivery.body.length;
    try {
      if (this.#isStopped) await this.#giveBack(delivery);
      else await this.#attempt(delivery);
    } catch (error) {
      this.#trouble(error);
    }
    this.#running.delete(delivery.id);
    this.#heldBytes -= delivery.body.length;
    invariant(this.#heldBytes >= 0, 'what is held is let go of once');
    this.wake();
    this.#tellIdle();
  }

  async #attempt(delivery: KeptDelivery): Promise<void> {
    const { target, attempts = DEFAULT_ATTEMPTS, onAttempt } = this.#options;
    const result = await target(delivery, delivery.attempts + 1, this.#breakOff.signal).catch(broken);
    if (result.brokenOff) return this.#giveBack(delivery);
    const record = recordOf(delivery, result, attempts);
    await this.#record(record);
    onAttempt(delivery, result, record.outcome);
  }

  #giveBack({ id }: KeptDelivery): Promise<void> {
    return this.#record({ id, outcome: 'not_tried', answer: null });
  }

  /** Records deliveries that were handed on, for as long as the claim is ours, also through an outage of the inbox. */
  async #recordAll(records: readonly ForwardRecord[]): Promise<void> {
    const { inbox, owner, attemptMs, onError } = this.#options;
    for (let left = Math.floor((attemptMs + LEASE_SLACK_MS) / LOOK_MS); ; left--) {
      try {
        return await inbox.record(owner, records);
      } catch (error) {
        if (left <= 0 || this.#isStopped) throw error;
        onError(error);
      }
      await pause(LOOK_MS);
    }
  }

  /** Reports an error unless the attempt was broken off at the end. */
  #trouble(error: unknown): void {
    if (!this.#breakOff.signal.aborted) this.#options.onError(error);
  }

  #tellIdle(): void {
    if (this.#running.size === 0 && !this.#isClaiming) this.#whenIdle();
  }

  async #idle(withinMs: number): Promise<void> {
    if (this.#running.size === 0 && !this.#isClaiming) return;
    let patience: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      patience = setTimeout(resolve, withinMs);
    });
    clearTimeout(patience);
  }
}

/** A target that fails in a way it does not know of: one delivery must not be tried for ever, with all of its object behind it. */
const broken = (error: unknown): Attempt => ({
  ok: false,
  status: null,
  answer: `a defect: ${error instanceof Error ? error.message : String(error)}`,
  ms: 0,
});

function recordOf({ id, attempts }: KeptDelivery, { ok, answer }: Attempt, most: number): ForwardRecord {
  if (ok) return { id, outcome: 'handed_on', answer };
  if (attempts + 1 >= most) return { id, outcome: 'dead_letter', answer };
  return {
    id,
    outcome: 'again',
    answer,
    delayMs: BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 0,
  };
}
