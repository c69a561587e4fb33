/** Tells which intents may be under way: in this client, another process of this machine, or one elsewhere. */
import type { Meeting } from '../../client/intents.ts';
import type { Intent } from '../../client/store/port.ts';
import { isRunning } from '../../profiles/worker.ts';
import type { Machine } from './machine.ts';

export interface Process extends Machine {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const PAUSE_MS = 100;

/** The caller stops waiting for another that does the same. */
export class GaveUpWaiting extends Error {}

/** How one write meets earlier ones, and what it learnt of them. */
export interface Meet extends Meeting {
  /** The one that it waits for. */
  ahead?: Intent;
  /** Its own. */
  intent?: Intent;
}

export class UnderWay {
  readonly #process: Process;
  /** The intents of this client that are on their way now. */
  readonly #ours = new Set<string>();
  /** Their outcome could not be written down: they stand open, and have no process. */
  readonly #left = new Set<string>();

  constructor(process: Process) {
    this.#process = process;
  }

  has(intent: Intent): boolean {
    if (intent.state !== 'open' || this.#left.has(intent.id)) return false;
    return this.#ours.has(intent.id) || isRunning(intent, this.#process, this.#process.now());
  }

  end({ id }: Intent, unrecorded?: unknown): void {
    this.#ours.delete(id);
    if (unrecorded !== undefined) this.#left.add(id);
  }

  meeting(signal: AbortSignal | undefined, newPayment: boolean): Meet {
    const meet: Meet = {
      newPayment,
      // A promise tells no user: an outcome that a command told with this journal stands in the way as if untold.
      lastTold: 0,
      now: this.#process.now,
      isRunning: (intent) => {
        const runs = this.has(intent);
        if (runs) meet.ahead = intent;
        return runs;
      },
      pause: async () => {
        await this.#process.sleep(PAUSE_MS, signal);
        if (signal?.aborted) throw new GaveUpWaiting();
      },
      opened: (intent) => {
        meet.intent = intent;
        this.#ours.add(intent.id);
      },
    };
    return meet;
  }
}
