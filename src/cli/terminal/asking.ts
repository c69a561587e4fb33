/**
 * Every prompt is asked here (decision 0025). Input that ends (Ctrl-D, a terminal that is gone) leaves a prompt waiting for
 * ever, and the process would end with 0 and without a word: it is cancelled, as by Ctrl-C. Esc goes back one question, where
 * there is one.
 */
import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { FreshKeys, isRawInput } from './fresh-keys.ts';

interface Surroundings {
  input: Readable;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** Thrown where somebody wants the question before this one. */
export class GoBack extends Error {
  override readonly name = 'GoBack';
}

/** readline lets go of its input when that ends: it pauses it, also after Ctrl-D, where the stream itself goes on. */
const ENDINGS = ['pause', 'end', 'close'] as const;

/**
 * @param fresh it hears only what is typed after it was drawn: on a terminal, since a program that answers has no reading to do
 * @throws GoBack, and what the prompt throws when it is cancelled
 */
export async function asking<T>(
  context: Pick<Context, 'streams' | 'world'> & { wasAsked?: boolean },
  ask: (surroundings: Surroundings) => Promise<T>,
  { back = false, fresh = false }: { back?: boolean | undefined; fresh?: boolean } = {},
): Promise<T> {
  const { streams, world } = context;
  context.wasAsked = true;
  const terminal = streams.stdin;
  const heard = fresh && isRawInput(terminal) ? new FreshKeys(terminal, streams.stderr) : undefined;
  const input: Readable = heard ?? terminal;
  const over = new AbortController();
  let wantsBack = false;
  // An answer that came with the last bytes is settled first.
  const end = (): unknown => setImmediate(() => over.abort());
  const key = (_: unknown, { name }: { name?: string } = {}): void => {
    if (!back || name !== 'escape') return;
    wantsBack = true;
    over.abort();
  };
  if (terminal.readableEnded || terminal.destroyed) end();
  for (const name of ENDINGS) input.on(name, end);
  input.on('keypress', key);
  try {
    return await ask({
      input,
      output: streams.stderr,
      signal: AbortSignal.any([world.interrupt, over.signal]),
    });
  } catch (error) {
    throw wantsBack && !world.interrupt.aborted ? new GoBack() : error;
  } finally {
    for (const name of ENDINGS) input.removeListener(name, end);
    input.removeListener('keypress', key);
    heard?.close();
  }
}

/** Waits this often for the terminal to have nothing more to give. */
const QUIET_TURNS = 3;

/**
 * Takes what was typed or pasted ahead off the terminal, so that it does not run as a command in the shell that comes next: it may
 * be a secret.
 */
export async function dropTypedAhead({ stdin }: Context['streams']): Promise<void> {
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
