/** A bank's statement: ISO 20022 camt.052, camt.053 or camt.054, or SWIFT MT940 or MT942. Its own sums are counted again. */

import { isAscii, isUtf8 } from 'node:buffer';
import { counted } from '../../core/amount-words.ts';
import { asBuffer } from '../../core/bytes.ts';
import { AmountError } from '../../core/money.ts';
import { fileProblem, shortName, wordsOfFile } from '../../tables/row.ts';
import { utf8Pieces } from '../../tables/utf8.ts';
import { peeked } from '../../tables/whole-text.ts';
import { dayNumber } from './days.ts';
import { type Side, type StatementBalance, sideRowOf } from './side.ts';
import { isBooked, type StatementEntry, type StatementWords, statementProblem } from './statement-entry.ts';

/** The treatment of a file whose sums are wrong, or cannot be counted: it is refused, or read and told. */
export type Sums = 'refuse' | 'warn';

export interface StatementOptions {
  name: string;
  dayOf(at: number): number;
  /** `refuse` by default. */
  sums?: Sums | undefined;
  /** The currency of movements of which the file says none. */
  currency?: string | undefined;
  /** The side that the movements are added to; a new one where there is none. */
  side?: Side | undefined;
  /** Hears words about how the file was read. */
  note?(words: string): void;
  balance?(of: StatementBalance): void;
}

/** Enough to tell one kind of file from another: some banks put lines of their own before the first tag. */
const BEGINNING = 4_096;

/** @throws Problem that names the line */
export async function readStatement(
  bytes: AsyncIterable<Uint8Array>,
  { name, dayOf, sums = 'refuse', currency, side: given, note = () => {}, balance }: StatementOptions,
): Promise<Side> {
  const text = textPieces(bytes, name, (encoding) =>
    note(`${wordsOfFile(name)} is not UTF-8. It was read as ${encoding}.`),
  );
  const { first, pieces } = await peeked(text, BEGINNING);
  const file = wordsOfFile(name);
  const side: Side = given ?? { kind: 'statement', name: file, rows: [] };
  let leftOut = 0;
  const words: StatementWords = {
    currency,
    isBooked(kind, word, line) {
      const booked = isBooked(kind, word);
      if (booked === undefined)
        throw statementProblem(
          name,
          line,
          `has an entry with the ${kind} "${shortName(word)}", and it is not known whether that is booked`,
          'ask the bank for a file of booked entries',
        );
      if (!booked) leftOut++;
      return booked;
    },
    doubt(problem) {
      if (sums === 'refuse') throw problem;
      note(`${problem.message}. It was read all the same.`);
    },
    balance: (of) => balance?.({ ...of, file, account: of.account ?? file }),
  };
  for await (const entries of await entriesOf(first.trimStart(), pieces, name, words))
    for (const entry of entries) add(side, entry, name, dayOf);
  if (leftOut > 0)
    note(
      `${file}: ${counted(leftOut, 'entry', 'entries')} that the bank has not booked yet ${leftOut === 1 ? 'is' : 'are'} left out.`,
    );
  return side;
}

async function entriesOf(
  first: string,
  pieces: AsyncIterable<Buffer>,
  name: string,
  words: StatementWords,
): Promise<AsyncIterable<readonly StatementEntry[]>> {
  if (first.startsWith('<')) return (await import('./camt.ts')).readCamt(pieces, name, words);
  if (/^(?:\{[14]:|:(?:\d{2}[A-Z]?|NS):)|[\r\n](?:[^\S\r\n]*):(?:20|25|28C|60[FM]|61):/i.test(first))
    return (await import('./mt940.ts')).readMt940(pieces, name, words);
  throw fileProblem(
    'not_a_statement',
    `${wordsOfFile(name)} is no statement that is read: its line 1 begins neither an XML document nor :20:`,
    'camt.052, camt.053, camt.054, MT940 and MT942 are read',
  );
}

/** The texts that banks write where there is no reference. */
const NONE = /^(?:NOTPROVIDED|NOT PROVIDED|NONREF|NOREF|NONE)?$/i;
/** A copy: a part of a text keeps the whole text in memory, here that of the file. */
const meant = (text: string | undefined): string | undefined =>
  text === undefined || NONE.test(text.trim()) ? undefined : Buffer.from(text.trim()).toString();

function add(side: Side, entry: StatementEntry, name: string, dayOf: (at: number) => number): void {
  const keys = [entry.endToEnd, entry.bankReference, entry.orderReference].map(meant);
  const day =
    entry.at === undefined ? (entry.day === undefined ? undefined : dayNumber(entry.day)) : dayOf(entry.at);
  try {
    side.rows.push(
      sideRowOf({
        keys,
        reference: meant(entry.text) ?? keys[0] ?? keys[2] ?? keys[1],
        amount: entry.amount,
        currency: entry.currency,
        day,
        at: entry.at,
        kind: 'paid',
        line: entry.line,
        file: wordsOfFile(name),
        account: entry.account ?? wordsOfFile(name),
      }),
    );
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw statementProblem(name, entry.line, 'has an amount with too many digits');
  }
}

/** The characters of Windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const OF_WINDOWS = /[\u0080-\u009f]/g;
const DECLARED = /^(\s*<\?xml[^>]*encoding\s*=\s*["'])([^"']+)/;
const ONE_BYTE = /^(?:iso-?8859-?1|iso-?8859-?15|latin-?[19]|windows-?1252|cp-?1252)$/i;

/**
 * The bytes of a bank's statement or of a ledger as UTF-8. Many banks still write Latin-1 or Windows-1252: amounts and days
 * are the same bytes there, so such a file is read, and the user is told. A file of payments is
 * stricter: a wrong letter there is a payment that fails.
 * @param tell is told once, with the encoding, where the file is not UTF-8. @throws Problem
 */
export async function* textPieces(
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
