/**
 * The line with the names of the columns, looked for at the beginning of a CSV file: a line `sep=;`, titles, comments and blank lines may stand above
 * it. A line that might be a row is never passed over: then it is taken for the heading, and refused as one.
 */
import { cellsOf, DELIMITERS, delimiterOf } from './csv-lines.ts';

export interface Heading {
  /** Where it begins in the text. */
  at: number;
  delimiter: string;
  /** Lines above it, by number from 1. */
  above: { separator: number[]; titles: number[]; comments: number[]; blanks: number[] };
  /** How many there are. */
  lines: number;
}

interface Line {
  at: number;
  text: string;
}

/** More titles than these has no file. */
const MOST_LINES = 50;

/**
 * @param isWhole the file has no more text
 * @returns undefined where more text has to be read first
 */
export function findHeading(
  text: string,
  isColumn: (name: string) => boolean,
  isWhole: boolean,
): Heading | undefined {
  const all = linesOf(text, isWhole);
  const separator = /^"?sep=([^"\w\r\n])"?[,;\t|]*$/i.exec(all[0]?.text ?? '')?.[1];
  const lines = separator === undefined ? all : all.slice(1);
  const delimiters = separator === undefined ? DELIMITERS : [separator];
  const named = (line: string, delimiter: string): number =>
    new Set(cellsOf(line, delimiter).filter((cell) => cell.trim() !== '' && isColumn(cell))).size;
  for (const [index, { text: line }] of lines.entries()) {
    const [best = ','] = [...delimiters].sort((a, b) => named(line, b) - named(line, a));
    const above = lines.slice(0, index);
    const width = filled(line, best);
    if (named(line, best) >= 2 && above.every((one) => isAside(one.text, best, width)))
      return headingAt(all, all.indexOf(lines[index] as Line), { delimiter: best, separator });
  }
  const mark = (line: string): string => separator ?? delimiterOf(line);
  const isDecided = lines.some(({ text: line }) => !isAside(line, mark(line), 3));
  if (!isDecided && !isWhole && lines.length < MOST_LINES) return undefined;
  // There is none: the line that looks most like it is refused, and its names are shown. A line with digits may be a row, with a person in it.
  const first = lines.findIndex(({ text: line }) => line.trim() !== '');
  const wide = lines.findIndex(({ text: line }) => filled(line, mark(line)) > 2);
  const canBe =
    wide > first && !/\d/.test(lines[wide]?.text ?? '') && isAside(lines[first]?.text ?? '', ',', 3);
  const chosen = lines[canBe ? wide : Math.max(first, 0)];
  if (chosen === undefined)
    return headingAt([...all, { at: text.length, text: '' }], all.length, { delimiter: ',', separator });
  return headingAt(all, all.indexOf(chosen), { delimiter: mark(chosen.text), separator });
}

function headingAt(
  lines: readonly Line[],
  index: number,
  { delimiter, separator }: { delimiter: string; separator: string | undefined },
): Heading {
  const above: Heading['above'] = { separator: [], titles: [], comments: [], blanks: [] };
  for (const [place, { text }] of lines.slice(0, index).entries()) {
    const kind =
      separator !== undefined && place === 0
        ? 'separator'
        : filled(text, delimiter) === 0
          ? 'blanks'
          : isComment(text)
            ? 'comments'
            : 'titles';
    above[kind].push(place + 1);
  }
  return { at: lines[index]?.at ?? 0, delimiter, above, lines: index };
}

/** A line is complete where the next has begun. */
function linesOf(text: string, isWhole: boolean): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r(?!$)/g)) {
    lines.push({ at, text: text.slice(at, index) });
    at = index + end.length;
    if (lines.length > MOST_LINES) return lines;
  }
  if (isWhole && at < text.length) lines.push({ at, text: text.slice(at) });
  return lines;
}

const filled = (line: string, delimiter: string): number =>
  cellsOf(line, delimiter).filter((cell) => cell.trim() !== '').length;

const isComment = (line: string): boolean => /^\s*"?#/.test(line);

/** True for what may stand above a heading with so many columns: too little is there for a payment. A quote that is open may hold anything. */
function isAside(line: string, delimiter: string, columns: number): boolean {
  const cells = filled(line, delimiter);
  if ((line.split('"').length - 1) % 2 !== 0) return false;
  return isComment(line) ? cells < Math.max(columns, 2) : cells <= Math.min(2, columns - 1);
}
