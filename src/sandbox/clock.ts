/**
 * The sandbox's time. A standing clock moves only when told to; a running one follows the machine's clock, which is handed
 * in, and can be moved on top of that. Neither ever runs backwards.
 */
import type { Clock } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import type { Piece } from './store/pieces.ts';

export interface SandboxClock extends Clock {
  readonly mode: 'standing' | 'running';
  /** Moves to an instant that is not in the past; an earlier one changes nothing. */
  moveTo(at: number): void;
  /** The latest instant that anyone saw. */
  shown(): number;
  /** What time it is, without showing it: work that is late may still be done at its own instant. */
  peek(): number;
  /** While the work runs it is the instant `at`, or the latest that was shown if that is later. */
  during(at: number, work: () => void): void;
  readonly piece: Piece;
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

/** `shown` is the latest instant that anyone saw; `offsetMs` how far it was moved ahead of the machine's clock. */
interface Kept {
  shown: number;
  offsetMs: number;
}

const pieceOf = (read: () => Kept, write: (kept: Kept) => void): Piece => ({
  name: 'clock',
  read,
  write: (value) => write(value as Kept),
});

function standingClock(start: number): SandboxClock {
  invariant(Number.isFinite(start), 'the clock starts at a time');
  let current = start;
  return {
    mode: 'standing',
    now: () => current,
    shown: () => current,
    peek: () => current,
    moveTo(at) {
      current = Math.max(current, at);
    },
    during: (_at, work) => work(),
    piece: pieceOf(
      () => ({ shown: current, offsetMs: 0 }),
      ({ shown }) => {
        current = shown;
      },
    ),
  };
}

/** The machine's clock may be set back: what was shown once stays the least that is shown. */
function runningClock(machine: Clock): SandboxClock {
  let offsetMs = 0;
  let latest = 0;
  let held: number | undefined;
  const peek = () => Math.max(latest, machine.now() + offsetMs);
  const now = () => {
    if (held !== undefined) return held;
    latest = peek();
    return latest;
  };
  return {
    mode: 'running',
    now,
    shown: () => latest,
    peek,
    moveTo(at) {
      offsetMs += Math.max(0, at - now());
    },
    during(at, work) {
      latest = Math.max(latest, at);
      held = latest;
      try {
        work();
      } finally {
        held = undefined;
      }
    },
    piece: pieceOf(
      () => ({ shown: latest, offsetMs }),
      /* A clock that stood ahead of the machine's goes on from there. */
      (kept) => {
        latest = kept.shown;
        offsetMs = kept.offsetMs;
        if (machine.now() + offsetMs < latest) offsetMs = latest - machine.now();
      },
    ),
  };
}
