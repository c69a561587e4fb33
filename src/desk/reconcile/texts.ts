/**
 * Texts of a million rows outside of the heap: their bytes one behind the other, and for each column where a text begins. Texts are
 * told apart by their bytes, never by a hash alone.
 */

import { randomInt } from 'node:crypto';

const PIECE = 1 << 20;
/** An id or a reference; nothing that a person wrote is longer. */
export const LONGEST_TEXT = 1_000;

export class Arena {
  readonly #pieces: Buffer[] = [];
  #used = PIECE;

  /** @returns where it is, and how many bytes it has */
  put(text: string): { start: number; length: number } {
    const most = text.length * 3;
    if (this.#used + most > PIECE) {
      this.#pieces.push(Buffer.allocUnsafeSlow(PIECE));
      this.#used = 0;
    }
    const piece = this.#pieces.at(-1) as Buffer;
    const length = piece.write(text, this.#used);
    const start = (this.#pieces.length - 1) * PIECE + this.#used;
    this.#used += length;
    return { start, length };
  }

  text(start: number, length: number): string {
    const at = start % PIECE;
    return this.piece(start).toString('utf8', at, at + length);
  }

  piece(start: number): Buffer {
    return this.#pieces[Math.floor(start / PIECE)] as Buffer;
  }
}

export class TextColumn {
  readonly #arena: Arena;
  /** Ids are the same only letter by letter; references in any case, since banks print them in capitals. */
  readonly anyCase: boolean;
  #starts = new Float64Array(1_024);
  #lengths = new Uint16Array(1_024);
  count = 0;

  constructor(arena: Arena, { anyCase = false } = {}) {
    this.#arena = arena;
    this.anyCase = anyCase;
  }

  push(text: string): void {
    const { start, length } = text === '' ? NOTHING : this.#arena.put(text);
    this.#add(start, length);
  }

  /** The text that another column has last, kept once. */
  pushSame(other: TextColumn): void {
    this.#add(other.#starts[other.count - 1] ?? 0, other.#lengths[other.count - 1] ?? 0);
  }

  #add(start: number, length: number): void {
    if (this.count === this.#starts.length) {
      this.#starts = grown(this.#starts, new Float64Array(this.count * 2));
      this.#lengths = grown(this.#lengths, new Uint16Array(this.count * 2));
    }
    this.#starts[this.count] = start;
    this.#lengths[this.count++] = length;
  }

  isEmpty(row: number): boolean {
    return this.#lengths[row] === 0;
  }

  get(row: number): string {
    const length = this.#lengths[row] ?? 0;
    return length === 0 ? '' : this.#arena.text(this.#starts[row] ?? 0, length);
  }

  hash(row: number, anyCase: boolean, seed: number): number {
    const start = this.#starts[row] ?? 0;
    const piece = this.#arena.piece(start);
    const from = start % PIECE;
    const end = from + (this.#lengths[row] ?? 0);
    let hash = seed;
    for (let i = from; i < end; i++) {
      const byte = piece[i] ?? 0;
      hash = Math.imul(hash ^ (anyCase ? asUpperCase(byte) : byte), 0x9e3779b1);
      // Without it texts that meet from one seed meet from many.
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }

  equals(row: number, other: TextColumn, otherRow: number, anyCase: boolean): boolean {
    const length = this.#lengths[row] ?? 0;
    if (length !== other.#lengths[otherRow]) return false;
    const [start, otherStart] = [this.#starts[row] ?? 0, other.#starts[otherRow] ?? 0];
    const [piece, otherPiece] = [this.#arena.piece(start), other.#arena.piece(otherStart)];
    const [at, otherAt] = [start % PIECE, otherStart % PIECE];
    for (let i = 0; i < length; i++) {
      const [a, b] = [piece[at + i] ?? 0, otherPiece[otherAt + i] ?? 0];
      if (a !== b && !(anyCase && asUpperCase(a) === asUpperCase(b))) return false;
    }
    return true;
  }
}

/** Returns the capital letter for the letters a to z. */
const asUpperCase = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);

const NOTHING = { start: 0, length: 0 };

/** Everything that `from` has, in the larger `to`. */
export function grown<T extends { set(from: ArrayLike<never>): void }>(from: T, to: T): T {
  to.set(from as unknown as ArrayLike<never>);
  return to;
}

/** The number of places that are looked at for one text. Ordinary texts take two or three. */
const MOST_PROBES = 64;
/** Nobody who writes a file can know it, so that nobody can choose texts that have one hash. */
const SEED = randomInt(2 ** 32);

/**
 * Rows by their text: of one text the first row, and from each row the next with the same. Built and asked in linear time, also where
 * texts have one hash: those that find no place stand in a Map.
 */
export class TextIndex {
  readonly #texts: TextColumn;
  readonly #anyCase: boolean;
  readonly #heads: Int32Array;
  readonly #crowded = new Map<string, number>();
  readonly #mask: number;
  readonly #seed: number;
  readonly next: Int32Array;

  /** @param anyCase as the column has it, if nothing else is said */
  constructor(texts: TextColumn, anyCase = texts.anyCase, seed = SEED) {
    this.#texts = texts;
    this.#anyCase = anyCase;
    this.#seed = seed;
    const { count } = texts;
    let size = 16;
    while (size < count * 2) size *= 2;
    this.#mask = size - 1;
    this.#heads = new Int32Array(size).fill(-1);
    this.next = new Int32Array(count).fill(-1);
    // From the last to the first, so that a chain is in the order of the rows.
    for (let row = count - 1; row >= 0; row--) {
      if (texts.isEmpty(row)) continue;
      const slot = this.#slotOf(texts, row, texts.hash(row, anyCase, seed));
      this.next[row] = this.#headAt(slot, texts, row);
      if (slot === null) this.#crowded.set(this.#keyOf(texts, row), row);
      else this.#heads[slot] = row;
    }
  }

  /** The first row with the text that `texts` has in `row`; -1 where there is none. */
  first(texts: TextColumn, row: number): number {
    if (texts.isEmpty(row)) return -1;
    return this.#headAt(this.#slotOf(texts, row, texts.hash(row, this.#anyCase, this.#seed)), texts, row);
  }

  #headAt(slot: number | null, texts: TextColumn, row: number): number {
    const head = slot === null ? this.#crowded.get(this.#keyOf(texts, row)) : this.#heads[slot];
    return head ?? -1;
  }

  #keyOf(texts: TextColumn, row: number): string {
    const text = texts.get(row);
    return this.#anyCase ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text;
  }

  /** Null where all places that it may have are taken by others. Nothing is ever taken out, so that it stays so. */
  #slotOf(texts: TextColumn, row: number, hash: number): number | null {
    let slot = hash & this.#mask;
    for (let probes = 0; probes < MOST_PROBES; probes++) {
      const head = this.#heads[slot] ?? -1;
      if (head < 0 || this.#texts.equals(head, texts, row, this.#anyCase)) return slot;
      slot = (slot + 1) & this.#mask;
    }
    return null;
  }
}
