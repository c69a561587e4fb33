/** The inbox as it fills: what came since a reader looked, and what became of those that it got. */

import { receivedIn, refusalsIn, type ShownReceived } from './delivery-output.ts';
import type { Inbox } from './store/port.ts';

/** The newest, whose changes are sent again. */
const WATCHED = 400;

/** Looks into one inbox, again and again. */
export class InboxChanges {
  readonly #inbox: Inbox;
  readonly #most: number;
  #last: string;
  /** Each delivery as it was sent, of those that the look before this one found. */
  #told = new Map<string, string>();

  /** @param after `last` of an earlier reader, who has those before it; @param most at once */
  constructor(inbox: Inbox, { after, most }: { after: string; most: number }) {
    this.#inbox = inbox;
    this.#last = after;
    this.#most = most;
  }

  /**
   * The newest delivery that was sent and verifies: a later reader begins behind it. One that does not verify cannot stand here, since its id
   * says nothing of time; the latest of those are all sent to each reader.
   */
  get last(): string {
    return this.#last;
  }

  /** Newest first. All of the newest are sent once. */
  async next(): Promise<ShownReceived[]> {
    const found: ShownReceived[] = [];
    for await (const page of receivedIn(this.#inbox, {}, this.#most)) {
      found.push(...page);
      if (found.length >= WATCHED && found.some(({ id }) => id === this.#last)) break;
    }
    this.#last = found[0]?.id ?? this.#last;
    found.push(...(await refusalsIn(this.#inbox)));
    const told = this.#told;
    this.#told = new Map(found.map((row) => [row.id, asTold(row)]));
    return found.filter((row) => told.get(row.id) !== asTold(row)).sort(newestFirst);
  }
}

const asTold = ({ state, attempts }: ShownReceived): string => `${state} ${attempts}`;

/** Ids of one moment are in the order of their deliveries. */
const newestFirst = (a: ShownReceived, b: ShownReceived): number =>
  a.received_at + a.id < b.received_at + b.id ? 1 : -1;
