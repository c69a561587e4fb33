/**
 * A prompt input stands between the terminal and one prompt: it decides which keys the prompt gets. `close`
 * gives the terminal back.
 */
import { Transform, type TransformCallback } from 'node:stream';

export interface RawInput extends NodeJS.ReadableStream {
  setRawMode(raw: boolean): unknown;
}

export const isRawInput = (input: NodeJS.ReadableStream): input is RawInput => 'setRawMode' in input;

/** Ctrl-C and Ctrl-D: they can only stop, so that they are heard at any time. */
export const STOPS = /[\u0003\u0004]/g;

export abstract class PromptInput extends Transform {
  protected readonly terminal: RawInput;
  protected isOver = false;

  constructor(terminal: RawInput) {
    super({ decodeStrings: false, encoding: 'utf8' });
    this.terminal = terminal;
    terminal.on('data', this.#take);
    terminal.once('end', this.#end);
    terminal.once('close', this.#end);
    // A prompt before this one paused it.
    terminal.resume();
  }

  /** The keys that the prompt gets now. */
  protected abstract heard(keys: string): string;

  /** readline sets its input raw, and back. */
  setRawMode(raw: boolean): this {
    this.terminal.setRawMode(raw);
    return this;
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.terminal.removeListener('data', this.#take);
    this.terminal.removeListener('end', this.#end);
    this.terminal.removeListener('close', this.#end);
    this.terminal.pause();
  }

  readonly #take = (bytes: Buffer | string): void => void this.write(bytes.toString());
  readonly #end = (): void => void this.end();

  override _transform(keys: string, _: BufferEncoding, done: TransformCallback): void {
    done(null, this.heard(keys));
  }
}

/**
 * Gives a prompt one answer at a time. A prompt throws away what was typed behind Enter, and while an answer is looked at: that
 * belongs to the next question, and waits for it.
 */
export class AnswerKeys extends PromptInput {
  #ahead = '';
  #isHeld = false;
  #looksAt = 0;

  /** Waits for the judgement of an answer. No key is heard until then. */
  async judging<T>(judged: Promise<T>): Promise<T> {
    this.#looksAt += 1;
    try {
      return await judged;
    } finally {
      this.#looksAt -= 1;
      this.#goOnSoon();
    }
  }

  protected heard(keys: string): string {
    this.#ahead += keys;
    const stops = keys.match(STOPS);
    if (stops !== null && this.#isHeld) {
      this.#ahead = '';
      return stops.join('');
    }
    return this.#isHeld ? '' : this.#nextAnswer();
  }

  /** Up to Enter. */
  #nextAnswer(): string {
    const end = /\r\n?|\n/.exec(this.#ahead);
    const length = end === null ? this.#ahead.length : end.index + end[0].length;
    const answer = this.#ahead.slice(0, length);
    this.#ahead = this.#ahead.slice(length);
    if (end !== null) {
      this.#isHeld = true;
      this.#goOnSoon();
    }
    return answer;
  }

  /** A prompt that took its answer is over by then; one that refused it hears more. */
  #goOnSoon(): void {
    setImmediate(() =>
      setImmediate(() => {
        if (this.isOver || this.#looksAt > 0 || !this.#isHeld) return;
        this.#isHeld = false;
        const answer = this.#nextAnswer();
        if (answer !== '') this.push(answer);
      }),
    );
  }

  override close(): void {
    super.close();
    const { terminal } = this;
    if (this.#ahead !== '' && terminal.readable) terminal.unshift(Buffer.from(this.#ahead));
    this.#ahead = '';
  }
}
