/** Rows of JSON (a list) and of NDJSON (a row in each line). Numbers keep their own digits. */

import { byWord } from '../../core/by-word.ts';
import { type SecondMember, secondMember, spotWords } from '../../core/json-members.ts';
import {
  type Batches,
  type Cells,
  type Fault,
  type FileRow,
  faultAt,
  fileProblem,
  shortName,
  wordsOfFile,
} from '../../tables/row.ts';
import { wholeText } from '../../tables/whole-text.ts';
import { type Columns, METADATA, SENDER, suggestion } from './columns.ts';

interface JsonOptions {
  name: string;
  columns: Columns;
}

const MOST_BYTES = 50_000_000;
const LONGEST_LINE = 1_000_000;
const BATCH = 1_000;
const NEW_LINE = 0x0a;

const digits = (text: string): string => text;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readJsonRows(pieces: AsyncIterable<Buffer>, { name, columns }: JsonOptions): Batches {
  const { parse } = await import('lossless-json');
  const text = await wholeText(pieces, { name, mostBytes: MOST_BYTES });
  const found = parsed(parse, text);
  if (found instanceof Error) throw notJson(found, text, name);
  refuseTwice(text, name);
  yield* batchesOf(listIn(found.value, name), columns);
}

/** The library's own words may hold a piece of the file: a number without quotes, such as an account. */
function notJson({ message }: Error, text: string, name: string) {
  const [, position] = /position (\d+)$/.exec(message) ?? [];
  const where = position === undefined ? '' : `: ${spotWords(text, Number(position))} cannot be read`;
  return fileProblem(
    'not_json',
    `${wordsOfFile(name)} is not JSON${where}`,
    'a code that begins with 0 must be in quotes',
  );
}

/** @throws Problem */
function refuseTwice(text: string, file: string): void {
  const second = secondMember(text);
  if (second === undefined) return;
  throw fileProblem(
    'duplicate_member',
    `${wordsOfFile(file)}: ${spotWords(text, second.at)} has the member "${shortName(second.name)}" a second time`,
    'delete one of the two',
  );
}

/** A list of rows, and nothing around it. @throws Problem */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const file = wordsOfFile(name);
  if (!Array.isArray(value)) throw fileProblem('not_a_list', `${file} holds no list of rows`);
  if (value.length === 0) throw fileProblem('no_rows', `${file} has no rows`);
  return value;
}

export function* batchesOf(
  rows: readonly unknown[],
  columns: Columns,
): Generator<readonly (FileRow | Fault)[]> {
  for (let from = 0; from < rows.length; from += BATCH)
    yield rows
      .slice(from, from + BATCH)
      .flatMap((row, i) => rowOfMembers(row, { n: from + i + 1, at: `item ${from + i + 1}` }, columns));
}

type Parse = typeof import('lossless-json').parse;

/** A member that is there twice is told by us: the reader refuses it only where the two values differ. */
const READING = { parseNumber: digits, onDuplicateKey: () => undefined };

/**
 * Returns the parsed text. A text that is nested too deep overflows the stack of the reader: that is an error
 * like any other.
 */
function parsed(parse: Parse, text: string): { value: unknown } | Error {
  try {
    return { value: parse(text, undefined, READING) };
  } catch (error) {
    if (error instanceof RangeError) return new Error('it is nested too deep');
    return error as Error;
  }
}

const twice = (place: { n: number; at: string }, { name, at }: SecondMember): Fault =>
  faultAt(
    place,
    shortName(name),
    'duplicate_member',
    `is there twice, again in column ${at + 1}`,
    'delete one of the two',
  );

