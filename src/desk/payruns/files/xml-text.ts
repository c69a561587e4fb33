/** Texts of an XML file: their blanks, and where they end. */

/** Both from 1; columns are characters. */
export interface Spot {
  line: number;
  column: number;
}

/** A sign that XML itself does not call blank. */
export const NOT_BLANK = /[^ \t\r\n]/;

/** Behind that text, which begins there. */
export function after(begin: Spot, text: string): Spot {
  if (text === '') return begin;
  const { line, column } = begin;
  const lines = text.split(/\r\n|\r|\n/);
  const last = [...(lines.at(-1) ?? '')].length;
  return { line: line + lines.length - 1, column: lines.length === 1 ? column + last : last + 1 };
}

/** A byte order mark is no blank: it would vanish from a name unseen. */
export function withoutBlanks(text: string): string {
  if (!text.includes('\ufeff')) return text.trim();
  let [from, to] = [0, text.length];
  while (from < to && !NOT_BLANK.test(text.charAt(from))) from++;
  while (to > from && !NOT_BLANK.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
