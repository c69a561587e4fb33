/** The last nonces that were used: the oldest make room. A ring, since a set is slow to say which of its values is oldest. */
import type { Keeper, Whole } from './whole.ts';

const REMEMBERED_NONCES = 100_000;

interface Nonce {
  id: string;
}

export class Nonces implements Whole<Nonce> {
  keeper: Keeper | undefined;
  readonly #used = new Set<string>();
  readonly #ring: string[] = [];
  #next = 0;

  has(nonce: string): boolean {
    return this.#used.has(nonce);
  }

  insert(nonce: Nonce): void {
    const { id } = nonce;
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) {
      this.#used.delete(oldest);
      this.keeper?.remove(oldest);
    }
    this.#ring[this.#next] = id;
    this.#next = (this.#next + 1) % REMEMBERED_NONCES;
    this.#used.add(id);
    this.keeper?.put(id, nonce);
  }

  *all(): Iterable<Nonce> {
    const oldest = this.#ring.length < REMEMBERED_NONCES ? 0 : this.#next;
    for (let i = 0; i < this.#ring.length; i++) {
      yield { id: this.#ring[(oldest + i) % this.#ring.length] as string };
    }
  }

  clear(): void {
    this.#used.clear();
    this.#ring.length = 0;
    this.#next = 0;
    this.keeper?.clear();
  }
}
