/** Why a text is no XML, in our words: those of the library may hold a piece of the file, such as a name or an account. */

export interface Why {
  words: string;
  hint?: string;
}

const STRAY: Why = { words: 'has an & that begins no entity of XML', hint: 'write &amp; for an &' };
/** In a text, or in a tag. */
const STRAY_PLACE = /^(?:<(?![!?]))?[^<]*?(?=&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);))/i;

/** The first that the library's message has. */
const REASONS: readonly (readonly [message: RegExp, why: Why])[] = [
  [/entity/, STRAY],
  [/unmatched closing tag|unexpected close tag/, { words: 'ends an element that is not the last one begun' }],
  [/unclosed tag|unexpected end/, { words: 'is the end of the file, and elements are not closed yet' }],
  [
    /disallowed character in tag name/,
    { words: 'has a < that begins no element', hint: 'write &lt; for a <' },
  ],
  [/unbound namespace prefix/, { words: 'has a prefix that no xmlns explains' }],
  [/duplicate attribute/, { words: 'has an attribute twice' }],
  [/attribute|whitespace required/, { words: 'has an attribute that is not written as name="value"' }],
  [/outside of root|only one root/, { words: 'has something beside the outermost element' }],
  [/must contain a root/, { words: 'is the end of the file, and it has no element' }],
  [
    /XML declaration|processing instruction/,
    { words: 'has an XML declaration in a wrong place, or a broken one' },
  ],
  [/malformed comment/, { words: 'has a comment with -- within it' }],
  [/]]>/, { words: 'has ]]> in a text', hint: 'write ]]&gt;' }],
  [/prefix|xmlns|namespace/, { words: 'has an xmlns that XML does not allow' }],
  [/disallowed character/, { words: 'has a character that XML does not allow there' }],
];

/** The library looks for the end of an entity up to the end of the file. Answers what stands before such an &. */
export function beforeStray(text: string): { before: string; why: Why } | undefined {
  const [before] = STRAY_PLACE.exec(text) ?? [];
  return before === undefined ? undefined : { before, why: STRAY };
}

export const whyNotXml = ({ message }: Error): Why =>
  REASONS.find(([found]) => found.test(message))?.[1] ?? { words: 'is no XML' };

/** Texts of an XML file: their blanks, and where they end. Both from 1; columns are characters. */
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
