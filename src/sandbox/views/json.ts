/**
 * Writes JSON with the exact digits of an amount (decision 0031): a float would change amounts of more than 15 digits.
 * Members that are undefined are left out, as `JSON.stringify` does.
 */

import { isoTime } from '../../core/clock.ts';
import { exactDigits, writtenExactly } from '../../core/exact-numbers.ts';

/** A JSON number that keeps its digits. */
export class Digits {
  constructor(readonly text: string) {}
}

/** JSON that is already written: long lists of banks are written once. */
export class RawJson {
  constructor(readonly json: string) {}
}

/**
 * Marks data that have no amounts of ours in them, such as what a caller sent: the engine itself writes them, in a
 * fraction of the time.
 */
export class Plainly {
  constructor(readonly value: object) {}
}

export function digits(amount: string): Digits;
export function digits(amount: string | null): Digits | null;
export function digits(amount: string | null): Digits | null {
  return amount === null ? null : new Digits(amount);
}

export function toJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return exactDigits(value) ?? JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : objectJson(value);
    default:
      return 'null';
  }
}

function objectJson(value: object): string {
  if (value instanceof Digits) return value.text;
  if (value instanceof Plainly) return writtenExactly(JSON.stringify(value.value));
  if (value instanceof RawJson) return value.json;
  if (Array.isArray(value)) return arrayJson(value);
  let text = '';
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += (text === '' ? '{' : ',') + nameJson(name) + toJson(member);
  }
  return text === '' ? '{}' : `${text}}`;
}

function arrayJson(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += text === '' ? toJson(value) : `,${toJson(value)}`;
  return `[${text}]`;
}

const MOST_NAMES = 1_000;
const names = new Map<string, string>();

/** A name with its colon. The same few hundred stand in all answers. */
function nameJson(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = `${JSON.stringify(name)}:`;
  if (names.size < MOST_NAMES) names.set(name, made);
  return made;
}

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
