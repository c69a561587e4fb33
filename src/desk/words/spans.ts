/** Lengths of time in words. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `45s`, `12m`, `5h 20m`, `3d 4h`: two units at most, rounded down. */
export function span(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`;
  if (ms < DAY_MS) return two(ms, HOUR_MS, 'h', MINUTE_MS, 'm');
  return two(ms, DAY_MS, 'd', HOUR_MS, 'h');
}

function two(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeUnit}${rest > 0 ? ` ${rest}${smallUnit}` : ''}`;
}
