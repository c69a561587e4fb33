/** XML of ISO 20022, read piece by piece, whose elements are told by their paths. A DOCTYPE and any encoding but UTF-8 are refused. */
import type { SaxesParser } from 'saxes';
import { fileProblem, wordsOfFile } from './file-problem.ts';

const DEEPEST = 40;
const LONGEST_TEXT = 100_000;
/** Without the end of a tag or a text, the library keeps what it has read. */
const LONGEST_UNREAD = 2_000_000;

export interface XmlListener {
  /** The outermost element. @throws Problem where the file is of another kind */
  root(local: string, uri: string): void;
  /** `currency` is its attribute `Ccy`. */
  open(path: string, currency: string | undefined, line: number): void;
  /** The text is without blanks around it; that of an element with others within it is empty. */
  close(path: string, text: string, line: number): void;
}

/** Yields after each piece, so that what was found can be handed on. @throws Problem */
export async function* readXml(
  pieces: AsyncIterable<Buffer>,
  name: string,
  listener: XmlListener,
): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const walk = new Walk(name, parser, listener);
  for await (const piece of pieces) {
    parser.write(piece.toString());
    walk.refuseEndless(piece.length);
    yield;
  }
  parser.close();
  yield;
}

class Walk {
  readonly #name: string;
  readonly #parser: SaxesParser<{ xmlns: true }>;
  readonly #listener: XmlListener;
  readonly #path: string[] = [];
  #text = '';
  #unread = 0;

  constructor(name: string, parser: SaxesParser<{ xmlns: true }>, listener: XmlListener) {
    this.#name = name;
    this.#parser = parser;
    this.#listener = listener;
    parser.on('error', () => {
      throw this.#broken('cannot be read');
    });
    parser.on('doctype', () => {
      throw this.#broken('has a DOCTYPE, which is not read', 'delete it');
    });
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!/^(?:utf-8|us-ascii)$/i.test(encoding))
        throw this.#broken('names another encoding than UTF-8', 'save it again as UTF-8');
    });
    parser.on('opentag', ({ local, uri, attributes }) => this.#open(local, uri, attributes.Ccy?.value));
    parser.on('text', (text) => this.#take(text));
    parser.on('cdata', (text) => this.#take(text));
    parser.on('closetag', () => this.#close());
  }

  refuseEndless(bytes: number): void {
    this.#unread += bytes;
    if (this.#unread > LONGEST_UNREAD) throw this.#broken('has a text without an end');
  }

  #broken(words: string, hint?: string) {
    return fileProblem('not_xml', `${wordsOfFile(this.#name)}: line ${this.#parser.line} ${words}`, hint);
  }

  #open(local: string, uri: string, currency: string | undefined): void {
    this.#unread = 0;
    if (this.#path.length === 0) this.#listener.root(local, uri);
    if (this.#path.length >= DEEPEST) throw this.#broken('is nested too deep');
    this.#path.push(local);
    this.#text = '';
    this.#listener.open(this.#path.join('/'), currency, this.#parser.line);
  }

  #take(text: string): void {
    this.#unread = 0;
    this.#text += text;
    if (this.#text.length > LONGEST_TEXT) throw this.#broken('has a text that is too long');
  }

  #close(): void {
    this.#unread = 0;
    const path = this.#path.join('/');
    const text = this.#text.trim();
    this.#path.pop();
    this.#text = '';
    this.#listener.close(path, text, this.#parser.line);
  }
}
