/**
 * How many payments are on their way at once. Where the service says that it is too much (429, 503, no answer in time), half as
 * many go on after a pause that doubles; each full round that went well adds one again.
 */
export interface FlowOptions {
  inFlight: number;
  /** Begun within a second at most; undefined for as many as there are. */
  perSecond: number | undefined;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export class Flow {
  readonly #options: FlowOptions;
  #limit: number;
  #active = 0;
  #well = 0;
  #pauseMs = 0;
  #notBefore = 0;
  #nextAt = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#limit = options.inFlight;
  }

  get active(): number {
    return this.#active;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Resolves when one more may begin. */
  async enter(): Promise<void> {
    while (this.#active >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active += 1;
    const { now, sleep, perSecond } = this.#options;
    const at = now();
    const begins = Math.max(at, this.#notBefore, this.#nextAt);
    if (perSecond !== undefined) this.#nextAt = begins + 1000 / perSecond;
    if (begins > at) await sleep(begins - at);
  }

  leave(how: 'well' | 'too much'): void {
    this.#active -= 1;
    if (how === 'too much') this.#slowDown();
    else this.#speedUp();
    if (this.#active < this.#limit) this.#waiting.shift()?.();
  }

  #slowDown(): void {
    const { now } = this.#options;
    this.#well = 0;
    // Calls that were on their way together count once when they say the same.
    if (now() < this.#notBefore) return;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs === 0 ? FIRST_PAUSE_MS : this.#pauseMs * 2);
    this.#notBefore = now() + this.#pauseMs;
  }

  #speedUp(): void {
    this.#well += 1;
    if (this.#well < this.#limit) return;
    this.#well = 0;
    this.#pauseMs = 0;
    if (this.#limit < this.#options.inFlight) {
      this.#limit += 1;
      this.#waiting.shift()?.();
    }
  }
}
