/**
 * Every prompt is asked here (decision 0025). Input that ends (Ctrl-D, a terminal that is gone) leaves a prompt waiting for
 * ever, and the process would end with 0 and without a word: it is cancelled, as by Ctrl-C. Esc goes back one question, where
 * there is one.
 */
import type { Readable } from 'node:stream';
import type { FrameContext } from '../context.ts';
import { AnswerKeys, isRawInput, PromptInput, type RawInput, STOPS } from './prompt-input.ts';

/** A person cannot read a question and answer it in less. */
const DEAF_MS = 200;

/** The terminal marks what is pasted (bracketed paste, xterm's control sequences). */
const PASTE = { begins: '\u001b[200~', ends: '\u001b[201~' };
/** Written before the question is drawn. */
export const DEAF = '\u001b[?2004h\u001b[?25l';
/** Written when it listens. */
export const LISTENS = '\u001b[?25h';
const CLOSES = `${LISTENS}\u001b[?2004l`;

/**
 * A confirmation hears only the keys that were pressed after it stood on the screen. A pasted `y` has
 * confirmed a cancel that was never seen. So keys from before the question, or within 200 ms after it, are
 * dropped, and so is whatever is pasted. Ctrl-C and Ctrl-D are always heard: they can only stop. The cursor
 * is hidden until the question listens.
 */
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

interface Surroundings {
  input: Readable;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
  /** While an answer is judged the keys wait: they belong to the next question, or to this one where it is refused. */
  judging<T>(judged: Promise<T>): Promise<T>;
}

/** Thrown where the user wants the question before this one. */
export class GoBack extends Error {
  override readonly name = 'GoBack';
}

/** readline lets go of its input when that ends: it pauses it, also after Ctrl-D, where the stream itself goes on. */
const ENDINGS = ['pause', 'end', 'close'] as const;

interface How {
  /** There is a question before this one. */
  back?: boolean | undefined;
  /** It hears only what is typed after it was drawn: on a terminal, since a program that answers has no reading to do. */
  fresh?: boolean;
}

type Asked = Pick<FrameContext, 'streams' | 'process'> & { wasAsked?: boolean };

/** @throws GoBack, and what the prompt throws when it is cancelled */
export async function asking<T>(
  context: Asked,
  ask: (surroundings: Surroundings) => Promise<T>,
  how: How = {},
): Promise<T> {
  context.wasAsked = true;
  for (;;) {
    try {
      return await askOnce(context, ask, how);
    } catch (error) {
      // The shell has written below the question meanwhile: it is drawn anew.
      if (!(error instanceof Continued)) throw error;
    }
  }
}

/** The program was stopped with Ctrl-Z, and goes on. */
class Continued extends Error {
  override readonly name = 'Continued';
}

interface Key {
  name?: string;
  ctrl?: boolean;
  meta?: boolean;
}

const ESCAPE = '\u001b';

async function askOnce<T>(
  { streams, process }: Asked,
  ask: (surroundings: Surroundings) => Promise<T>,
  { back = false, fresh = false }: How,
): Promise<T> {
  const terminal = streams.stdin;
  const release = holdBack(streams);
  const heard = !isRawInput(terminal)
    ? undefined
    : fresh
      ? new FreshKeys(terminal, streams.stderr)
      : new AnswerKeys(terminal);
  const input: Readable = heard ?? terminal;
  const over = new AbortController();
  let ending: Error | undefined;
  let wasStopped = false;
  const chunks: string[] = [];
  // An answer that came with the last bytes is settled first.
  const end = (): void => {
    // After Ctrl-Z readline lets go of its input only when it goes on.
    if (wasStopped) ending = new Continued();
    setImmediate(() => over.abort());
  };
  const data = (chunk: Buffer | string): void => {
    // The last two: what was heard before this one, and this one.
    if (chunks.length > 1) chunks.shift();
    chunks.push(`${chunk}`);
  };
  const key = (_: unknown, { name, ctrl = false, meta = false }: Key = {}): void => {
    if (ctrl && name === 'z') wasStopped = true;
    // A letter that comes soon after Esc is taken for one with Alt, unless Esc came by itself.
    const isEscape = name === 'escape' || (meta && chunks.includes(ESCAPE));
    if (!back || !isEscape) return;
    ending = new GoBack();
    over.abort();
  };
  if (terminal.readableEnded || terminal.destroyed) end();
  for (const name of ENDINGS) input.on(name, end);
  input.on('keypress', key);
  input.on('data', data);
  try {
    return await ask({
      input,
      output: streams.stderr,
      signal: AbortSignal.any([process.interrupt, over.signal]),
      judging: (judged) => (heard instanceof AnswerKeys ? heard.judging(judged) : judged),
    });
  } catch (error) {
    throw ending !== undefined && !process.interrupt.aborted ? ending : error;
  } finally {
    for (const name of ENDINGS) input.removeListener(name, end);
    input.removeListener('keypress', key);
    input.removeListener('data', data);
    heard?.close();
    release();
  }
}

/**
 * Holds texts for stderr back until the question is over: a text from anybody else while a question is drawn
 * would move the cursor below it, and the next drawing would leave half of the last one.
 * @returns writes them
 */
function holdBack(streams: Asked['streams']): () => void {
  const { err } = streams;
  const held: string[] = [];
  streams.err = (text) => void held.push(text);
  streams.isHeld = true;
  return () => {
    streams.err = err;
    streams.isHeld = false;
    if (held.length > 0) err(held.join(''));
  };
}

/** Waits this often for the terminal to have nothing more to give. */
const QUIET_TURNS = 3;

/**
 * Takes what was typed or pasted ahead off the terminal, so that it does not run as a command in the shell that comes next: it may
 * be a secret.
 */
export async function dropTypedAhead({ stdin }: FrameContext['streams']): Promise<void> {
  const terminal = stdin as Readable & { setRawMode?: (raw: boolean) => unknown };
  if (terminal.setRawMode === undefined || stdin.destroyed) return;
  let quiet = 0;
  const heard = (): void => {
    quiet = 0;
  };
  terminal.setRawMode(true);
  stdin.on('data', heard);
  stdin.resume();
  while (quiet++ < QUIET_TURNS) await new Promise((resolve) => setTimeout(resolve, 5));
  stdin.removeListener('data', heard);
  stdin.pause();
  terminal.setRawMode(false);
}
