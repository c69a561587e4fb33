/**
 * What a confirmation hears: the keys that were pressed after it stood on the screen. A pasted `y` has confirmed a cancel that nobody
 * had seen. So what came before the question, or within 200 ms after it, is dropped, and so is whatever is pasted. Ctrl-C and Ctrl-D
 * are always heard: they can only stop. The cursor is hidden until the question listens.
 */
import { Transform, type TransformCallback } from 'node:stream';

/** A person cannot read a question and answer it in less. */
const DEAF_MS = 200;

/** The terminal marks what is pasted (bracketed paste, xterm's control sequences). */
const PASTE = { begins: '\u001b[200~', ends: '\u001b[201~' };
/** Written before the question is drawn. */
export const DEAF = '\u001b[?2004h\u001b[?25l';
/** Written when it listens. */
export const LISTENS = '\u001b[?25h';
const CLOSES = `${LISTENS}\u001b[?2004l`;

const STOPS = /[\u0003\u0004]/g;

export interface RawInput extends NodeJS.ReadableStream {
  setRawMode(raw: boolean): unknown;
}

export const isRawInput = (input: NodeJS.ReadableStream): input is RawInput => 'setRawMode' in input;

/** Between the terminal and one prompt. `close` gives the terminal back. */
export class FreshKeys extends Transform {
  readonly #terminal: RawInput;
  readonly #screen: NodeJS.WritableStream;
  #isDeaf = true;
  #isPasted = false;
  /** The beginning of a mark whose rest has not come yet. */
  #begun = '';
  #waits: NodeJS.Timeout;

  constructor(terminal: RawInput, screen: NodeJS.WritableStream) {
    super({ decodeStrings: false, encoding: 'utf8' });
    this.#terminal = terminal;
    this.#screen = screen;
    screen.write(DEAF);
    // What lay in the terminal is read in the turn that follows the timer, however late that is: so one turn more.
    this.#waits = setTimeout(() => setImmediate(() => this.#listen()), DEAF_MS);
    terminal.on('data', this.#take);
    terminal.once('end', this.#end);
    terminal.once('close', this.#end);
    // A prompt before this one paused it.
    terminal.resume();
  }

  /** readline sets its input raw, and back. */
  setRawMode(raw: boolean): this {
    this.#terminal.setRawMode(raw);
    return this;
  }

  close(): void {
    clearTimeout(this.#waits);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#terminal.removeListener('data', this.#take);
    this.#terminal.removeListener('end', this.#end);
    this.#terminal.removeListener('close', this.#end);
    this.#terminal.pause();
    this.#screen.write(CLOSES);
  }
  #isOver = false;

  #listen(): void {
    if (this.#isOver) return;
    this.#isDeaf = false;
    this.#screen.write(LISTENS);
  }

  readonly #take = (bytes: Buffer | string): void => void this.write(bytes.toString());
  readonly #end = (): void => void this.end();

  override _transform(text: string, _: BufferEncoding, done: TransformCallback): void {
    const typed = this.#typedIn(this.#begun + text);
    done(null, this.#isDeaf ? (typed.match(STOPS) ?? []).join('') : typed);
  }

  /** Without what stands between the marks of a paste. */
  #typedIn(text: string): string {
    this.#begun = '';
    const kept: string[] = [];
    for (let rest = text; rest !== ''; ) {
      const mark = this.#isPasted ? PASTE.ends : PASTE.begins;
      const at = rest.indexOf(mark);
      const end = at < 0 ? rest.length - begunIn(rest, mark) : at;
      if (!this.#isPasted) kept.push(rest.slice(0, end));
      if (at < 0) this.#begun = rest.slice(end);
      else this.#isPasted = !this.#isPasted;
      rest = at < 0 ? '' : rest.slice(at + mark.length);
    }
    return kept.join('');
  }
}

/** How many of the last characters may be the beginning of the mark. */
function begunIn(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
