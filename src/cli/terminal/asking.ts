/**
 * Every prompt is asked here (decision 0025). Input that ends (Ctrl-D, a terminal that is gone) leaves a prompt waiting for
 * ever, and the process would end with 0 and without a word: it is cancelled, as by Ctrl-C.
 */
import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';

interface Surroundings {
  input: Readable;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** readline lets go of its input when that ends: it pauses it, also after Ctrl-D, where the stream itself goes on. */
const ENDINGS = ['pause', 'end', 'close'] as const;

/** @throws what the prompt throws when it is cancelled */
export async function asking<T>(
  { streams, world }: Pick<Context, 'streams' | 'world'>,
  ask: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const input = streams.stdin;
  const over = new AbortController();
  // An answer that came with the last bytes is settled first.
  const end = (): unknown => setImmediate(() => over.abort());
  if (input.readableEnded || input.destroyed) end();
  for (const name of ENDINGS) input.on(name, end);
  try {
    return await ask({
      input,
      output: streams.stderr,
      signal: AbortSignal.any([world.interrupt, over.signal]),
    });
  } finally {
    for (const name of ENDINGS) input.removeListener(name, end);
  }
}
