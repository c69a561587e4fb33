/** The only place that touches the process's streams. Tests use a twin with a chosen width, colour and terminal. */
import type { Readable, Writable } from 'node:stream';

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

export function processStreams(process: NodeJS.Process): Streams {
  const { stdin, stdout, stderr, env } = process;
  return buildStreams({
    stdin,
    stdout,
    stderr,
    stdinIsTerminal: stdin.isTTY === true,
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    columns: stdout.columns ?? stderr.columns ?? 80,
    env,
  });
}

export type StreamParts = Omit<Streams, 'out' | 'err' | 'colour'> & { env: Env };

export function buildStreams({ env, ...parts }: StreamParts): Streams {
  const closed = { out: false, err: false };
  parts.stdout.on('error', () => {
    closed.out = true;
  });
  parts.stderr.on('error', () => {
    closed.err = true;
  });
  return {
    ...parts,
    colour: {
      stdout: wantsColour(env, parts.stdoutIsTerminal),
      stderr: wantsColour(env, parts.stderrIsTerminal),
    },
    out(text) {
      if (!closed.out) parts.stdout.write(text);
    },
    err(text) {
      if (!closed.err) parts.stderr.write(text);
    },
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
