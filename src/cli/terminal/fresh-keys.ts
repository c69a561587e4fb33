/**
 * A confirmation hears only the keys that were pressed after it stood on the screen. A pasted `y` has
 * confirmed a cancel that nobody had seen. So keys from before the question, or within 200 ms after it, are
 * dropped, and so is whatever is pasted. Ctrl-C and Ctrl-D are always heard: they can only stop. The cursor
 * is hidden until the question listens.
 */
import { PromptInput, type RawInput, STOPS } from './prompt-input.ts';

/** A person cannot read a question and answer it in less. */
const DEAF_MS = 200;

/** The terminal marks what is pasted (bracketed paste, xterm's control sequences). */
const PASTE = { begins: '\u001b[200~', ends: '\u001b[201~' };
/** Written before the question is drawn. */
export const DEAF = '\u001b[?2004h\u001b[?25l';
/** Written when it listens. */
export const LISTENS = '\u001b[?25h';
const CLOSES = `${LISTENS}\u001b[?2004l`;

export class FreshKeys extends PromptInput {
  readonly #screen: NodeJS.WritableStream;
  #isDeaf = true;
  #isPasted = false;
  /** The beginning of a mark whose rest has not come yet. */
  #begun = '';
  #waits: NodeJS.Timeout;

  constructor(terminal: RawInput, screen: NodeJS.WritableStream) {
    super(terminal);
    this.#screen = screen;
    screen.write(DEAF);
    // Keys that lay in the terminal are read in the turn after the timer, however late that is: so one turn more.
    this.#waits = setTimeout(() => setImmediate(() => this.#listen()), DEAF_MS);
  }

  override close(): void {
    clearTimeout(this.#waits);
    if (!this.isOver) this.#screen.write(CLOSES);
    super.close();
  }

  #listen(): void {
    if (this.isOver) return;
    this.#isDeaf = false;
    this.#screen.write(LISTENS);
  }

  protected heard(keys: string): string {
    const typed = this.#typedIn(this.#begun + keys);
    return this.#isDeaf ? (typed.match(STOPS) ?? []).join('') : typed;
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
