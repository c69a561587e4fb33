/**
 * Rows of a CSV file, read by csv-parse piece by piece. Empty lines are passed over. A quote in the wrong place makes the rest of
 * the file unreadable, so it refuses the file; any other row that is wrong is one fault.
 */
import type { CsvError, Parser } from 'csv-parse';
import { unguard } from './csv-guard.ts';
import { delimiterOf } from './csv-lines.ts';
import type { Heading } from './heading.ts';
import { type Batches, type Fault, type FileRow, faultAt, fileProblem, isFault, wordsOfFile } from './row.ts';

export interface CsvOptions {
  name: string;
  /**
   * Returns the meaning of each place of the header: undefined where it has no name, null where it is not
   * read.
   * @throws Problem
   */
  header(record: readonly string[]): Header;
  /** Knows lines that are no rows; without it blank lines alone are passed over. */
  odd?: OtherLines;
}

export type Header = readonly (string | undefined | null)[];

export interface Wrong {
  column: string | undefined;
  code: string;
  words: string;
  right: string;
}

/** Lines that may stand in a file of rows and are none. */
export interface OtherLines {
  /** Undefined where more text has to be read first, or the file has no heading. */
  heading(text: string, isWhole: boolean): Heading | undefined;
  /** Hears of the lines above the heading. */
  above(heading: Heading): void;
  blank(line: number): void;
  judge(record: readonly string[], header: Header, line: number): 'row' | 'left out' | Wrong;
  /** Hears of a row that could not be read. */
  unread(): void;
  /** Takes off the mark that says that a key is one. */
  unguarded(cell: string, column: string, at: number): string;
}

/** The most characters of one row; so of one cell too. */
export const MOST_CHARACTERS = 1_000_000;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readCsv(pieces: AsyncIterable<Buffer>, options: CsvOptions): Batches {
  const { parse } = await import('csv-parse');
  const source = pieces[Symbol.asyncIterator]();
  const { text, heading } = await beginningOf(source, options.odd);
  if (text.trim() === '') throw fileProblem('empty_file', `${wordsOfFile(options.name)} is empty`);
  if (heading) options.odd?.above(heading);
  const rows = new Rows(options, heading?.lines ?? 0);
  const parser = parse({
    bom: false,
    delimiter: heading?.delimiter ?? delimiterOf(text),
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: MOST_CHARACTERS,
    info: false,
    on_record: (record: string[], { lines }) => rows.take(record, lines),
    on_skip: (error) => rows.skip(error),
  });
  let failure: unknown;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.resume();
  try {
    for (
      let piece: Buffer | undefined = Buffer.from(text.slice(heading?.at ?? 0));
      piece !== undefined;
      piece = (await source.next()).value
    ) {
      await written(parser, piece);
      if (failure !== undefined) throw rows.problemOf(failure);
      const batch = rows.drain();
      if (batch.length > 0) yield batch;
    }
    await ended(parser);
    if (failure !== undefined) throw rows.problemOf(failure);
    rows.finish();
    const batch = rows.drain();
    if (batch.length > 0) yield batch;
  } finally {
    parser.destroy();
    await source.return?.(undefined);
  }
}

/** The text that holds the whole header, in which the delimiter is looked for. */
async function beginningOf(
  source: AsyncIterator<Buffer>,
  odd: OtherLines | undefined,
): Promise<{ text: string; heading?: Heading }> {
  for (let text = ''; ; ) {
    const { value, done } = await source.next();
    if (!done) text += value.toString();
    const isWhole = done === true || text.length >= MOST_CHARACTERS;
    // Without the end of a line there is nothing to look at yet.
    if (!isWhole && !/[\r\n]/.test(value.toString('latin1'))) continue;
    const heading = text.trim() === '' ? undefined : odd?.heading(text, isWhole);
    if (heading) return { text, heading };
    if (isWhole || (odd === undefined && /[\r\n]/.test(text.trimStart()))) return { text };
  }
}

const written = (parser: Parser, piece: Buffer): Promise<void> =>
  new Promise((resolve) => void parser.write(piece, () => resolve()));

const ended = (parser: Parser): Promise<void> =>
  new Promise((resolve) => {
    parser.once('error', () => resolve());
    parser.once('end', () => resolve());
    parser.end();
  });

class Rows {
  readonly #options: CsvOptions;
  #header: Header | undefined;
  #batch: (FileRow | Fault)[] = [];
  #n = 0;
  /** The line in which the last record ended. */
  #line = 0;
  /** The library counts the two characters of a line break within quotes as two lines. */
  #tooMany = 0;

