/** The terminal and the flags, as a command of any slice has them. A context of payments is one, and a desk. */
import type { Hint } from '../core/next.ts';
import type { Globals } from './flags/globals.ts';
import type { Process } from './process.ts';
import type { Paint } from './terminal/paint.ts';
import type { Streams } from './terminal/streams.ts';

export interface FrameContext {
  process: Process;
  streams: Streams;
  globals: Globals;
  /** Paints for stderr; the renderer has its own for stdout. */
  paint: Paint;
  /** The command's words, for the journal and for hints. */
  words: string;
  /** True when questions can be asked: a terminal to read from and to write to, and not refused. */
  interactive: boolean;
  /** Set once the user was asked something. */
  wasAsked?: boolean;
  /** Fires when the user wants it to end. */
  signal: AbortSignal;
  /** One line on stderr, escaped: names and ids in it come from outside. `paint` colours what was escaped. */
  say(line: Hint, paint?: (text: string) => string): void;
  /** The text with personal data masked. */
  masked<T>(data: T): T;
  /** Says once that a text for a file or a pipe has something masked in it. */
  noteMasked(text: string): void;
  /** Says a line, like `say`, that is good to know and no more: --quiet leaves it out. */
  note(line: Hint): void;
}
