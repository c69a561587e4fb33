/**
 * Bodies that may have been sent before something on the way rewrote them. Each differs from the received body, and
 * from the others.
 */
import { bodyDigest } from '../signing.ts';
import { rewrittenForms } from './explain-json.ts';
import { unpacked } from './explain-packing.ts';
import { unwrapped } from './explain-wrapping.ts';
import type { Headers, Variant } from './finding.ts';

/** Answers digests, so that each body is hashed once however often it is tried. */
export function bodyDigests(rawBody: Uint8Array, headers: Headers, sent?: string): Variant<string>[] {
  const digests: Variant<string>[] = [];
  const seen = new Set([bodyDigest(rawBody)]);
  for (const variant of bodyVariants(rawBody, headers, sent)) {
    const value = bodyDigest(variant.value);
    if (seen.has(value)) continue;
    seen.add(value);
    digests.push({ ...variant, value });
  }
  return digests;
}

function* bodyVariants(
  rawBody: Uint8Array,
  headers: Headers,
  sent: string | undefined,
): Generator<Variant<string | Uint8Array>> {
  const text = Buffer.from(rawBody).toString('utf8');
  yield* edges(text).filter(({ value }) => value !== text);
  yield* unpacked(rawBody, headers);
  yield* charsets(rawBody, text);
  yield* unwrapped(text);
  yield* rewritings(text);
  if (sent !== undefined)
    yield { cause: 'body_rewritten', value: sent, change: differenceFrom(sent, rawBody) };
}

/** Names the first byte that is not the one that was sent. */
export function differenceFrom(sent: string, received: Uint8Array): string {
  const bytes = Buffer.from(sent);
  const at = bytes.findIndex((byte, i) => byte !== received[i]);
  return `the service sent ${bytes.length} bytes and ${received.length} arrived; the first that differs is byte ${(at < 0 ? bytes.length : at) + 1}`;
}

const BOM = '\ufeff';

function edges(text: string): Variant<string>[] {
  const withoutMark = text.startsWith(BOM) ? text.slice(1) : text;
  return [
    {
      cause: 'body_line_end',
      value: text.replace(/\r?\n$/, ''),
      change: 'a line end was added at the end',
    },
    { cause: 'body_line_end', value: `${text}\n`, change: 'the line end at the end was cut off' },
    { cause: 'body_line_end', value: `${text}\r\n`, change: 'the line end at the end was cut off' },
    { cause: 'body_bom', value: withoutMark, change: 'a byte order mark was added' },
    { cause: 'body_bom', value: `${BOM}${text}`, change: 'its byte order mark was removed' },
    {
      cause: 'body_crlf',
      value: text.replaceAll('\r\n', '\n'),
      change: 'line ends were changed to CR LF',
    },
    {
      cause: 'body_crlf',
      value: text.replace(/\r?\n/g, '\r\n'),
      change: 'line ends were changed from CR LF',
    },
    { cause: 'body_space', value: text.trim(), change: 'white space was added around it' },
    { cause: 'body_empty', value: '', change: 'the signature is for an empty body' },
  ];
}

/**
 * Bodies in other charsets. Where every character is ASCII, only charsets that can write ASCII in another way are
 * tried.
 */
function charsets(rawBody: Uint8Array, text: string): Variant<Uint8Array>[] {
  const variant = (value: Uint8Array, change: string): Variant<Uint8Array> => ({
    cause: 'body_charset',
    value,
    change,
  });
  const sixteen = [
    variant(Buffer.from(text, 'utf16le'), 'UTF-16 was written as UTF-8'),
    variant(Buffer.from(`${BOM}${text}`, 'utf16le'), 'UTF-16 was written as UTF-8'),
  ];
  if (rawBody.includes(0) && rawBody.length % 2 === 0)
    sixteen.push(
      variant(
        Buffer.from(Buffer.from(rawBody).toString('utf16le').replace(BOM, '')),
        'UTF-8 was written as UTF-16',
      ),
    );
  if (!/[\u0080-\uffff]/.test(text)) return sixteen;
  return [
    variant(Buffer.from(text, 'latin1'), 'UTF-8 was read as Latin-1 and written as UTF-8 again'),
    variant(toWindows1252(text), 'Windows-1252 was written as UTF-8, or UTF-8 was taken for it'),
    variant(Buffer.from(Buffer.from(rawBody).toString('latin1')), 'UTF-8 was written as Latin-1'),
    variant(Buffer.from(fromWindows1252(rawBody)), 'UTF-8 was written as Windows-1252'),
    variant(Buffer.from(text.normalize('NFC')), 'its accents were taken apart (Unicode NFD)'),
    variant(Buffer.from(text.normalize('NFD')), 'its accents were put together (Unicode NFC)'),
    ...sixteen,
  ];
}

/**
 * The characters of Windows-1252 from 0x80 on, where Latin-1 has control characters. Node’s decoder takes the one for
 * the other.
 */
const UPPER = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const fromWindows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (letter) => UPPER[letter.charCodeAt(0) - 0x80] ?? letter);

/** Writes text as Windows-1252; a character that it does not have becomes a question mark. */
function toWindows1252(text: string): Buffer {
  const one = (letter: string): string => {
    const at = UPPER.indexOf(letter);
    return at >= 0 ? String.fromCharCode(0x80 + at) : letter > '\xff' ? '?' : letter;
  };
  return Buffer.from(text.replace(/[\u0080-\uffff]/g, one), 'latin1');
}

function* rewritings(text: string): Generator<Variant<string>> {
  for (const value of rewrittenForms(text.startsWith(BOM) ? text.slice(1) : text))
    yield { cause: 'body_rewritten', value, change: 'it was parsed and written again as JSON' };
}
