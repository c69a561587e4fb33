/** The JSON object of a request; null for anything else: no text, no JSON, no object, or nested beyond reason. */
import { CONTROL_PATH } from '../../contract/controls/index.ts';
import type { Body } from '../../contract/signed-text.ts';
import { asBuffer } from '../../core/bytes.ts';
import { readExactly } from '../../core/exact-numbers.ts';
import { isPlain } from '../rules/reading.ts';
import type { Plain } from '../store/records.ts';

const MAX_BYTES = 1_048_576;
/** Documents travel inside their JSON. */
const MAX_DOCUMENT_BYTES = 12 * 1_048_576;
const MAX_SNAPSHOT_BYTES = 256 * 1_048_576;

/** How many bytes a body may have, by the path that it is sent to. */
export function maxBytes(path: string): number {
  if (isRestore(path)) return MAX_SNAPSHOT_BYTES;
  return /^\/v1\/(?:documents|senders)(?:\/|$)/.test(path) ? MAX_DOCUMENT_BYTES : MAX_BYTES;
}

export function isRestore(path: string): boolean {
  return path === `${CONTROL_PATH}/restore`;
}

/** Deeper than any request of this service, shallow enough to be walked through. */
const MAX_DEPTH = 100;

export function bodyText(body: Body | undefined): string {
  if (body === undefined || typeof body === 'string') return body ?? '';
  return asBuffer(body).toString('utf8');
}

export function readObject(text: string): Plain | null {
  if (tooDeep(text)) return null;
  try {
    const value = readExactly(text);
    return isPlain(value) ? value : null;
  } catch {
    return null;
  }
}

/** Brackets inside texts count too: it errs on the side of refusing what is hardly ever sent. */
function tooDeep(text: string): boolean {
  if (countOf('{', text) + countOf('[', text) <= MAX_DEPTH) return false;
  let depth = 0;
  for (let i = text.search(/[[{]/); i >= 0 && i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Counted no further than what decides. */
function countOf(bracket: string, text: string): number {
  let count = 0;
  for (let i = text.indexOf(bracket); i >= 0 && count <= MAX_DEPTH; i = text.indexOf(bracket, i + 1))
    count += 1;
  return count;
}
