/**
 * Some rows of a list, by their places in it: a bit for each row, and a count for each thousand, so that the rows before a page
 * are passed over without a look at them.
 */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const WORDS_IN_BLOCK = BLOCK / 32;

/** A part of what is chosen, newest first. Rows from `low` on and before `high` count. */
interface Part {
  low: number;
  high: number;
  skip: number;
  take: number;
}

export class Positions {
  #words = new Uint32Array(WORDS_IN_BLOCK);
  #counts = new Uint16Array(1);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(at: number): boolean {
    return (((this.#words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
  }

  /** Makes it one of them, or none of them. */
  put(at: number, isIn: boolean): void {
    if (this.has(at) === isIn) return;
    this.#reach(at);
    const word = at >>> 5;
    const bit = 1 << (at & 31);
    this.#words[word] = isIn ? (this.#words[word] ?? 0) | bit : (this.#words[word] ?? 0) & ~bit;
    const by = isIn ? 1 : -1;
    this.#counts[at >>> BLOCK_BITS] = (this.#counts[at >>> BLOCK_BITS] ?? 0) + by;
    this.#size += by;
  }

  /** How many of them there are from `low` on and before `high`. */
  count(low: number, high: number): number {
    return Math.max(0, this.#before(high) - this.#before(low));
  }

  /** The places of a part, newest first. */
  newest({ low, high, skip, take }: Part): number[] {
    const picked: number[] = [];
    let passed = 0;
    for (let at = Math.min(high, this.#words.length * 32) - 1; at >= low && picked.length < take; ) {
      const inBlock = this.#counts[at >>> BLOCK_BITS] ?? 0;
      const ends = (at & (BLOCK - 1)) === BLOCK - 1;
      if (ends && passed + inBlock <= skip) {
        passed += inBlock;
        at -= BLOCK;
        continue;
      }
      const found = this.#lastInWord(at);
      if (found >= low && this.has(found)) {
        if (passed < skip) passed += 1;
        else picked.push(found);
      }
      at = found - 1;
    }
    return picked;
  }

  /** Those of any of these sets, which are of one list. */
  static anyOf(sets: readonly Positions[]): Positions {
    return Positions.#merged(sets, (one, other) => one | other);
  }

  /** Those that all of these sets have. */
  static allOf(sets: readonly Positions[]): Positions {
    return Positions.#merged(sets, (one, other) => one & other);
  }

  static #merged([first, ...others]: readonly Positions[], merge: (one: number, other: number) => number) {
    const made = new Positions();
    if (!first) return made;
    made.#reach(Math.max(first.#words.length, ...others.map((each) => each.#words.length)) * 32 - 1);
    made.#words.set(first.#words);
    for (const other of others) {
      for (let i = 0; i < made.#words.length; i++)
        made.#words[i] = merge(made.#words[i] ?? 0, other.#words[i] ?? 0);
    }
    made.#recount();
    return made;
  }

  #recount(): void {
    this.#counts = new Uint16Array(this.#words.length / WORDS_IN_BLOCK);
    this.#size = 0;
    for (let i = 0; i < this.#words.length; i++) {
      const ones = onesIn(this.#words[i] ?? 0);
      const block = Math.floor(i / WORDS_IN_BLOCK);
      this.#counts[block] = (this.#counts[block] ?? 0) + ones;
      this.#size += ones;
    }
  }

  /** The last of them at or before `at` in its word; one before the word where it has none. */
  #lastInWord(at: number): number {
    const upTo = (this.#words[at >>> 5] ?? 0) & (0xffffffff >>> (31 - (at & 31)));
    return (at & ~31) + 31 - Math.clz32(upTo);
  }

  #before(end: number): number {
    const at = Math.min(end, this.#words.length * 32);
    let count = 0;
    for (let block = 0; block < at >>> BLOCK_BITS; block++) count += this.#counts[block] ?? 0;
    for (let word = (at >>> BLOCK_BITS) * WORDS_IN_BLOCK; word < at >>> 5; word++)
      count += onesIn(this.#words[word] ?? 0);
    return (at & 31) === 0 ? count : count + onesIn((this.#words[at >>> 5] ?? 0) & ~(-1 << (at & 31)));
  }

  #reach(at: number): void {
    if (at < this.#words.length * 32) return;
    let blocks = this.#counts.length;
    while (blocks * BLOCK <= at) blocks *= 2;
    const words = new Uint32Array(blocks * WORDS_IN_BLOCK);
    const counts = new Uint16Array(blocks);
    words.set(this.#words);
    counts.set(this.#counts);
    this.#words = words;
    this.#counts = counts;
  }
}

function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