/** A line that is wrong is one fault. @throws Problem */
export async function* readNdjson(pieces: AsyncIterable<Buffer>, { name, columns }: JsonOptions): Batches {
  const { parse } = await import('lossless-json');
  let [n, line] = [0, 0];
  const rowsOf = (text: string): (FileRow | Fault)[] => {
    line++;
    if (text.trim() === '') return [];
    const place = { n: ++n, at: `line ${line}` };
    const found = parsed(parse, text);
    if (found instanceof Error) return [faultAt(place, undefined, 'not_json', 'is not JSON')];
    const second = secondMember(text);
    if (second !== undefined) return [twice(place, second)];
    return rowOfMembers(found.value, place, columns);
  };
  let kept: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const batch: (FileRow | Fault)[] = [];
    let from = 0;
    for (let end = piece.indexOf(NEW_LINE); end >= 0; end = piece.indexOf(NEW_LINE, from)) {
      const own = piece.subarray(from, end);
      batch.push(...rowsOf((kept.length === 0 ? own : Buffer.concat([kept, own])).toString()));
      kept = Buffer.alloc(0);
      from = end + 1;
    }
    kept = Buffer.concat([kept, piece.subarray(from)]);
    if (kept.length > LONGEST_LINE)
      throw fileProblem('too_long', `${wordsOfFile(name)}: line ${line + 1} is longer than 1 MB`);
    if (batch.length > 0) yield batch;
  }
  const last = rowsOf(kept.toString());
  if (last.length > 0) yield last;
  if (n === 0) throw fileProblem('empty_file', `${wordsOfFile(name)} is empty`);
}

/** The most characters of one cell. */
const MOST_CHARACTERS = 1_000_000;

/** Members whose own members are columns; the path is how a map of names calls them. */
const WITHIN: Readonly<Record<string, (columns: Columns, name: string) => string | undefined>> = byWord({
  details: (columns, name) => columns.of(`details.${name}`) ?? columns.of(name),
  sender: (columns, name) => columns.of(SENDER + name),
  metadata: (columns, name) => columns.of(METADATA + name),
});

/**
 * A row that came as an object, with members within members: as cells by their columns, or what is wrong with
 * it. A scalar of a reader that loses nothing: numbers are their digits.
 */
function rowOfMembers(
  value: unknown,
  place: { n: number; at: string },
  columns: Columns,
): (FileRow | Fault)[] {
  if (!isObject(value))
    return [faultAt(place, undefined, 'not_a_row', 'is no object with the cells of a row')];
  const cells: Record<string, string> = {};
  const faults: Fault[] = [];
  const put = (name: string, column: string | undefined, member: unknown): void => {
    const fault = wrongMember(name, column, member, cells, columns);
    if (fault) faults.push(faultAt(place, shortName(name), ...fault));
    else if (column !== undefined && !isEmpty(member)) cells[column] = String(member);
  };
  for (const [name, member] of Object.entries(value)) {
    const within = WITHIN[name];
    if (within === undefined || !isObject(member)) put(name, columns.of(name), member);
    else if (name === 'sender' && isReference(member)) put(name, name, member.id);
    else
      for (const [inner, one] of Object.entries(member)) put(`${name}.${inner}`, within(columns, inner), one);
  }
  return faults.length > 0 ? faults : [{ ...place, cells: cells satisfies Cells }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{id: …}` names a sender, and describes none. */
const isReference = (member: Record<string, unknown>): boolean => Object.keys(member).join() === 'id';

const isEmpty = (member: unknown): boolean =>
  member === null || member === undefined || (typeof member === 'string' && member.trim() === '');

type Wrong = [code: string, words: string, right?: string | undefined];

function wrongMember(
  name: string,
  column: string | undefined,
  member: unknown,
  cells: Cells,
  columns: Columns,
): Wrong | undefined {
  if (column === undefined) {
    const near = suggestion(name.replace(/^(?:details|sender|metadata)\./, ''), columns.known);
    return ['unknown_column', 'is not a known column', near];
  }
  if (isEmpty(member)) return undefined;
  if (cells[column] !== undefined) return ['duplicate_column', 'is there twice'];
  if (typeof member === 'boolean')
    return column.startsWith(METADATA) ? undefined : ['not_a_text', 'is true or false, not a text'];
  if (typeof member !== 'string') return ['not_a_text', 'is a list or an object, not a text'];
  return member.length > MOST_CHARACTERS ? ['too_long', 'is longer than 1 MB'] : undefined;
}
