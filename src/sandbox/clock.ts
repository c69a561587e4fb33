/**
 * The sandbox's time. A standing clock moves only when told to; a running one follows the machine's clock, which is handed
 * in, and can be moved on top of that. Neither ever runs backwards.
 */
import type { Clock } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';

export interface SandboxClock extends Clock {
  readonly mode: 'standing' | 'running';
  /** Moves to an instant that is not in the past; an earlier one changes nothing. */
  moveTo(at: number): void;
}

export type ClockOptions =
  /** `start` is milliseconds since 1970; left out, it is Monday 5 January 2026, 09:00 UTC. */
  { mode: 'standing'; start?: number } | { mode: 'running'; machine: Clock };

const DEFAULT_START_MS = Date.UTC(2026, 0, 5, 9);

export function sandboxClock(options: ClockOptions): SandboxClock {
  return options.mode === 'standing'
    ? standingClock(options.start ?? DEFAULT_START_MS)
    : runningClock(options.machine);
}

function standingClock(start: number): SandboxClock {
  invariant(Number.isFinite(start), 'the clock starts at a time');
  let current = start;
  return {
    mode: 'standing',
    now: () => current,
    moveTo(at) {
      current = Math.max(current, at);
    },
  };
}

/** The machine's clock may be set back: what was shown once stays the least that is shown. */
function runningClock(machine: Clock): SandboxClock {
  let offsetMs = 0;
  let latest = 0;
  const now = () => {
    latest = Math.max(latest, machine.now() + offsetMs);
    return latest;
  };
  return {
    mode: 'running',
    now,
    moveTo(at) {
      offsetMs += Math.max(0, at - now());
    },
  };
}
