/** A JSON text as its tokens: texts with their quotes, numbers and words as written, and `{ } [ ] , :`. */

/** Token n is `bytes` from `starts[n]` to `ends[n]`; `order` says in which order they stand. */
export interface Tokens {
  /** UTF-8. */
  bytes: Buffer;
  starts: readonly number[];
  ends: readonly number[];
  order: readonly number[];
}

/** Deeper than any delivery, and far from what recursion can take. */
const MAX_DEPTH = 100;

/** Null where the text is not JSON, or too deep to be a delivery. */
export function tokensOf(text: string): Tokens | null {
  if (!isJson(text)) return null;
  const bytes = Buffer.from(text);
  const starts: number[] = [];
  const ends: number[] = [];
  let depth = 0;
  for (let at = 0; at < bytes.length; ) {
    const code = bytes[at] ?? 0;
    if (isSpace(code)) {
      at++;
      continue;
    }
    const end = code === QUOTE ? textEnd(bytes, at) : isMark(code) ? at + 1 : wordEnd(bytes, at);
    if (code === OPEN || code === OPEN_LIST) depth++;
    else if (code === CLOSE || code === CLOSE_LIST) depth--;
    if (depth > MAX_DEPTH) return null;
    starts.push(at);
    ends.push(end);
    at = end;
  }
  return { bytes, starts, ends, order: Array.from(starts.keys()) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = Buffer.from('{}[],');
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isMark = (code: number): boolean =>
  code === COMMA ||
  code === 0x3a ||
  code === OPEN ||
  code === CLOSE ||
  code === OPEN_LIST ||
  code === CLOSE_LIST;

function textEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && !isMark(bytes[at] ?? 0) && !isSpace(bytes[at] ?? 0)) at++;
  return at;
}

interface Member {
  name: string;
  tokens: number[];
}

/** The members of every object in the order of their names. */
export function sortedMembers(tokens: Tokens): Tokens {
  const order: number[] = [];
  copyValue(tokens, 0, order);
  return { ...tokens, order };
}

/** Answers where the next token stands. */
function copyValue(tokens: Tokens, start: number, to: number[]): number {
  const first = firstByte(tokens, start);
  to.push(start);
  if (first !== OPEN && first !== OPEN_LIST) return start + 1;
  let at = start + 1;
  const members: Member[] = [];
  const commas: number[] = [];
  while (firstByte(tokens, at) !== CLOSE && firstByte(tokens, at) !== CLOSE_LIST) {
    if (firstByte(tokens, at) === COMMA) commas.push(at++);
    const member: Member = { name: '', tokens: [] };
    if (first === OPEN) {
      member.name = nameOf(tokens, at);
      member.tokens.push(at, at + 1);
      at += 2;
    }
    at = copyValue(tokens, at, member.tokens);
    members.push(member);
  }
  if (first === OPEN) members.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [index, member] of members.entries()) {
    if (index > 0) to.push(commas[index - 1] ?? 0);
    for (const token of member.tokens) to.push(token);
  }
  to.push(at);
  return at + 1;
}

const firstByte = ({ bytes, starts }: Tokens, token: number): number | undefined =>
  bytes[starts[token] ?? bytes.length];

const nameOf = ({ bytes, starts, ends }: Tokens, token: number): string =>
  bytes.toString('utf8', starts[token], ends[token]);
