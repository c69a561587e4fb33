/** What the body may have been before something on the way rewrote it. */
import type { Variant } from './finding.ts';

export function bodyVariants(rawBody: Uint8Array): Variant<string | Uint8Array>[] {
  const text = Buffer.from(rawBody).toString('utf8');
  return [...edges(text), ...encodings(text), ...rewritings(text)];
}

const BOM = '\ufeff';

function edges(text: string): Variant<string>[] {
  return [
    { value: text.replace(/\r?\n$/, ''), change: 'a line end was added at the end' },
    { value: `${text}\n`, change: 'the line end at the end was cut off' },
    { value: text.trim(), change: 'white space was added around it' },
    { value: text.startsWith(BOM) ? text.slice(1) : text, change: 'a byte order mark was added' },
    { value: `${BOM}${text}`, change: 'its byte order mark was removed' },
    { value: text.replaceAll('\r\n', '\n'), change: 'line ends were changed to CR LF' },
    { value: text.replace(/\r?\n/g, '\r\n'), change: 'line ends were changed from CR LF' },
    { value: '', change: 'the signature is for an empty body' },
  ];
}

function encodings(text: string): Variant<Uint8Array>[] {
  return [
    { value: Buffer.from(text, 'latin1'), change: 'UTF-8 was read as Latin-1 and written as UTF-8 again' },
    { value: Buffer.from(Buffer.from(text).toString('latin1')), change: 'Latin-1 was taken for UTF-8' },
  ];
}

const REWRITTEN = 'it was parsed and written again as JSON';

function rewritings(text: string): Variant<string>[] {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith(BOM) ? text.slice(1) : text);
  } catch {
    return [];
  }
  const shapes = [value, sorted(value)].flatMap((shape) => [
    JSON.stringify(shape),
    spaced(shape),
    JSON.stringify(shape, null, 2),
    JSON.stringify(shape, null, 4),
    JSON.stringify(shape, null, '\t'),
  ]);
  return shapes
    .flatMap((shape) => [shape, htmlSafe(shape), ascii(shape), ascii(slashed(shape))])
    .map((shape) => ({ value: shape, change: REWRITTEN }));
}

/** `{"a": 1, "b": 2}`, as some languages write by default. Line ends in JSON are never inside a text. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** Some servers write these as escapes so that the text is safe inside a page. */
const htmlSafe = (json: string): string => json.replace(/[&<>\u2028\u2029]/g, escaped);
const ascii = (json: string): string => json.replace(/[\u0080-\uffff]/g, escaped);
const slashed = (json: string): string => json.replaceAll('/', '\\/');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
