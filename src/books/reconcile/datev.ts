/**
 * A batch of postings as DATEV writes it: above the heading stands a line of its own, which says the time that the batch is of. The days of the
 * postings have no year: it is the one that brings them into that time.
 */
import { asBuffer } from '../../core/bytes.ts';
import { wordsOfFile } from '../../tables/row.ts';
import { utf8Pieces } from '../../tables/utf8.ts';
import { peeked } from '../../tables/whole-text.ts';
import { textPieces } from './statement.ts';

/** The first and the last day of a batch: `20261001`. */
export interface DatevSpan {
  from: string;
  to: string;
}

/**
 * The pieces of a ledger from its heading on, and the time of the batch where it is one of DATEV. DATEV writes Windows-1252; any other ledger is
 * UTF-8.
 * @throws Problem
 */
export async function ledgerPieces(
  source: AsyncGenerator<Buffer>,
  name: string,
  note: (words: string) => void,
): Promise<{ pieces: AsyncIterable<Buffer>; span: DatevSpan | undefined }> {
  const { first, pieces } = await peeked(source);
  if (!/^\ufeff?"?(?:EXTF|DTVF)"?;/.test(first)) return { pieces: utf8Pieces(pieces, name), span: undefined };
  const [line = ''] = first.split(/\r\n|\n|\r/, 1);
  const [from = '', to = ''] = line.split(';').slice(14, 16);
  const text = textPieces(pieces, name, (encoding) => note(`${wordsOfFile(name)} was read as ${encoding}.`));
  return { pieces: behindFirstLine(text), span: { from, to } };
}

export async function* asBuffers(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of bytes) yield asBuffer(piece);
}

async function* behindFirstLine(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isBehind = false;
  for await (const piece of pieces) {
    const end = isBehind ? -1 : piece.indexOf(0x0a);
    if (!isBehind && end < 0) continue;
    isBehind = true;
    yield piece.subarray(end + 1);
  }
}

/** `3110` is the 31st of October: `2026-10-31`. Undefined where it is outside of the time of the batch. */
export function datevDay(text: string, { from, to }: DatevSpan): string | undefined {
  const [, day = '', month = ''] = /^(\d{1,2})(\d{2})$/.exec(text) ?? [];
  const years = [from.slice(0, 4), to.slice(0, 4)];
  const found = years.map((year) => `${year}${month}${day.padStart(2, '0')}`);
  const within = found.find((one) => day !== '' && one >= from && one <= to);
  return within?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
}
