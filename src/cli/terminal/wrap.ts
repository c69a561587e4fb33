/**
 * Lines that fit a terminal. They are broken between words, and a command, a flag with its value or an id is one word here: what
 * somebody copies stands in one piece. Only a command that is longer than the line goes on below, behind a backslash, so that a
 * shell still takes it as one.
 */
import { widthOf } from './width.ts';

/** Stands for a blank at which no line is broken. */
const GLUE = '\u00a0';
const CONTINUED = ' \\';
/** What goes on of a command stands a little further in. */
const INDENT = '  ';
const BEGINS_COMMAND = /(?<![\w/.-])remit(?= [a-z])/;

/** A value behind a command: a flag, a name in capitals, an id, a pair; prose has none of these. */
const VALUE = /^(?:--?[a-z]|[<[{'"$]|[A-Z][A-Z_]+\b|\S*[0-9=/@]\S*)/;

/** A command that is spelt from data (`spelt`) is known exactly. */
export const glued = (command: string): string => command.replaceAll(' ', GLUE);

/** A command's name has two words at most; a word of prose that is taken for one only moves along with it. */
const NAME_WORDS = 2;
const NAME = /^[a-z][a-z-]*$/;

function nameLength(words: readonly string[]): number {
  const end = words.slice(0, NAME_WORDS).findIndex((word) => !NAME.test(word.replace(/[.,:;)]+$/, '')));
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
    if (current !== undefined) lines.push(current.trimEnd());
    const rows = broken(piece, width - below.length).map(
      (row, index) => `${below}${index > 0 ? INDENT : ''}${row}`,
    );
    current = rows.pop();
    lines.push(...rows);
  }
  if (current !== undefined) lines.push(current.trimEnd());
  return lines.join('\n').replaceAll(GLUE, ' ');
}

/** A command that has no room in one line, in several: the shell joins them. A word that is too long stays as it is. */
function broken(piece: string, width: number): string[] {
  if (widthOf(piece) <= width || !/[ \u00a0]/.test(piece)) return [piece];
  const words = piece.split(/[ \u00a0]/);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const room = width - CONTINUED.length - (lines.length > 1 ? INDENT.length : 0);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + CONTINUED));
}

/** Every line of a text. */
export const wrapText = (text: string, width: number, hanging = 0): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, width, hanging))
    .join('\n');
