/**
 * Help as text: headings in capitals, what belongs to them indented by two. Lines are as wide as the terminal, at most 100
 * columns, and wrapped between words, never cut. Colour only makes headings bold.
 */
export type Row = readonly [left: string, right: string];

export type Section = { head: string } & (
  | { rows: readonly Row[] }
  | { text: string }
  /** Lines to be typed: wrapped so that they still can be. */
  | { typed: readonly string[] }
);

export interface Page {
  intro: string;
  sections: readonly Section[];
}

export interface Paper {
  columns: number;
  bold: boolean;
}

const WIDEST = 100;
const NARROWEST = 20;
const INDENT = '  ';
/** Where the right column would be narrower than this, it goes under the left one. */
const READABLE = 26;
const LEFT_AT_MOST = 32;

export function layOut({ intro, sections }: Page, { columns, bold }: Paper): string {
  const width = Math.max(NARROWEST, Math.min(columns, WIDEST));
  const parts = sections.filter(isNotEmpty).map((section) => {
    const head = section.head.toUpperCase();
    return `${bold ? `\u001b[1m${head}\u001b[22m` : head}\n${bodyOf(section, width)}`;
  });
  return `${[wrap(intro, width, ''), ...parts].join('\n\n')}\n`;
}

function isNotEmpty(section: Section): boolean {
  if ('rows' in section) return section.rows.length > 0;
  return 'typed' in section ? section.typed.length > 0 : section.text !== '';
}

function bodyOf(section: Section, width: number): string {
  if ('rows' in section) return rowsText(section.rows, width);
  if ('text' in section) return wrap(section.text, width, INDENT);
  return section.typed.map((line) => typedText(line, width)).join('\n');
}

function rowsText(rows: readonly Row[], width: number): string {
  const widest = Math.max(...rows.map(([left]) => left.length));
  const column = Math.min(widest, LEFT_AT_MOST) + INDENT.length + 2;
  if (width - column < READABLE) return stacked(rows, width);
  return rows.map(([left, right]) => sideBySide(left, right, { column, width })).join('\n');
}

/** A left side that is too long has a line of its own. */
function sideBySide(left: string, right: string, at: { column: number; width: number }): string {
  const [first = '', ...rest] = wrap(right, at.width - at.column, '').split('\n');
  const pad = ' '.repeat(at.column);
  const head = `${INDENT}${left}`;
  const lines =
    head.length > at.column - 2 ? [head, `${pad}${first}`] : [`${head.padEnd(at.column)}${first}`];
  return [...lines, ...rest.map((line) => `${pad}${line}`)].map((line) => line.trimEnd()).join('\n');
}

const stacked = (rows: readonly Row[], width: number): string =>
  rows
    .map(([left, right]) =>
      [
        wrap(left.trim(), width, INDENT),
        ...(right === '' ? [] : [wrap(right, width, INDENT.repeat(3))]),
      ].join('\n'),
    )
    .join('\n');

/** Each line on its own; where one goes on, it goes on under where it began. */
export function wrap(text: string, width: number, indent: string): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width, indent))
    .join('\n');
}

function wrapLine(line: string, width: number, indent: string): string {
  const own = indent + (/^ */.exec(line)?.[0] ?? '');
  return fill(line.trim(), { first: own, next: own, width, end: '' }).trimEnd();
}

/** Breaks as a shell lets a line be broken, so that it can still be pasted. */
const typedText = (line: string, width: number): string =>
  fill(line, { first: `${INDENT}$ `, next: `${INDENT}    `, width, end: ' \\' });

function fill(text: string, by: { first: string; next: string; width: number; end: string }): string {
  if (by.first.length + text.length <= by.width) return by.first + text;
  const lines: string[] = [];
  let line = by.first;
  for (const [, gap = '', word = ''] of text.matchAll(/( *)("[^"]*"|\S+)/g)) {
    const isFirst = line === by.first || line === by.next;
    if (!isFirst && line.length + gap.length + word.length + by.end.length > by.width) {
      lines.push(line + by.end);
      line = by.next + word;
    } else line += isFirst ? word : gap + word;
  }
  return [...lines, line].join('\n');
}
