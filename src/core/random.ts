/** Randomness is an argument too: a seeded source gives the same ids and the same jitter every run. */
export interface Random {
  /** A float in [0, 1). */
  next(): number;
}

/** A source whose place can be kept, so that another one goes on from there. */
export interface ResumableRandom extends Random {
  /** Four 32-bit numbers. */
  state(): number[];
  resume(state: readonly number[]): void;
}

/** sfc32, seeded from a 32-bit number or a text. Good enough for ids and jitter, never for secrets. */
export function seededRandom(seed: number | string): ResumableRandom {
  let a = typeof seed === 'number' ? seed | 0 : hash(seed);
  let b = 0x9e3779b9;
  let c = 0x243f6a88;
  let d = 1;
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return {
    next,
    state: () => [a, b, c, d],
    resume(state) {
      [a = 0, b = 0, c = 0, d = 0] = state;
    },
  };
}

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h | 0;
}
