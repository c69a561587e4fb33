/** The things that handlers share: how the console was started, and the desk of one call. */
import type { Clock } from '../core/clock.ts';
import type { Hint, Next } from '../core/next.ts';
import type { Desk, Heard, Opened } from '../payments/desk.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Showing } from './rows.ts';
import type { SentFile } from './wire/parts.ts';
import type { Acted, AnswerOf, LiveName } from './wire.ts';

export interface ConsoleSetup {
  account: Connection;
  clock: Clock;
  version: string;
  zone: string;
  /** Why nothing can be written; undefined where something can. */
  readOnly: Hint | undefined;
  reveals: boolean;
  /** Keys the hashes of records that are masked. */
  secret: string;
  /** The desk of one call. @param words for the journal: `console cancel` */
  openDesk(words: string, may: 'read' | 'money'): Opened;
  /** Spells a step as the command line does: shown beside each act. */
  renderHint(next: Next): string;
  /** The acts that are under way just now. */
  acts: Acts;
}

/** Acts by their id, and which recipient or intent one is under way for. */
export interface Acts {
  byId: Map<string, Promise<AnswerOf<'act'>>>;
  /** By the whole wish. */
  running: Map<string, Promise<AnswerOf<'act'>>>;
  of: Map<string, string>;
}

export interface Call extends ConsoleSetup {
  desk: Desk;
  showing: Showing;
  heard: Heard[];
  text(said: Hint): string;
}

/** Tells the page one more line; resolves when there is room for the next one. */
export type Emit<Name extends LiveName> = (data: AnswerOf<Name>) => Promise<void>;

/** A question that the user must answer first. Thrown, so that nothing behind it is done. */
export class Asks<Answer> extends Error {
  constructor(readonly answer: Answer) {
    super('a question is open');
  }
}

/** Answers with the question. @throws any other error */
export function orQuestion<Answer>(error: unknown): Answer {
  if (error instanceof Asks) return error.answer;
  throw error;
}

/** The bytes of a file that the page handed over, as files are read. */
export async function* sentBytes({ content }: SentFile): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content, 'base64');
}

export type ActDone = Extract<Acted, { kind: 'done' }>;

/** One thing was acted on, and it went well. */
export const done = (
  id: string,
  text: string,
  why: string | null = null,
): Pick<ActDone, 'kind' | 'endings'> => ({
  kind: 'done',
  endings: [{ id, text, look: 'good', why }],
});
