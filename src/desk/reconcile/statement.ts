/** A bank's statement: ISO 20022 camt.052, camt.053 or camt.054, or SWIFT MT940 or MT942. Its own sums are counted again. */
import { AmountError } from '../../core/money.ts';
import { fileProblem, wordsOfFile } from '../payruns/files/file-problem.ts';
import { peeked } from '../payruns/files/read.ts';
import { dayNumber } from './days.ts';
import { rowOf, type Side } from './side.ts';
import { type StatementEntry, type StatementWords, statementProblem } from './statement-entry.ts';
import { statementPieces } from './statement-text.ts';

/** The treatment of a file whose sums are wrong, or cannot be counted: it is refused, or read and told. */
export type Sums = 'refuse' | 'warn';

export interface StatementOptions {
  name: string;
  dayOf(at: number): number;
  /** `refuse` where nothing is said. */
  sums?: Sums | undefined;
  /** The currency of movements of which the file says none. */
  currency?: string | undefined;
  /** Hears words about how the file was read. */
  note?(words: string): void;
}

/** Enough to tell one kind of file from another: some banks put lines of their own before the first tag. */
const BEGINNING = 4_096;

/** @throws Problem that names the line */
export async function readStatement(
  bytes: AsyncIterable<Uint8Array>,
  { name, dayOf, sums = 'refuse', currency, note = () => {} }: StatementOptions,
): Promise<Side> {
  const text = statementPieces(bytes, name, (encoding) =>
    note(`${wordsOfFile(name)} is not UTF-8. It was read as ${encoding}.`),
  );
  const { first, pieces } = await peeked(text, BEGINNING);
  const side: Side = { kind: 'statement', name: wordsOfFile(name), rows: [] };
  const words: StatementWords = {
    currency,
    doubt(problem) {
      if (sums === 'refuse') throw problem;
      note(`${problem.message}. It was read all the same.`);
    },
  };
  for await (const entries of await entriesOf(first.trimStart(), pieces, name, words))
    for (const entry of entries) add(side, entry, name, dayOf);
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
      rowOf({
        keys,
        reference: meant(entry.text) ?? keys[0] ?? keys[2] ?? keys[1],
        amount: entry.amount,
        currency: entry.currency,
        day,
        at: entry.at,
        kind: 'paid',
        line: entry.line,
      }),
    );
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw statementProblem(name, entry.line, 'has an amount with too many digits');
  }
}
