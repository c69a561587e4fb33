/**
 * Hands kept deliveries on: at least once, in the order of each object, never again after that was recorded. A target that is
 * slow or dead holds up the objects it was asked about, and nothing of the intake. What fails is tried again later and later,
 * and given up at last; it stays in the inbox, and what comes after it passes.
 *
 * What happens if the process dies: before the attempt, nothing was sent, and the claim runs out; after the attempt and before
 * its record, the delivery is handed on once more under the same id; after the record, never.
 */
import type { Clock } from '../core/clock.ts';
import type { Inbox, KeptDelivery, Settlement } from '../core/ports/inbox.ts';
import { groupCommit } from './group-commit.ts';
import type { Attempt, Target } from './target.ts';

/** After each failed attempt; one more attempt than there are waits. */
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];
const DEFAULT_ATTEMPTS = BACKOFF_MS.length + 1;

/** Longer than an attempt can take, so that nobody else starts the same one meanwhile. */
const LEASE_SLACK_MS = 30_000;
/** Of all bodies that are being handed on, about: a target that is slow must not fill the memory. */
const HELD_BYTES = 8 * 1024 * 1024;
/** With several listeners on one inbox, what another one kept or lost is found by looking. */
const LOOK_MS = 1_000;
/** For giving back what was broken off. */
const GIVE_BACK_MS = 2_000;
/** Somebody else may hold what is due. */
const IDLE_MS = 50;

export interface HandOverOptions {
  inbox: Inbox;
  target: Target;
  clock: Clock;
  /** Names this process; no other has the same. */
  owner: string;
  /** At once, over all objects. */
  concurrency: number;
  /** The longest that one attempt takes. */
  attemptMs: number;
  /** Before it is given up; eight, over an hour and a half, where it is not said. */
  attempts?: number | undefined;
  onAttempt: (delivery: KeptDelivery, attempt: Attempt, outcome: Settlement['outcome']) => void;
  /** The inbox did not answer; it is asked again. */
  onError: (error: unknown) => void;
}

export interface HandOver {
  /** Something new waits. */
  wake(): void;
  /** How many attempts are under way. */
  readonly busy: number;
  /** Starts nothing new and waits for what was begun, at most so long; then it is broken off, and given back. */
  stop(withinMs: number): Promise<void>;
}

export function startHandOver(options: HandOverOptions): HandOver {
  const { inbox, owner } = options;
  const record = groupCommit<Settlement, void>(async (settlements) => {
    await persistently(() => inbox.settle(owner, settlements), { ...options, stopped: () => stopped });
    return [];
  });
  /* After a pause of the machine a claim of our own may have run out while we were at it. */
  const running = new Set<string>();
  let heldBytes = 0;
  let claiming = false;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let idle = (): void => {};
  const breakOff = new AbortController();
  /* When all is over, nobody needs to hear of what was broken off. */
  const trouble = (error: unknown): void => {
    if (!breakOff.signal.aborted) options.onError(error);
  };

  const later = (ms: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, Math.min(Math.max(ms, 1), LOOK_MS));
  };

  const wake = (): void => {
    if (stopped) return;
    if (claiming) again = true;
    else void look();
  };

  const look = async (): Promise<void> => {
    claiming = true;
    again = false;
    try {
      const limit = options.concurrency - running.size;
      const bytes = HELD_BYTES - heldBytes;
      if (limit > 0 && bytes > 0) {
        const leaseMs = options.attemptMs + LEASE_SLACK_MS;
        const claim = await inbox.claim({ owner, limit, bytes, leaseMs });
        for (const delivery of claim.deliveries) void handOn(delivery);
        const soonest = claim.deliveries.length > 0 ? 0 : IDLE_MS;
        later(Math.max(claim.nextInMs ?? LOOK_MS, soonest));
      }
    } catch (error) {
      trouble(error);
      later(LOOK_MS);
    }
    claiming = false;
    if (again) wake();
    ended();
  };

  const handOn = async (delivery: KeptDelivery): Promise<void> => {
    if (running.has(delivery.id)) return;
    running.add(delivery.id);
    heldBytes += delivery.body.length;
    try {
      if (stopped) await record({ id: delivery.id, outcome: 'not_tried', answer: null });
      else await attempt(delivery);
    } catch (error) {
      trouble(error);
    }
    running.delete(delivery.id);
    heldBytes -= delivery.body.length;
    wake();
    ended();
  };

  const attempt = async (delivery: KeptDelivery): Promise<void> => {
    const { signal } = breakOff;
    const result = await options.target(delivery, delivery.attempts + 1, signal).catch(broken);
    if (result.brokenOff) return record({ id: delivery.id, outcome: 'not_tried', answer: null });
    const settlement = settle(delivery, result, options.attempts ?? DEFAULT_ATTEMPTS);
    await record(settlement);
    options.onAttempt(delivery, result, settlement.outcome);
  };

  const ended = (): void => {
    if (running.size === 0 && !claiming) idle();
  };

  const ends = async (withinMs: number): Promise<void> => {
    if (running.size === 0 && !claiming) return;
    let patience: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      idle = resolve;
      patience = setTimeout(resolve, withinMs);
    });
    clearTimeout(patience);
  };

  wake();
  return {
    wake,
    get busy() {
      return running.size;
    },
    async stop(withinMs) {
      stopped = true;
      clearTimeout(timer);
      await ends(withinMs);
      breakOff.abort();
      await ends(GIVE_BACK_MS);
    },
  };
}

/** A target that fails in a way it does not know of: one delivery must not be tried for ever, with all of its object behind it. */
const broken = (error: unknown): Attempt => ({
  ok: false,
  status: null,
  answer: `a defect: ${error instanceof Error ? error.message : String(error)}`,
  ms: 0,
});

/** What was handed on is recorded as long as the claim is ours, also through an outage of the inbox. */
async function persistently(
  work: () => Promise<void>,
  {
    attemptMs,
    onError,
    stopped,
  }: Pick<HandOverOptions, 'attemptMs' | 'onError'> & { stopped: () => boolean },
): Promise<void> {
  for (let left = Math.floor((attemptMs + LEASE_SLACK_MS) / LOOK_MS); ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 0 || stopped()) throw error;
      onError(error);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function settle({ id, attempts }: KeptDelivery, { ok, answer }: Attempt, most: number): Settlement {
  if (ok) return { id, outcome: 'handed_on', answer };
  if (attempts + 1 >= most) return { id, outcome: 'dead_letter', answer };
  return {
    id,
    outcome: 'again',
    answer,
    delayMs: BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length - 1)] ?? 0,
  };
}
