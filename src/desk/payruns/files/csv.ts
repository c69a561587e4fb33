/**
 * Rows of a CSV file, read by csv-parse piece by piece. Empty lines are passed over. A quote in the wrong place makes the rest of
 * the file unreadable, so it refuses the file; any other row that is wrong is one fault.
 */
import type { CsvError, Parser } from 'csv-parse';
import { unguard } from '../../../core/csv-guard.ts';
import { type Batches, type Fault, type FileRow, faultAt, fileProblem, wordsOfFile } from './row.ts';

export interface CsvOptions {
  name: string;
  /**
   * Returns the meaning of each place of the header: undefined where it has no name, null where it is not
   * read.
   * @throws Problem
   */
  header(record: readonly string[]): Header;
}

type Header = readonly (string | undefined | null)[];

/** The most characters of one row; so of one cell too. */
export const MOST_CHARACTERS = 1_000_000;
const DELIMITERS = [',', ';', '\t', '|'];

/** @throws Problem for what is wrong with the file as a whole */
export async function* readCsv(pieces: AsyncIterable<Buffer>, options: CsvOptions): Batches {
  const { parse } = await import('csv-parse');
  const source = pieces[Symbol.asyncIterator]();
  const beginning = await untilFirstLine(source);
  if (beginning.toString().trim() === '')
    throw fileProblem('empty_file', `${wordsOfFile(options.name)} is empty`);
  const rows = new Rows(options);
  const parser = parse({
    bom: false,
    delimiter: delimiterOf(beginning.toString()),
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
      let piece: Buffer | undefined = beginning;
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

/** Long enough to hold the whole header, in which the delimiter is looked for. */
async function untilFirstLine(source: AsyncIterator<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let [size, begun] = [0, false];
  while (size < MOST_CHARACTERS) {
    const { value, done } = await source.next();
    if (done) break;
    kept.push(value);
    size += value.length;
    const text = begun ? value.toString('latin1') : value.toString('latin1').trimStart();
    begun ||= text !== '';
    if (/[\r\n]/.test(text)) break;
  }
  return Buffer.concat(kept);
}

/** The one that is there most often in the first line, outside of quotes. */
export function delimiterOf(text: string): string {
  const [line = ''] = text
    .trimStart()
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((one) => line.split(one).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
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

  constructor(options: CsvOptions) {
    this.#options = options;
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
    const line = this.#begins(record, lines);
    if (record.every((cell) => cell.trim() === '')) return null;
    if (this.#header === undefined) {
      this.#header = this.#options.header(record);
      return null;
    }
    this.#batch.push(this.#rowOf(record, this.#header, `line ${line}`));
    return null;
  }

  /** @throws Error where what follows cannot be read */
  skip(error: CsvError | undefined): undefined {
    if (error?.code !== 'INVALID_OPENING_QUOTE' || this.#header === undefined) throw error;
    const line = Number(error.lines) - this.#tooMany;
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
    const at = Number(lines) - this.#tooMany;
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
      if (column !== undefined) cells[column] = cell.includes("'") ? unguard(cell) : cell;
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
