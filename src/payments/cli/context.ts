/**
 * A context is given to each command: cheap values, and lazy functions for what costs. `open-context.ts`
 * makes one.
 */
import type { Exchange } from '../../client/exchange.ts';
import type { Said } from '../../core/next.ts';
import type { Globals } from '../../frame/flags/globals.ts';
import type { Paint } from '../../frame/terminal/paint.ts';
import type { Streams } from '../../frame/terminal/streams.ts';
import type { World } from '../../frame/world.ts';
import type { Desk } from '../desk.ts';
import type { Approver } from '../gate.ts';

export interface ToTell {
  intentId: string;
  id: string | null;
  externalId: string | null;
}

export interface Context extends Desk {
  world: World;
  streams: Streams;
  globals: Globals;
  /** Paints for stderr; the renderer has its own for stdout. */
  paint: Paint;
  /** The command's words, for the journal and for hints. */
  words: string;
  /** True when questions can be asked: a terminal to read from and to write to, and not refused. */
  interactive: boolean;
  /** Set once somebody was asked something. */
  wasAsked?: boolean;
  /** Answers the gate: by flags, by asking, or not at all. */
  approver: Approver;
  readonly toTell: readonly ToTell[];
  /** One line on stderr, escaped: names and ids in it come from outside. `paint` colours what was escaped. */
  say(line: Said, paint?: (text: string) => string): void;
  /** With personal data masked. */
  masked<T>(data: T): T;
  /** Says once that a text for a file or a pipe has something masked in it. */
  noteMasked(text: string): void;
  /** Says a line, like `say`, that is good to know and no more: --quiet leaves it out. */
  note(line: Said): void;
  /** Every call of a client that is made from now on is told here, with its outcome. */
  hearExchanges(hear: (exchange: Exchange) => void): void;
  close(): Promise<void>;
}
