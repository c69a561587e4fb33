/**
 * The sandbox's time (decision 0027). A standing clock moves only when told to; a running one follows the machine's clock, which
 * is handed in, and can be moved on top of that. Neither ever runs backwards.
 */
import type { Clock } from '../core/clock.ts';
import { invariant } from '../core/invariants.ts';
import type { Piece } from './store/port.ts';

export interface SandboxClock extends Clock {
  readonly mode: ClockMode;
  /** Moves to an instant that is not in the past; an earlier one changes nothing. */
  moveTo(at: number): void;
  /** The latest instant that anyone saw. */
  shown(): number;
  /** The time, without showing it: work that is late may still be done at its own instant. */
  peek(): number;
  /** While the work runs it is the instant `at`, or the latest that was shown if that is later. */
  during(at: number, work: () => void): void;
  /** Makes it stand from now on, or follow the machine's clock; answers false where there is none to follow. */
  switchTo(mode: ClockMode): boolean;
  readonly piece: Piece;
}

type ClockMode = 'standing' | 'running';

export type ClockOptions =
  /** `start` is milliseconds since 1970; left out, it is Monday 5 January 2026, 09:00 UTC. */
  { mode: 'standing'; start?: number; machine?: Clock } | { mode: 'running'; machine: Clock };

const DEFAULT_START_MS = Date.UTC(2026, 0, 5, 9);

/** `shown` is the latest instant that anyone saw; `offsetMs` how far it was moved ahead of the machine's clock. */
interface Kept {
  mode: ClockMode;
  shown: number;
  offsetMs: number;
}

export function sandboxClock(options: ClockOptions): SandboxClock {
  const { mode, machine } = options;
  const start = options.mode === 'standing' ? (options.start ?? DEFAULT_START_MS) : 0;
  invariant(Number.isFinite(start), 'the clock starts at a time');
  return new TwoWayClock(machine, { mode, shown: start, offsetMs: 0 });
}

/** The machine's clock may be set back: what was shown once stays the least that is shown. */
class TwoWayClock implements SandboxClock {
  readonly #machine: Clock | undefined;
  #kept: Kept;
  #held: number | undefined;

  constructor(machine: Clock | undefined, kept: Kept) {
    this.#machine = machine;
    this.#kept = kept;
  }

  get mode(): ClockMode {
    return this.#kept.mode;
  }

  now(): number {
    if (this.#held !== undefined) return this.#held;
    this.#kept.shown = this.peek();
    return this.#kept.shown;
  }

  shown(): number {
    return this.#kept.shown;
  }

  peek(): number {
    const { mode, shown, offsetMs } = this.#kept;
    return mode === 'running' && this.#machine ? Math.max(shown, this.#machine.now() + offsetMs) : shown;
  }

  moveTo(at: number): void {
    const ahead = Math.max(0, at - this.now());
    if (this.mode === 'running') this.#kept.offsetMs += ahead;
    this.#kept.shown += ahead;
  }

  during(at: number, work: () => void): void {
    this.#kept.shown = Math.max(this.#kept.shown, at);
    this.#held = this.#kept.shown;
    try {
      work();
    } finally {
      this.#held = undefined;
    }
  }

  switchTo(mode: ClockMode): boolean {
    if (mode === 'running' && !this.#machine) return false;
    this.now();
    this.#kept.mode = mode;
    this.#goOn();
    return true;
  }

  /** A clock that stood at another time than the machine's goes on from there. */
  #goOn(): void {
    if (this.mode === 'running' && this.#machine) {
      this.#kept.offsetMs = this.#kept.shown - this.#machine.now();
    }
  }

  readonly piece: Piece = {
    name: 'clock',
    read: () => ({ ...this.#kept }),
    write: (value) => this.#resume(value as Kept),
  };

  /** How it runs is printed anew at every start; what was shown stays, and so does how far ahead it was moved. */
  #resume({ shown, offsetMs }: Kept): void {
    this.#kept = { mode: this.mode, shown, offsetMs };
    if (this.mode === 'running' && this.#machine && this.#machine.now() + offsetMs < shown) this.#goOn();
  }
}
