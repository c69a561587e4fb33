/** How far one word is from another, and which of many is meant. */

/** Letters to put in, take out, change or swap with their neighbour. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) : Infinity;
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

const AT_MOST = 3;

/** Returns the candidates that are as near as the nearest, or else those that begin with the word; at most three. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const reach = Math.max(1, Math.floor(word.length / 3));
  const near = candidates
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ name, far }) => far <= reach && far < name.length - 1)
    .sort((a, b) => a.far - b.far);
  const best = near.filter(({ far }) => far === near[0]?.far);
  const begun = best.length > 0 || word.length < 2 ? [] : candidates.filter((name) => name.startsWith(word));
  return [...best.map(({ name }) => name), ...begun].slice(0, AT_MOST);
}

/**
 * True of a code in another case, or without its leading zeros, which a spreadsheet drops: `44` and `44.0` for `044`. A code with a
 * digit has no neighbours: the nearest one is another bank.
 */
export function isCodeOf(given: string, code: string): boolean {
  const bare = given.replace(/\.0+$/, '').toLowerCase();
  const zeros = code.slice(0, code.length - bare.length);
  return bare !== '' && code.toLowerCase() === zeros + bare && /^0*$/.test(zeros);
}

export const hasDigit = (text: string): boolean => /\d/.test(text);
