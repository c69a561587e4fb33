/**
 * One commit for everything that a turn of the event loop did (decision 0031): a hundred requests wait for the disk once, and
 * none is answered before what it did is there. What fails, fails as a whole: the turn is forgotten, and its requests are told.
 */
import type { Durability, Piece } from './store/port.ts';

interface Turn {
  alarm: NodeJS.Immediate;
  saved: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Changes that may pile up in one long move of the clock before they are written. */
const MANY = 5_000;

export class Commits {
  readonly #durable: Durability;
  readonly #pieces: readonly Piece[];
  /** Runs what is due at the end of a turn, as a part of the turn. */
  readonly #finish: () => void;
  /** Takes the state of the last commit. */
  readonly #reload: () => void;
  #turn: Turn | undefined;
  #paused: Promise<void> | undefined;
  #goOn = () => {};

  constructor(
    durable: Durability,
    { pieces, finish, reload }: { pieces: readonly Piece[]; finish: () => void; reload: () => void },
  ) {
    this.#durable = durable;
    this.#pieces = pieces;
    this.#finish = finish;
    this.#reload = reload;
    this.goOn();
  }

  /** Commits nothing until `goOn`: half-done work would be kept. */
  async pause(): Promise<void> {
    await this.saved();
    this.#paused = new Promise((resolve) => {
      this.#goOn = resolve;
    });
    this.#durable.onChange = () => {};
  }

  goOn(): void {
    this.#paused = undefined;
    this.#durable.onChange = () => void this.#begin();
    this.#goOn();
  }

  /** The commit that what was changed until now is waiting for, if it waits. */
  get pending(): Promise<void> | undefined {
    return this.#turn?.saved;
  }

  /** Resolves when everything until now is on disk. */
  saved(): Promise<void> {
    return this.#paused ? this.#paused.then(() => this.saved()) : this.#begin().saved;
  }

  /** At once, within a turn. */
  now(): void {
    try {
      this.#durable.commit(this.#pieces);
    } catch (error) {
      this.abandon(error);
      throw error;
    }
  }

  /** Long work calls this: whole tasks may be committed on the way. */
  nowIfMany(): void {
    if (!this.#paused && this.#durable.waiting > MANY) this.now();
  }

  /** The last one: nothing is written afterwards. */
  end(): void {
    const turn = this.#turn;
    if (turn) clearImmediate(turn.alarm);
    this.now();
    this.#turn = undefined;
    turn?.resolve();
  }

  /** Undoes the work since the last commit, and fails those that wait for it. */
  abandon(error: unknown): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn) clearImmediate(turn.alarm);
    turn?.reject(error);
    this.#durable.rollback();
    this.#reload();
  }

  #begin(): Turn {
    if (this.#turn) return this.#turn;
    let resolve = () => {};
    let reject: Turn['reject'] = () => {};
    const saved = new Promise<void>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    saved.catch(() => undefined);
    this.#turn = { saved, resolve, reject, alarm: setImmediate(() => this.#end()) };
    return this.#turn;
  }

  #end(): void {
    try {
      this.#finish();
      this.#durable.commit(this.#pieces);
    } catch (error) {
      this.abandon(error);
      return;
    }
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.resolve();
  }
}
