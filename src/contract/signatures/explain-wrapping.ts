/** Bodies that something wrapped, or that are no longer there: what frameworks and functions on the way do to raw bytes. */

import { finding } from './explain-headers.ts';
import type { Finding, Variant } from './finding.ts';

/** Returns the bodies that the received text holds, if it is the body in some packaging. */
export function unwrapped(text: string): Variant<string | Uint8Array>[] {
  return WRAPPINGS.flatMap(([change, unwrap]) => {
    const value = unwrap(text.trim());
    return value === null ? [] : [{ cause: 'body_wrapped' as const, value, change }];
  });
}

type Wrapping = readonly [change: string, unwrap: (text: string) => string | Uint8Array | null];

const WRAPPINGS: readonly Wrapping[] = [
  ['it was made a JSON text a second time, in quotes', (text) => stringIn(text)],
  ['it is written as a Node Buffer ({"type":"Buffer","data":[…]})', (text) => bufferIn(text)],
  [
    'it is in base64, as function gateways hand bodies on (isBase64Encoded)',
    (text) => (/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null),
  ],
  ['it is in hex', (text) => (/^(?:[0-9a-f]{2}){4,}$/i.test(text) ? Buffer.from(text, 'hex') : null)],
  ["it is written as Python bytes (b'…')", (text) => /^b(['"])([^\\]*)\1$/.exec(text)?.[2] ?? null],
  ['it was read as a form', (text) => formIn(text)],
];

function stringIn(text: string): string | null {
  const value = text.startsWith('"') ? parsed(text) : null;
  return typeof value === 'string' ? value : null;
}

function bufferIn(text: string): Uint8Array | null {
  if (!text.startsWith('{"type":"Buffer"')) return null;
  const { data } = (parsed(text) ?? {}) as { data?: unknown };
  return Array.isArray(data) ? Uint8Array.from(data, Number) : null;
}

/** A form with one name and no value: `{"a":1}=`, or the same percent-encoded. */
function formIn(text: string): string | null {
  if (!text.endsWith('=') && !/^%7b/i.test(text)) return null;
  try {
    return decodeURIComponent(text.replace(/=$/, '').replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The remains of a body that was read before, or of an object that was turned into text. */
const LEFT_OVER: readonly (readonly [pattern: RegExp, is: string])[] = [
  [/^$/, 'empty'],
  [/^\{\}$/, '{}'],
  [/^(?:null|undefined|None|nil)$/, 'no more than the word for nothing'],
  [/^\[object [A-Za-z]+\]$/, 'the text of an object, not what is in it'],
  [/^Array$/, 'the text of a PHP array, not what is in it'],
  [/^\{'/, 'the text of a Python dictionary, not JSON'],
  [/^\{"[^"]*"=>/, 'the text of a Ruby hash, not JSON'],
  [/^(?:map\[|&?\{webhook)/i, 'the text of a map, not JSON'],
  [/^webhook=/, 'a form, not JSON'],
];

/** A signature cannot be checked without its body. */
export function lostBody(rawBody: Uint8Array): Finding | null {
  const start = Buffer.from(rawBody.subarray(0, 200)).toString('utf8').trim();
  const left = LEFT_OVER.find(([pattern]) => pattern.test(start));
  return left ? finding('body_lost', `the body that is verified here is ${left[1]}`) : null;
}
