/** The only place that touches the process's streams. Tests use a twin with a chosen width, colour and terminal. */
import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';

export interface Streams {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  stdinIsTerminal: boolean;
  stdoutIsTerminal: boolean;
  stderrIsTerminal: boolean;
  /** Width of the terminal; 80 where there is none. */
  columns: number;
  colour: { stdout: boolean; stderr: boolean };
  /** Writes a result. A reader that went away (`| head`) is no error: the rest is dropped. */
  out(text: string): void;
  /** Writes everything that is not the result. */
  err(text: string): void;
}

type Env = Readonly<Record<string, string | undefined>>;

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
    columns:
      (stdoutIsTerminal ? process.stdout.columns : stderrIsTerminal ? process.stderr.columns : undefined) ||
      80,
    env,
  });
}

export type StreamParts = Omit<Streams, 'out' | 'err' | 'colour'> & { env: Env };

export function buildStreams(parts: StreamParts): Streams {
  const { env, stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal, columns } = parts;
  const out = guarded(() => parts.stdout);
  const err = guarded(() => parts.stderr);
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
    columns,
    colour: { stdout: wantsColour(env, stdoutIsTerminal), stderr: wantsColour(env, stderrIsTerminal) },
    out,
    err,
  };
}

/** Writes until the reader goes away. */
function guarded(stream: () => Writable): (text: string) => void {
  let state: 'fresh' | 'open' | 'closed' = 'fresh';
  return (text) => {
    if (state === 'fresh') {
      state = 'open';
      stream().on('error', () => {
        state = 'closed';
      });
    }
    if (state === 'open') stream().write(text);
  };
}

/** NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb, in that order; else colour on a terminal. */
export function wantsColour(env: Env, isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.CLICOLOR_FORCE !== undefined && env.CLICOLOR_FORCE !== '0') return true;
  if (env.CLICOLOR === '0' || env.TERM === 'dumb') return false;
  return isTerminal;
}
