import { isoTime } from '../../core/clock.ts';

let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 with milliseconds. Many records of one answer share an instant: it is written once. */
export function wireTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = isoTime(ms);
    lastMs = ms;
  }
  return lastText;
}
