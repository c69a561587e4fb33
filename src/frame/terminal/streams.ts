/** The only place that touches the process's streams. Tests use a twin with a chosen width, colour and terminal. */

import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import type { Env } from '../../core/env.ts';
import { wantsColour } from './colour.ts';

/** Text leaves as UTF-8; a file for a program that reads Windows-1252 as bytes of that, which `latin1` writes for the characters that both have. */
export type OutEncoding = 'utf8' | 'latin1';

export interface Streams {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  stdinIsTerminal: boolean;
  stdoutIsTerminal: boolean;
  stderrIsTerminal: boolean;
  /** Width of the terminal; 80 where there is none. */
  columns: number;
  /** Height of the terminal; undefined where there is none, or it does not say. */
  rows?: number | undefined;
  /** Set once more at the start of a run, where a flag says otherwise. */
  colour: { stdout: boolean; stderr: boolean };
  /** Writes a result. A reader that went away (`| head`) is no error: the rest is dropped. */
  out(text: string, encoding?: OutEncoding): void;
  /** Writes a result and answers whether it was taken: it must not count as reported before it is. */
  handOut(text: string): Promise<boolean>;
  /** Writes everything that is not the result. */
  err(text: string): void;
  /** Set while a question is drawn: what is written to stderr then comes when it is over. */
  isHeld?: boolean;
  /** The terminal has just echoed ^C: whatever comes next begins on a new line. */
  interrupted(): void;
  /** Ends the line of a ^C after which nothing was written, so that the shell's prompt begins on a new one. */
  endLine(): void;
  /** Waits until the result is written, and whether all of it was taken: a reader that went away got nothing. */
  written(): Promise<boolean>;
  /** Waits until everything else is written, and whether all of it was taken. */
  errWritten(): Promise<boolean>;
  /** Waits until the result is written; why it was not, where that is not just a reader that went away. */
  lost(): Promise<Error | undefined>;
}

/** Standard input and error are made only when they are used: each costs a millisecond or two of every start. */
export function processStreams(process: NodeJS.Process): Streams {
  const { env } = process;
  const [stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal] = [isatty(0), isatty(1), isatty(2)];
  return buildStreams({
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    stdinIsTerminal,
    stdoutIsTerminal,
    stderrIsTerminal,
    // Read each time: a terminal may change its size.
    get columns() {
      return (
        (stdoutIsTerminal ? process.stdout.columns : stderrIsTerminal ? process.stderr.columns : undefined) ||
        80
      );
    },
    rows: (stdoutIsTerminal ? process.stdout.rows : undefined) || undefined,
    env,
  });
}

export type StreamParts = Omit<
  Streams,
  'out' | 'handOut' | 'err' | 'interrupted' | 'endLine' | 'colour' | 'written' | 'errWritten' | 'lost'
> & { env: Env };

export function buildStreams(parts: StreamParts): Streams {
  const { env, stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal, rows } = parts;
  const out = guarded(() => parts.stdout);
  const err = guarded(() => parts.stderr);
  let isEchoed = false;
  /**
   * Returns the text, on a new line where the terminal echoed a key. A text that draws its line again, or
   * begins with a new one, needs none.
   */
  const afterEcho = (text: string): string => {
    const begins = isEchoed && !/^[\r\n\u001b]/.test(text);
    isEchoed = false;
    return begins ? `\n${text}` : text;
  };
  return {
    get stdin() {
      return parts.stdin;
    },
    get stdout() {
      return parts.stdout;
    },
    get stderr() {
      return parts.stderr;
    },
    stdinIsTerminal,
    stdoutIsTerminal,
    stderrIsTerminal,
    get columns() {
      return parts.columns;
    },
    rows,
    colour: { stdout: wantsColour(env, stdoutIsTerminal), stderr: wantsColour(env, stderrIsTerminal) },
    out: (text, encoding) => void out.write(text, encoding),
    handOut: (text) => out.write(text),
    err: (text) => void err.write(afterEcho(text)),
    interrupted() {
      isEchoed = stdinIsTerminal && stderrIsTerminal;
    },
    endLine() {
      if (isEchoed) void err.write('\n');
      isEchoed = false;
    },
    written: out.written,
    errWritten: err.written,
    lost: out.lost,
  };
}

interface Guarded {
  write(text: string, encoding?: OutEncoding): Promise<boolean>;
  written(): Promise<boolean>;
  lost(): Promise<Error | undefined>;
}

/** Writes until the reader goes away or the disk is full. */
function guarded(stream: () => Writable): Guarded {
  let opened = false;
  let failure: (Error & { code?: string }) | undefined;
  let last: Promise<boolean> = Promise.resolve(true);
  const failed = (error: Error): void => {
    failure ??= error;
  };
  return {
    write(text, encoding = 'utf8') {
      if (!opened) stream().on('error', failed);
      opened = true;
      if (failure !== undefined) return Promise.resolve(false);
      last = new Promise((resolve) => {
        stream().write(text, encoding, (error) => {
          if (error) failed(error);
          resolve(!error);
        });
      });
      return last;
    },
    async written() {
      await last;
      return failure === undefined;
    },
    async lost() {
      await last;
      return failure?.code === 'EPIPE' || failure?.code === 'EBADF' ? undefined : failure;
    },
  };
}
