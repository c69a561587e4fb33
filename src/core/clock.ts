/** Time is an argument: nothing below the command line reads the machine's clock. Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
  /** Since this machine was started, in milliseconds: all its processes count alike; no user sets it. */
  uptime?(): number;
}

let last = { ms: 0, text: '1970-01-01T00:00:00.000Z' };

export const HOUR_MS = 3_600_000;

/** Many things happen in one millisecond, and a text is made for each of those once. */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

/** The day in UTC of a time from elsewhere, with any offset; undefined where it is no time. */
export function utcDay(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : isoTime(ms).slice(0, 10);
}

let lastDate = { second: 0, text: 'Thu, 01 Jan 1970 00:00:00 GMT' };

/** Writes a time as the `Date` of an answer over HTTP has it (RFC 9110, section 5.6.7): to the second. */
export function httpDate(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

const DAY_MS = 86_400_000;
const UNITS = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365 * DAY_MS,
};

/** Reads `90s`, `61m`, `1h30m`, `2d`, `3w`, `2y`; a bare number is seconds. Null when it is none of these. */
export function parseDuration(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w|y))+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|s|m|h|d|w|y)/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return total;
}

/** Ends early, quietly, when the signal fires: the caller looks at the signal itself. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
