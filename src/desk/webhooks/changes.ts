/** The inbox as it fills: what came since a reader looked, and what became of those that it was told. */
import type { Inbox } from '../../core/ports/inbox.ts';
import { receivedIn, refusalsIn, type ShownReceived } from './shown.ts';

/** The newest, of which is told again what changed. */
const WATCHED = 400;

/** Looks into one inbox, again and again. Ids of deliveries grow, so that the last one says how far it was told. */
export class InboxChanges {
  readonly #inbox: Inbox;
  readonly #most: number;
  #newest: string;
  /** How each of the newest was told. */
  readonly #told = new Map<string, string>();

  /** @param after the last one that the reader has; @param most at once */
  constructor(inbox: Inbox, { after, most }: { after: string; most: number }) {
    this.#inbox = inbox;
    this.#newest = after;
    this.#most = most;
  }

  /** Newest first. All of the newest are told once. */
  async next(): Promise<ShownReceived[]> {
    const found: ShownReceived[] = [];
    for await (const page of receivedIn(this.#inbox, {}, this.#most)) {
      found.push(...page);
      if ((page.at(-1)?.id ?? '') <= this.#newest && found.length >= WATCHED) break;
    }
    found.push(...(await refusalsIn(this.#inbox, WATCHED)));
    found.sort((a, b) => (a.id < b.id ? 1 : -1));
    const watched = [...this.#told.keys()].sort();
    const oldest = watched[0] ?? '';
    // Of several writers one may keep a delivery a little after another one kept a later one.
    const changed = found.filter(
      (row) => row.id > this.#newest || (row.id >= oldest && this.#told.get(row.id) !== asTold(row)),
    );
    for (const row of changed) this.#told.set(row.id, asTold(row));
    for (const id of watched.slice(0, Math.max(0, this.#told.size - WATCHED))) this.#told.delete(id);
    const latest = changed[0]?.id ?? '';
    if (latest > this.#newest) this.#newest = latest;
    return changed;
  }
}

const asTold = ({ state, attempts }: ShownReceived): string => `${state} ${attempts}`;
