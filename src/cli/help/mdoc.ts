/** Text as mdoc takes it, the language of manual pages: anything is text, and nothing of it a command of mdoc. */
import { byWord } from '../../core/by-word.ts';

/** Letters that mdoc, or the font of a terminal, takes for something else. The name of a flag keeps a hyphen that can be searched for. */
const ESCAPES: Readonly<Record<string, string>> = byWord({
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
});

/** Control characters have no place in a page: a tab and a line's end are spaces before this. */
const escaped = (text: string): string =>
  text.replace(/[\\\-'"`^~]|[^\x20-\x7e]/gu, (letter) => ESCAPES[letter] ?? `\\[u${codeOf(letter)}]`);

const codeOf = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** A word that could be the name of a macro is none behind `\&`, and neither is punctuation, which mdoc would set apart. */
const argument = (word: string): string =>
  /^[A-Z%][A-Za-z0-9]{1,2}$|^[.,:;()[\]?!|]+$/.test(word) ? `\\&${escaped(word)}` : escaped(word);

/** The words of a text as arguments of a macro. */
export const argumentsOf = (text: string): string => wordsIn(text).map(argument).join(' ');

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** No line of a page is longer: mandoc's lint asks for that. */
const LONGEST = 78;

/** Text to be filled: a line for each sentence at least, which is how mdoc knows where one ends. */
export const prose = (text: string): string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?][)\]'"”]{0,3}) (?=\S)/)
    .flatMap((sentence) => filled(escaped(sentence)))
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line));

function filled(sentence: string): string[] {
  const lines: string[] = [];
  for (const word of wordsIn(sentence)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > LONGEST) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Lines as they are, which can be copied into a shell: one that is long is broken as `typed` breaks it. */
export const verbatim = (lines: readonly string[]): string[] => [
  '.Bd -literal -offset indent',
  ...lines.flatMap((line) => line.split('\n')).map((line) => `\\&${escaped(line)}`),
  '.Ed',
];

/** A list of terms, each with what it means. */
export const tagged = (rows: readonly (readonly [term: string, meaning: readonly string[]])[]): string[] =>
  rows.length === 0
    ? []
    : ['.Bl -tag -width Ds', ...rows.flatMap(([term, meaning]) => [`.It ${term}`, ...meaning]), '.El'];
