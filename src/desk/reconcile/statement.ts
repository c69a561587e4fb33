/** A bank's statement: ISO 20022 camt.053 or camt.054, or SWIFT MT940. Its own sums are counted again. */
import { AmountError } from '../../core/money.ts';
import { fileProblem, wordsOfFile } from '../payruns/files/file-problem.ts';
import { peeked } from '../payruns/files/read.ts';
import { utf8Pieces } from '../payruns/files/utf8.ts';
import { dayNumber } from './days.ts';
import { Side } from './side.ts';

/** One movement. */
export interface StatementEntry {
  /** Where it begins. */
  line: number;
  endToEnd: string | undefined;
  /** What the bank calls it. */
  bankReference: string | undefined;
  /** What whoever ordered it calls it. */
  orderReference: string | undefined;
  text: string | undefined;
  /** A decimal; with a minus where money came in. */
  amount: string;
  currency: string;
  /** `2026-10-31`, by the bank's own calendar. */
  day: string | undefined;
  /** When it was booked, where the bank says the time. */
  at?: number | undefined;
}

export interface StatementOptions {
  name: string;
  dayOf(at: number): number;
}

/** Enough to tell one kind of file from another. */
const BEGINNING = 256;

/** @throws Problem that names the line */
export async function readStatement(
  bytes: AsyncIterable<Uint8Array>,
  { name, dayOf }: StatementOptions,
): Promise<Side> {
  const { first, pieces } = await peeked(utf8Pieces(bytes, name), BEGINNING);
  const side = new Side('statement', wordsOfFile(name), 3);
  for await (const entries of await entriesOf(first.trimStart(), pieces, name))
    for (const entry of entries) add(side, entry, name, dayOf);
  return side;
}

async function entriesOf(
  first: string,
  pieces: AsyncIterable<Buffer>,
  name: string,
): Promise<AsyncIterable<readonly StatementEntry[]>> {
  if (first.startsWith('<')) return (await import('./camt.ts')).readCamt(pieces, name);
  if (/^(?:\{1:|\{4:|:20:)/.test(first)) return (await import('./mt940.ts')).readMt940(pieces, name);
  throw fileProblem(
    'not_a_statement',
    `${wordsOfFile(name)} is no statement that is read: its line 1 begins neither an XML document nor :20:`,
    'camt.053, camt.054 and MT940 are read',
  );
}

/** What banks write where there is no reference. */
const NONE = /^(?:NOTPROVIDED|NOT PROVIDED|NONREF|NOREF|NONE)?$/i;
const meant = (text: string | undefined): string | undefined =>
  text === undefined || NONE.test(text.trim()) ? undefined : text.trim();

function add(side: Side, entry: StatementEntry, name: string, dayOf: (at: number) => number): void {
  const keys = [entry.endToEnd, entry.bankReference, entry.orderReference].map(meant);
  const day =
    entry.at === undefined ? (entry.day === undefined ? undefined : dayNumber(entry.day)) : dayOf(entry.at);
  try {
    side.add({
      keys,
      reference: meant(entry.text) ?? keys[0] ?? keys[2] ?? keys[1],
      amount: entry.amount,
      currency: entry.currency,
      day,
      at: entry.at,
      kind: 'paid',
      line: entry.line,
    });
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw statementProblem(name, entry.line, 'has an amount with too many digits');
  }
}

export const statementProblem = (name: string, line: number, words: string, hint?: string) =>
  fileProblem('statement', `${wordsOfFile(name)}: line ${line} ${words}`, hint);
