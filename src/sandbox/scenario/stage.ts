/**
 * The stage that a scenario plays on: a client of the service, the sandbox's controls and clock, and what its
 * webhooks brought.
 */

import type { ControlId } from '../../contract/controls/index.ts';
import type { CorridorBook } from '../../contract/corridors/corridor.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by names that a scenario gives
export type AnyJson = any;

export interface Reply {
  status: number;
  body: AnyJson;
  /** The body as it came: amounts are compared in their own digits. */
  text: string;
}

export interface Stage {
  /** A signed call; `path` is below the version segment. */
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  control(id: ControlId, asked?: { id?: string; body?: object }): Promise<Reply>;
  advance(ms: number): Promise<void>;
  drain(): Promise<void>;
  book: CorridorBook;
  /** Names of the events that arrived, in order. */
  received: { event: string; object: AnyJson }[];
  receiver: { answer: () => Promise<number> | number };
  known: KnownObjects;
}

/** The objects that the scenario has made so far, by the names that it gave. */
export interface KnownObjects {
  transactions: Map<string, AnyJson>;
  last: Reply | null;
  eventsSeen: number;
}

export const nothingKnown = (): KnownObjects => ({
  transactions: new Map(),
  last: null,
  eventsSeen: 0,
});

/** An expectation that does not hold: what the line asks for and what is there. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
  constructor(
    readonly expected: string,
    readonly found: string,
  ) {
    super(`expected ${expected}, found ${found}`);
  }
}

export function expectEqual(found: unknown, expected: string, what: string): void {
  if (String(found) !== expected) throw new Unmet(`${what} ${expected}`, `${what} ${String(found)}`);
}
