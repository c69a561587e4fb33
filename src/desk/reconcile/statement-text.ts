/**
 * The bytes of a bank's statement as UTF-8. Many banks still write Latin-1 or Windows-1252: amounts and days are the same bytes there, so
 * such a file is read, and that it was read so is said. A file of payments is stricter: a wrong letter there is a payment that fails.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer } from '../../core/bytes.ts';
import { utf8Pieces } from '../payruns/files/utf8.ts';

/** The characters of Windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const OF_WINDOWS = /[\u0080-\u009f]/g;
const DECLARED = /^(\s*<\?xml[^>]*encoding\s*=\s*["'])([^"']+)/;
const ONE_BYTE = /^(?:iso-?8859-?1|iso-?8859-?15|latin-?[19]|windows-?1252|cp-?1252)$/i;

/** @param tell is told once, with the encoding, where the file is not UTF-8. @throws Problem */
export async function* statementPieces(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  tell: (encoding: string) => void,
): AsyncGenerator<Buffer> {
  yield* utf8Pieces(asUtf8(bytes, tell), name);
}

/** A piece that cannot be UTF-8 is decoded, and all behind it; a file that was UTF-8 before is handed on as it is, and refused. */
async function* asUtf8(
  bytes: AsyncIterable<Uint8Array>,
  tell: (encoding: string) => void,
): AsyncGenerator<Uint8Array> {
  let encoding: string | undefined;
  let isPlain = true;
  let isFirst = true;
  for await (const chunk of linesTogether(bytes)) {
    const declared = isFirst ? DECLARED.exec(chunk.toString('latin1').slice(0, 200))?.[2] : undefined;
    const isOneByte = declared !== undefined && ONE_BYTE.test(declared);
    const isOther = chunk[0] === 0xff || chunk[0] === 0xfe || chunk.includes(0);
    if (encoding === undefined && isPlain && !isOther && (isOneByte || !isUtf8(chunk))) {
      const text = chunk.toString('latin1');
      encoding = OF_WINDOWS.test(text) ? 'Windows-1252' : 'Latin-1';
      OF_WINDOWS.lastIndex = 0;
      if (!isAscii(chunk)) tell(encoding);
    }
    isPlain &&= isAscii(chunk);
    yield encoding === undefined ? chunk : decoded(chunk, isFirst);
    isFirst = false;
  }
}

function decoded(bytes: Buffer, isFirst: boolean): Buffer {
  const text = bytes
    .toString('latin1')
    .replace(OF_WINDOWS, (letter) => WINDOWS[letter.charCodeAt(0) - 0x80] ?? letter);
  return Buffer.from(isFirst ? text.replace(DECLARED, '$1UTF-8') : text);
}

const LEAST = 65_536;

/** Pieces that end with a line where they can, so that no letter of UTF-8 is cut in two. */
async function* linesTogether(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    kept.push(asBuffer(chunk));
    size += chunk.length;
    if (size < LEAST) continue;
    const all = Buffer.concat(kept);
    const cut = all.lastIndexOf(0x0a) + 1 || all.length;
    yield all.subarray(0, cut);
    kept = [all.subarray(cut)];
    size = all.length - cut;
  }
  if (size > 0) yield Buffer.concat(kept);
}