  /** Lines of the file above the header. */
  readonly #above: number;

  constructor(options: CsvOptions, above: number) {
    this.#options = options;
    this.#above = above;
    this.#line = above;
  }

  drain(): readonly (FileRow | Fault)[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  finish(): void {
    if (this.#n > 0) return;
    const file = wordsOfFile(this.#options.name);
    throw fileProblem('no_rows', `${file} has a header and no rows`);
  }

  take(record: readonly string[], lines: number): null {
    const line = this.#begins(record, lines + this.#above);
    const { header, odd } = this.#options;
    if (record.every((cell) => cell.trim() === '')) odd?.blank(line);
    else if (this.#header === undefined) this.#header = header(record);
    else this.#takeRow(record, this.#header, line);
    return null;
  }

  #takeRow(record: readonly string[], header: Header, line: number): void {
    const { odd } = this.#options;
    const at = `line ${line}`;
    const judgement = odd?.judge(record, header, line) ?? 'row';
    if (judgement === 'left out') return;
    if (judgement !== 'row') {
      const { column, code, words, right } = judgement;
      this.#batch.push(faultAt({ n: ++this.#n, at }, column, code, words, right));
      return;
    }
    const row = this.#rowOf(record, header, at);
    if (isFault(row)) odd?.unread();
    this.#batch.push(row);
  }

  /** @throws Error where what follows cannot be read */
  skip(error: CsvError | undefined): undefined {
    if (error?.code !== 'INVALID_OPENING_QUOTE' || this.#header === undefined) throw error;
    this.#options.odd?.unread();
    const line = Number(error.lines) + this.#above - this.#tooMany;
    const at = `line ${line}`;
    if (this.#batch.at(-1)?.at === at) return;
    const words = 'has a quote in the middle of a cell';
    this.#batch.push(
      faultAt(
        { n: ++this.#n, at },
        undefined,
        'quote',
        words,
        'put the cell in quotes, and write a quote within it twice',
      ),
    );
  }

  problemOf(error: unknown): unknown {
    const { code, lines } = error as CsvError;
    const file = wordsOfFile(this.#options.name);
    const next = this.#line + 1;
    const at = Number(lines) + this.#above - this.#tooMany;
    if (code === 'CSV_QUOTE_NOT_CLOSED')
      return fileProblem('quote', `${file}: a quote in the row at line ${next} is never closed`, QUOTES);
    if (code === 'CSV_MAX_RECORD_SIZE')
      return fileProblem('too_long', `${file}: the row at line ${next} is longer than 1 MB`, QUOTES);
    if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'INVALID_OPENING_QUOTE')
      return fileProblem('quote', `${file}: line ${at} has a quote in the middle of a cell`, QUOTES);
    return error;
  }

  /** The line in which this record began. */
  #begins(record: readonly string[], lines: number): number {
    let line = lines - this.#tooMany;
    let breaks = 0;
    if (line - this.#line > 1) {
      const text = record.join('');
      const both = text.split('\r\n').length - 1;
      this.#tooMany += both;
      line -= both;
      breaks = text.split(/\r\n|\r|\n/).length - 1;
    }
    this.#line = line;
    return line - breaks;
  }

  #unguarded(cell: string, column: string, at: number): string {
    return unguard(this.#options.odd?.unguarded(cell, column, at) ?? cell);
  }

  #rowOf(record: readonly string[], header: Header, at: string): FileRow | Fault {
    const n = ++this.#n;
    const many = (found: number): string => `has ${found} cells, and the header has ${header.length}`;
    if (record.length < header.length)
      return faultAt({ n, at }, undefined, 'cells', many(record.length), 'is the end of the row lost?');
    const cells: Record<string, string> = {};
    for (let i = 0; i < record.length; i++) {
      const cell = record[i] ?? '';
      if (cell === '' || cell.trim() === '') continue;
      const column = header[i];
      if (column === null) continue;
      if (column !== undefined) cells[column] = cell.includes("'") ? this.#unguarded(cell, column, i) : cell;
      else if (i >= header.length)
        return faultAt(
          { n, at },
          undefined,
          'cells',
          many(record.length),
          'put a cell with a delimiter in it in quotes',
        );
      else
        return faultAt({ n, at }, undefined, 'cells', `has something in column ${i + 1}, which has no name`);
    }
    return { n, at, cells };
  }
}

const QUOTES = 'put the cell in quotes, and write a quote within it twice';
