/** The number of places that are looked at for one text. Ordinary texts take a few. */
const MOST_PROBES = 64;

/**
 * A set of texts by their 64-bit prints, each with the row that had it first. Three numbers an entry in typed arrays, open
 * addressing: a million texts take 25 MB, where a Map of them would take more than a hundred. Of a million texts, the chance that
 * any two have the same print is one in thirty million; then a row is called a repetition that is none, and none is paid twice.
 */
export class Fingerprints {
  /** Prints that found no place among so many: the texts were chosen for that. */
  #crowded = new Map<string, number>();
  #low = new Uint32Array(1024);
  #high = new Uint32Array(1024);
  /** 0 where the place is free: rows count from 1. */
  #rows = new Uint32Array(1024);
  #size = 0;

  /** The row that has the text already; undefined where it is new, and is this row's from now on. */
  claim(text: string, row: number): number | undefined {
    if (this.#size * 10 >= this.#rows.length * 7) this.#grow();
    // Two lanes of multiply and mix, as in cyrb53.
    let low = 0xdeadbeef;
    let high = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      low = Math.imul(low ^ code, 2654435761);
      high = Math.imul(high ^ code, 1597334677);
    }
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    return this.#put(low >>> 0, high >>> 0, row);
  }

  #put(low: number, high: number, row: number): number | undefined {
    const last = this.#rows.length - 1;
    let at = low & last;
    for (let probes = 0; this.#rows[at] !== 0; probes++) {
      if (this.#low[at] === low && this.#high[at] === high) return this.#rows[at];
      if (probes === MOST_PROBES) return this.#putAside(low, high, row);
      at = (at + 1) & last;
    }
    this.#low[at] = low;
    this.#high[at] = high;
    this.#rows[at] = row;
    this.#size++;
    return undefined;
  }

  /** The hashes of a Map are secret. */
  #putAside(low: number, high: number, row: number): number | undefined {
    const print = `${low} ${high}`;
    const first = this.#crowded.get(print);
    if (first === undefined) this.#crowded.set(print, row);
    return first;
  }

  #grow(): void {
    const [low, high, rows] = [this.#low, this.#high, this.#rows];
    this.#low = new Uint32Array(rows.length * 2);
    this.#high = new Uint32Array(rows.length * 2);
    this.#rows = new Uint32Array(rows.length * 2);
    this.#size = 0;
    const crowded = this.#crowded;
    this.#crowded = new Map();
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] ?? 0;
      if (row !== 0) this.#put(low[i] ?? 0, high[i] ?? 0, row);
    }
    for (const [print, row] of crowded) {
      const [one = 0, other = 0] = print.split(' ').map(Number);
      this.#put(one, other, row);
    }
  }
}
