/**
 * The operations desk (decision 0002): what a person or a program asks to be done, on whose account, with what. A face (the
 * command line, the library, later a page) makes one and hands it to the use cases. Nothing here knows a stream, a flag or a
 * prompt.
 */

import type { PreparedPlans } from '../agents/store/port.ts';
import type { Client } from '../client/client.ts';
import type { Intents } from '../client/store/port.ts';
import type { Seen, SeenIndex } from '../client/store/seen-port.ts';
import type { Clock } from '../core/clock.ts';
import type { Effect } from '../core/effect.ts';
import type { Said } from '../core/next.ts';
import type { Random } from '../core/random.ts';
import type { Transport } from '../core/transport.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Self } from '../profiles/worker.ts';
import type { PayRuns } from '../runs/store/port.ts';
import type { PaymentsLetThrough } from './store/let-through-port.ts';
import type { MaskLevel } from './words/mask.ts';

export type { Seen, Transport };

export interface Store {
  intents: Intents;
  /** `Intents.lastTold` when this request began. */
  lastTold: number;
  seen: SeenIndex;
  prepared: PreparedPlans;
  letThrough: PaymentsLetThrough;
  /** Made when it is first asked for. */
  payruns(): Promise<PayRuns>;
  close(): void;
}

/** A sentence that is said while something goes on: a face words it, or leaves it out. */
export interface Heard {
  says: Said;
  /** `aside` and `warning` are statements of another weight; a `note` is good to know and no more. */
  as: 'statement' | 'aside' | 'warning' | 'note';
  /** The event that it is, for a face that keeps a log (decision 0103). */
  about?: LoggedEvent | undefined;
}

/** Events that may happen to a worker, beside those of its rows. */
export type LoggedEvent =
  | 'store_lost'
  | 'store_back'
  | 'service_lost'
  | 'service_back'
  | 'run_waits'
  | 'run_left_alone';

export interface Progress {
  /** Says how many are done, and of how many where that is known. */
  tell(done: number, total?: number): void;
  /** Says other words from now on. */
  say(words: string): void;
  /** Takes it away, for good. */
  stop(): void;
}

export interface Desk {
  /** Who asked, for the journal. */
  by: { words: string; user: string | undefined };
  clock: Clock;
  random: Random;
  newId(): string;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Fires when whoever asked wants it to end. */
  signal: AbortSignal;
  /** Where this runs: settings and files are found by it. */
  machine: { env: Readonly<Record<string, string | undefined>>; cwd: string } & Self;
  /** How much of personal data may stand in sentences. */
  mask: MaskLevel;
  /** The time zone of days that are named: `Europe/Lisbon`. */
  zone: string;
  /** The most that this may write at the service; undefined where a program asks, which says it with each call. */
  may?: Effect;
  /** True where what was kept for a while must be asked for again. */
  fresh: boolean;
  connection(): Promise<Connection>;
  /** This client reads; the signal ends its calls. */
  client(): Promise<Client>;
  /** This client moves money; its calls are never ended half way, so that the outcome gets known. */
  writingClient(): Promise<Client>;
  /** The same account under another base URL: the controls of a sandbox. */
  clientAt(baseUrl: string): Promise<Client>;
  transport(): Promise<Transport>;
  store(): Promise<Store>;
  hear(heard: Heard): void;
  /** JSON of an object as a delivery of this event tells of it, with ids that the service could have issued; undefined where nobody knows its layout. */
  sampleOf(event: string): Promise<string | undefined>;
  /** Runs work that may take over a second; `work` says how far it is. */
  working<T>(words: string, work: (progress: Progress) => Promise<T>): Promise<T>;
  /** Applied, and not over before whoever asked was told. */
  willTell(intentId: string, made: { id?: unknown; external_id?: unknown }): void;
  /** Ids learnt from an answer; a store that cannot be opened loses only this. */
  remember(seen: Seen[]): Promise<void>;
  /** Closed with the desk, the latest first. */
  closing(close: () => unknown): void;
}

/** A desk for one call of a face that answers many, with what follows it. */
export interface Opened {
  desk: Desk;
  /** Notes in the journal that somebody was told of what was applied. */
  told(): Promise<void>;
  close(): Promise<void>;
}

export const tell = (desk: Pick<Desk, 'hear'>, says: Said): void => desk.hear({ says, as: 'statement' });
export const note = (desk: Pick<Desk, 'hear'>, says: Said, about?: LoggedEvent): void =>
  desk.hear({ says, as: 'note', about });
