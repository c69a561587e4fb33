/** Prints on stderr, as it comes, what a program of the partner's prints. A log says only how much it is: nobody can mask it. */
import { escapeHostile } from '../../desk/words/escape.ts';
import type { World } from '../world.ts';

export const programOutput =
  ({ streams, log }: World) =>
  (text: string): void => {
    if (log) log.event('program_output', { bytes: Buffer.byteLength(text) });
    else streams.err(streams.stderrIsTerminal ? escapeHostile(text) : text);
  };
