/**
 * The bytes of a file as pieces of whole UTF-8 characters, without a byte order mark. What is not UTF-8 is refused, not guessed at:
 * a name with wrong letters is a payment that the bank refuses.
 */
import { isUtf8 } from 'node:buffer';
import { asBuffer } from '../core/bytes.ts';
import { fileProblem, wordsOfFile } from './row.ts';

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BEGINNING = 4096;
const NEW_LINE = 0x0a;
const SAVE_AGAIN = 'save it again as "CSV UTF-8"; in Windows PowerShell: Set-Content -Encoding utf8';

/** Each piece is valid UTF-8 by itself. @throws Problem */
export async function* utf8Pieces(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Buffer> {
  let kept: Buffer = Buffer.alloc(0);
  let begun = false;
  let lines = 1;
  for await (const chunk of bytes) {
    let piece = kept.length === 0 ? asBuffer(chunk) : Buffer.concat([kept, chunk]);
    if (!begun) {
      // A mark, and what tells one encoding from another, may come in several chunks.
      if (piece.length < MARK.length) {
        kept = piece;
        continue;
      }
      refuseOtherFormats(piece, name);
      begun = true;
      if (piece.subarray(0, 3).equals(MARK)) piece = piece.subarray(3);
    }
    const whole = piece.length - unfinished(piece);
    kept = piece.subarray(whole);
    piece = piece.subarray(0, whole);
    refuseBroken(piece, lines, name);
    lines += count(piece);
    if (piece.length > 0) yield piece;
  }
  if (!begun) refuseOtherFormats(kept, name);
  refuseBroken(kept, lines, name);
  if (kept.length > 0) yield kept;
}

/** Bytes at the end that begin a character whose rest is to come. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? back : 0;
  }
  return 0;
}

function refuseOtherFormats(bytes: Buffer, name: string): void {
  const [first, second] = bytes;
  const beginning = bytes.subarray(0, BEGINNING);
  const zeros = beginning.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  if (first === 0x50 && second === 0x4b && bytes[2] === 3)
    throw fileProblem(
      'encoding',
      `${wordsOfFile(name)} is a spreadsheet or a zip file`,
      'save it as "CSV UTF-8" and give that file',
    );
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (marked || zeros * 10 > beginning.length)
    throw fileProblem('encoding', `${wordsOfFile(name)} is not UTF-8: it reads as UTF-16`, SAVE_AGAIN);
}

function refuseBroken(piece: Buffer, lines: number, name: string): void {
  const zero = piece.indexOf(0);
  if (zero >= 0)
    throw fileProblem(
      'encoding',
      `${wordsOfFile(name)} has a NUL byte in line ${lines + count(piece.subarray(0, zero))}: it is no text, or it was cut`,
    );
  if (isUtf8(piece)) return;
  const line = lines + firstBrokenLine(piece);
  throw fileProblem(
    'encoding',
    `${wordsOfFile(name)} is not UTF-8: line ${line} reads as Latin-1 or Windows-1252`,
    SAVE_AGAIN,
  );
}

function firstBrokenLine(piece: Buffer): number {
  for (let line = 0, from = 0; ; line++) {
    const end = piece.indexOf(NEW_LINE, from);
    if (end < 0 || !isUtf8(piece.subarray(from, end))) return line;
    from = end + 1;
  }
}

function count(piece: Buffer): number {
  let found = 0;
  for (let at = piece.indexOf(NEW_LINE); at >= 0; at = piece.indexOf(NEW_LINE, at + 1)) found++;
  return found;
}
