import type { Desk } from '../payments/desk.ts';

/** Spreads calls evenly, at most `perMinute` a minute. */
export class Pace {
  readonly #desk: Pick<Desk, 'clock' | 'sleep' | 'signal'>;
  readonly #everyMs: number;
  #nextAt = 0;

  constructor(desk: Pick<Desk, 'clock' | 'sleep' | 'signal'>, perMinute: number | undefined) {
    this.#desk = desk;
    this.#everyMs = perMinute === undefined ? 0 : 60_000 / perMinute;
  }

  async enter(): Promise<void> {
    if (this.#everyMs === 0) return;
    const now = this.#desk.clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#everyMs;
    if (at > now) await this.#desk.sleep(at - now, this.#desk.signal);
  }
}
