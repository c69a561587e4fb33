/**
 * Lines that fit a terminal. They are broken between words, and a command, a flag with its value or an id is one word here: what
 * the user copies stands in one piece. Only a command that is longer than the line goes on below, behind a backslash, so that a
 * shell still takes it as one.
 */
import { widthOf } from './width.ts';

/** Stands for a blank at which no line is broken. */
const GLUE = '\u00a0';
const CONTINUED = ' \\';
/** The indent of the further lines of a command: they stand a little further in. */
const INDENT = '  ';
const BEGINS_COMMAND = /(?<![\w/.-])remit(?= [a-z])/;

/** A value behind a command: a flag, a name in capitals, an id, a pair; prose has none of these. */
const VALUE = /^(?:--?[a-z]|[<[{'"$]|[A-Z][A-Z_]+\b|\S*[0-9=/@]\S*)/;

/** A command that is rendered from data (`renderHint`) is known exactly. */
export const glued = (command: string): string => command.replaceAll(' ', GLUE);

/** A command's name has two words at most; a word of prose that is taken for one only moves along with it. */
const NAME_WORDS = 2;
const NAME = /^[a-z][a-z-]*$/;

function nameLength(words: readonly string[]): number {
  const end = words
    .slice(0, NAME_WORDS)
    .findIndex((word) => !NAME.test(word.replace(/(?<![.,:;)])[.,:;)]+$/, '')));
  return end < 0 ? Math.min(words.length, NAME_WORDS) : end;
}

/** The words of a line; those of a command are one. */
function piecesOf(line: string): string[] {
  const words = line.split(' ');
  const pieces: string[] = [];
  for (let at = 0; at < words.length; ) {
    const end = endOfPiece(words, at);
    pieces.push(words.slice(at, end).join(' '));
    at = end;
  }
  return pieces;
}

const endsSentence = (word: string | undefined): boolean => /[.,:;)]$/.test(word ?? '');

function endOfPiece(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  let end = at + 1;
  if (BEGINS_COMMAND.test(`${word} a`)) end += nameLength(words.slice(at + 1));
  else if (!/^\(?--[a-z]/.test(word)) return end;
  if (end === at + 1 && !word.startsWith('--')) return end;
  while (end < words.length && !endsSentence(words[end - 1]) && VALUE.test(words[end] ?? '')) end += 1;
  return end;
}

/** @param hanging how far what goes on below is set in */
export function wrapLine(line: string, width: number, hanging = 0): string {
  if (widthOf(line) <= width) return line.replaceAll(GLUE, ' ');
  const indent = /^ */.exec(line)?.[0] ?? '';
  const below = ' '.repeat(Math.min(Math.max(hanging, indent.length), Math.floor(width / 2)));
  const lines: string[] = [];
  let current: string | undefined;
  for (const piece of piecesOf(line.slice(indent.length))) {
    const joined = current === undefined ? indent + piece : `${current} ${piece}`;
    if (widthOf(joined) <= width) {
      current = joined;
      continue;
    }
    const isLong = widthOf(piece) > width - below.length && / |\u00a0/.test(piece);
    // A piece that must be broken anyway begins where there is room for its beginning.
    const [begun, ...rest] =
      isLong && current !== undefined ? broken(piece, width, widthOf(current) + 1) : [];
    if (begun !== undefined && begun !== '') {
      lines.push(`${current} ${begun}`);
      lines.push(...rest.map((row) => setIn(row, below + INDENT, width)));
      current = lines.pop();
      continue;
    }
    if (current !== undefined) lines.push(current.trimEnd());
    const first = lines.length === 0 ? indent : below;
    const rows = broken(piece, width - below.length).map((row, index) =>
      setIn(row, index === 0 ? first : below + INDENT, width),
    );
    current = rows.pop();
    lines.push(...rows);
  }
  if (current !== undefined) lines.push(current.trimEnd());
  return lines.join('\n').replaceAll(GLUE, ' ');
}

/** Indents less where there is no room. */
const setIn = (row: string, indent: string, width: number): string =>
  indent.slice(0, Math.max(0, width - widthOf(row))) + row;

/**
 * A command that has no room in one line, in several: the shell joins them. A word that is too long stays as it is. `taken` is
 * what the first line has no room for; where not even a command's first two words fit beside it, the first line is empty.
 */
function broken(piece: string, width: number, taken = 0): string[] {
  if (widthOf(piece) <= width - taken || !/[ \u00a0]/.test(piece)) return [piece];
  const lines: string[] = [''];
  for (const word of withValues(piece.split(/[ \u00a0]/))) {
    const last = lines.at(-1) ?? '';
    const room = width - CONTINUED.length - (lines.length > 1 ? INDENT.length : taken);
    const joined = last === '' ? word : `${last} ${word}`;
    if (widthOf(joined) <= room || (last === '' && taken === 0)) lines[lines.length - 1] = joined;
    else if (last === '') return [''];
    else lines.push(word);
  }
  const isBegun = /[ \u00a0]/.test(lines[0] ?? '');
  if (taken > 0 && !isBegun) return [''];
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + CONTINUED));
}

/** A flag stands with its value. */
function withValues(words: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const word of words) {
    const last = pieces.at(-1);
    if (last !== undefined && /^--[a-z-]+$/.test(last) && !word.startsWith('-'))
      pieces[pieces.length - 1] = `${last} ${word}`;
    else pieces.push(word);
  }
  return pieces;
}

/** Every line of a text. */
export const wrapText = (text: string, width: number, hanging = 0): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, width, hanging))
    .join('\n');
