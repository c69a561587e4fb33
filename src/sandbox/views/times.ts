import { isoTime } from '../../core/clock.ts';

const MAX_KEPT = 64;
const kept = new Map<number, string>();

/** ISO 8601 with milliseconds. The records of one answer share a few instants: each is written once. */
export function wireTime(ms: number): string {
  const known = kept.get(ms);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const text = isoTime(ms);
  kept.set(ms, text);
  return text;
}
