/**
 * The other ways to write one JSON text. It works on the text's own tokens: numbers keep their form (12.50), keys their order,
 * and a key that stands twice stays twice, none of which `JSON.parse` would keep.
 */
import { sortedMembers, type Tokens, tokensOf } from './explain-tokens.ts';

/** One after the other, each to be hashed before the next, which is written over it; some may be the received text, or the same. */
export function* rewrittenForms(text: string): Generator<string | Uint8Array> {
  const asWritten = tokensOf(text);
  if (asWritten === null) return;
  const out = new Block(text.length);
  for (const layout of LAYOUTS) yield write(asWritten, layout, out);
  const plainText = unescaped(text);
  const plain = plainText === text ? asWritten : tokensOf(plainText);
  if (plain === null) return;
  if (plain !== asWritten) for (const layout of LAYOUTS) yield write(plain, layout, out);
  const sorted = sortedMembers(plain);
  for (const layout of ON_ONE_LINE) {
    const whole = write(plain, layout, out).toString('utf8');
    for (const spell of SPELLINGS) {
      const spelt = spell(whole);
      if (spelt !== whole) yield spelt;
    }
    yield write(sorted, layout, out);
  }
}

const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:u[\da-fA-F]{4}|.)/g;

/** Without an escape that it does not need. Escapes stand in texts alone, so it is done to the whole. */
const unescaped = (json: string): string =>
  json.includes('\\')
    ? json.replace(ESCAPES, (found) => JSON.stringify(JSON.parse(`"${found}"`)).slice(1, -1))
    : json;

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const ascii = (json: string): string => json.replace(/[\u0080-\uffff]/g, escaped);
/** Some servers write these as escapes so that the text is safe inside a page. */
const pageSafe = (json: string): string => json.replace(/[&<>\u2028\u2029]/g, escaped);
const slashed = (json: string): string => json.replaceAll('/', '\\/');

/** As the serialisers of some languages write a text. */
const SPELLINGS: readonly ((json: string) => string)[] = [
  ascii,
  pageSafe,
  (json) => pageSafe(json).replace(/['=]/g, escaped),
  slashed,
  (json) => ascii(slashed(json)),
];

interface Layout {
  comma: string;
  colon: string;
  /** A new line for each member, and how far each level goes in; absent on one line. */
  step?: string;
}

const ON_ONE_LINE: readonly Layout[] = [
  { comma: ',', colon: ':' },
  { comma: ', ', colon: ': ' },
];
const LAYOUTS: readonly Layout[] = [
  ...ON_ONE_LINE,
  ...['  ', '    ', '\t'].map((step) => ({ comma: ',', colon: ': ', step })),
];

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, COLON] = Buffer.from('{}[],:');
const isOpen = (mark: number | undefined): boolean => mark === OPEN || mark === OPEN_LIST;
const isClose = (mark: number | undefined): boolean => mark === CLOSE || mark === CLOSE_LIST;

/** Byte by byte into one block: texts put together would cost more than hashing them. */
function write(tokens: Tokens, layout: Layout, out: Block): Buffer {
  const { bytes, starts, ends, order } = tokens;
  out.restart(bytes);
  const { comma, colon, step } = layout;
  const asIs = comma === ',' && step === undefined;
  let depth = 0;
  const line = (before = ''): void => {
    if (step !== undefined) out.put(`${before}\n${step.repeat(depth)}`);
    else if (before !== '') out.put(before);
  };
  for (let at = 0; at < order.length; at++) {
    const token = order[at] ?? 0;
    const mark = bytes[starts[token] ?? 0];
    if (mark === COMMA && !asIs) line(comma);
    else if (mark === COLON && !asIs) out.put(colon);
    else {
      const empty = isClose(mark) && isOpen(bytes[starts[order[at - 1] ?? 0] ?? 0]);
      if (isClose(mark)) {
        depth--;
        if (!empty) line();
      }
      out.copy(starts[token] ?? 0, ends[token] ?? 0);
      if (isOpen(mark)) {
        depth++;
        if (!isClose(bytes[starts[order[at + 1] ?? 0] ?? 0])) line();
      }
    }
  }
  return out.written();
}

/** So few bytes are copied faster one by one than by a call. */
const FEW = 48;

/** Bytes that grow. What is copied from places that follow one another is copied at once. */
class Block {
  #from: Buffer = Buffer.alloc(0);
  #bytes: Buffer;
  #length = 0;
  #start = 0;
  #end = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size * 2 + 64);
  }

  /** What was written before is written over. */
  restart(from: Buffer): void {
    this.#from = from;
    this.#length = 0;
    this.#start = 0;
    this.#end = 0;
  }

  put(text: string): void {
    this.#flush();
    this.#room(text.length);
    for (let at = 0; at < text.length; at++) this.#bytes[this.#length++] = text.charCodeAt(at);
  }

  copy(start: number, end: number): void {
    if (start !== this.#end) {
      this.#flush();
      this.#start = start;
    }
    this.#end = end;
  }

  written(): Buffer {
    this.#flush();
    return this.#bytes.subarray(0, this.#length);
  }

  #flush(): void {
    const more = this.#end - this.#start;
    if (more === 0) return;
    this.#room(more);
    if (more > FEW) this.#length += this.#from.copy(this.#bytes, this.#length, this.#start, this.#end);
    else for (let at = this.#start; at < this.#end; at++) this.#bytes[this.#length++] = this.#from[at] ?? 0;
    this.#start = this.#end;
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe((this.#length + more) * 2);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
