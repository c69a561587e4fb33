/** The things that tools share: whom they act for, what they may, and the desk of one call. */
import type { Hint } from '../core/next.ts';
import type { Desk, Heard, Opened } from '../payments/desk.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Carried } from './prepared/carry-out.ts';

export interface Rights {
  /** Plans can be made. */
  prepares: boolean;
  /** Plans can be carried out: on a sandbox alone. */
  writes: boolean;
  /** The sandbox has controls that this machine may use. */
  controls: boolean;
}

/** Everything that the server is started with. */
export interface AgentSetup {
  account: Connection;
  rights: Rights;
  version: string;
  /** The desk of one call. @param words for the journal: `mcp status` */
  openDesk(words: string, may: 'read' | 'money', signal: AbortSignal): Opened;
  /** The command by which a person approves a plan. */
  approveCommand(handle: string): string;
  text(said: Hint): string;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Writes that are under way in this process, by their handle. */
  running: Map<string, Promise<Carried>>;
  /** Fires when the pipe is closed: what has left is finished, and nothing more begins. */
  closing: AbortSignal;
}

export interface ToolCall extends AgentSetup {
  desk: Desk;
  /** Everything that the desk reported. */
  heard: Heard[];
  /** The agent as it named itself. */
  client: string;
}

/**
 * The longest that a tool takes. The official client gives up after 60 s, others sooner, and a host that gave up asks again.
 */
export const LONGEST_CALL_MS = 20_000;

/** Undefined where the time is over first: the work goes on. */
export async function withinTime<T>(
  { sleep }: Pick<AgentSetup, 'sleep'>,
  work: Promise<T>,
  ms: number,
): Promise<T | undefined> {
  const timer = new AbortController();
  const over = sleep(ms, timer.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([work, over]);
  } finally {
    timer.abort();
  }
}

/** An agent is shown no account and no phone whole, its own words back included: what it reads is kept by others. */
export const deskOfAgent = (desk: Desk, hear: Desk['hear']): Desk => ({
  ...desk,
  mask: desk.mask === 'all' ? 'all' : 'accounts',
  masksGiven: true,
  hear,
});
