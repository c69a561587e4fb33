/** The last nonces that were used: the oldest make room. A ring, since a set is slow to say which of its values is oldest. */
import type { Whole } from './whole.ts';

export const REMEMBERED_NONCES = 100_000;

interface Nonce {
  id: string;
}

export class Nonces implements Whole<Nonce> {
  readonly #used = new Set<string>();
  readonly #ring: string[] = [];
  #next = 0;

  has(nonce: string): boolean {
    return this.#used.has(nonce);
  }

  insert({ id }: Nonce): void {
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#used.delete(oldest);
    this.#ring[this.#next] = id;
    this.#next = (this.#next + 1) % REMEMBERED_NONCES;
    this.#used.add(id);
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
  }
}
