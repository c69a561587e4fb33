/**
 * Finds a member that an object of a JSON text names a second time. Readers of JSON keep one of the two without a word, some the first and
 * some the last: of two accounts, the one meant is unknown.
 */

export interface SecondMember {
  name: string;
  /** Where it stands in the text, from 0. */
  at: number;
}

/** The first of them. In a text that is no JSON it may find one, or none. */
export function secondMember(text: string): SecondMember | undefined {
  /** The names of each object that is open; of lists, nothing. */
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    if (mark === '{') open.push(new Set());
    else if (mark === '[') open.push(undefined);
    else if (mark === '}' || mark === ']') open.pop();
    if (mark !== '"') continue;
    const end = endOfText(text, i);
    const names = open.at(-1);
    if (names !== undefined && isName(text, end)) {
      const name = nameIn(text.slice(i, end));
      if (names.has(name)) return { name, at: i };
      names.add(name);
    }
    i = end - 1;
  }
  return undefined;
}

/** Behind the quote that ends it: one that an odd number of backslashes is before does not. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return text.length;
}

function isName(text: string, from: number): boolean {
  let i = from;
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++;
  return text[i] === ':';
}

/** `"\u006bey"` is `key` too. */
function nameIn(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Where a place of a text is, as a person finds it: `line 2, column 14`, both from 1. `at` counts from 0. */
export function spotWords(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}
