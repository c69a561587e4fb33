/**
 * A snapshot is of one moment, and a restore is whole (decision 0031). While either is under way, what would change the sandbox
 * waits; reads are answered, unless the records themselves are being replaced.
 */
export type LockScope = 'changes' | 'everything';

export class ChangeLock {
  #held: { who: LockScope; over: Promise<void> } | undefined;
  /** Called when it is over: what fell due meanwhile waits. */
  onOver: () => void = () => {};

  get isOn(): boolean {
    return this.#held !== undefined;
  }

  /** The end of the work that a request has to wait for before it may begin; undefined when nothing is in its way. */
  before(isRead: boolean): Promise<void> | undefined {
    const held = this.#held;
    return held && (held.who === 'everything' || !isRead) ? held.over : undefined;
  }

  /** Resolves when nothing is held any more. */
  async untilOver(): Promise<void> {
    while (this.#held) await this.#held.over;
  }

  /** One at a time, in the order they came. */
  async during<T>(who: LockScope, work: () => Promise<T>): Promise<T> {
    /* Where nothing is held, the work begins at once: the next request must find the sandbox held. */
    while (this.#held) await this.#held.over;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#held = { who, over };
    try {
      return await work();
    } finally {
      this.#held = undefined;
      end();
      this.onOver();
    }
  }
}
