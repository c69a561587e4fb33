/** A process that can be killed between any two steps: once dead, nothing that it does has any effect. */
import type { Intents } from '../../src/client/store/port.ts';
import type { Transport } from '../../src/core/transport.ts';

export class Killed extends Error {
  override readonly name = 'Killed';
}

export class Life {
  #steps = 0;
  /** Killed at the step after this many. */
  constructor(readonly steps: number = Number.POSITIVE_INFINITY) {}

  get lived(): number {
    return this.#steps;
  }

  get isOver(): boolean {
    return this.#steps > this.steps;
  }

  step(): void {
    this.#steps += 1;
    if (this.isOver) throw new Killed(`killed after step ${this.steps}`);
  }
}

/** One step before a request leaves, one when its answer has come. */
export function mortalTransport(life: Life, send: Transport): Transport {
  return async (request) => {
    life.step();
    const answer = await send(request).catch((error: unknown) => {
      life.step();
      throw error;
    });
    life.step();
    return answer;
  };
}

/** One step before each write, one after it. */
export function mortalIntents(life: Life, intents: Intents): Intents {
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    life.step();
    const result = await write();
    life.step();
    return result;
  };
  return {
    open: (intent, judge) => around(() => intents.open(intent, judge)),
    close: (id, closing) => around(() => intents.close(id, closing)),
    told: (id) => around(() => intents.told(id)),
    lastTold: () => intents.lastTold(),
    join: (join) => around(() => intents.join(join)),
    joins: () => intents.joins(),
    rekey: (id, digest) => intents.rekey(id, digest),
    get: (id) => intents.get(id),
    list: (filter) => intents.list(filter),
    count: (filter) => intents.count(filter),
  };
}

/** True when it came to its end, false when it was killed. What it believed at the end dies with it. */
export async function live(life: Life, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    if (!life.isOver) throw error;
  }
  return !life.isOver;
}
