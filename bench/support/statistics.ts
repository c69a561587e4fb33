export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The median of the ratios of neighbours in time: what slows the machine for a while slows both. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, i) => value / (below[i] ?? Number.NaN)));
}
