/**
 * What an inbox must do with hand-overs, in the plainest way: no code is shared with an engine. All times are whole multiples of
 * what an engine may be slow by, so that a real server's clock does.
 */
import type { ForwardRecord } from '../../src/webhooks/store/port.ts';

interface Modelled {
  id: string;
  object: string;
  state: 'waiting' | 'handed_on' | 'dead_letter';
  late: boolean;
  place: number;
  receivedAt: number;
}

export class InboxModel {
  now = 0;
  /** In the order they were kept. */
  readonly deliveries: Modelled[] = [];
  readonly pauses = new Map<string, number>();
  readonly leases = new Map<string, { owner: string; until: number; id: string }>();

  /** Of each object the last place that was ever handed on without being late. */
  readonly #handed = new Map<string, number>();
  #places = 0;

  keep(id: string, object: string, { late = false, receivedAt = 0 } = {}): void {
    this.deliveries.push({ id, object, state: 'waiting', late, place: ++this.#places, receivedAt });
  }

  claim(owner: string, limit: number, leaseMs: number): { id: string; late: boolean }[] {
    const firsts = new Map<string, Modelled>();
    for (const one of this.deliveries) {
      if (one.state === 'waiting' && !firsts.has(one.object)) firsts.set(one.object, one);
    }
    const free = ({ object }: Modelled) =>
      (this.pauses.get(object) ?? 0) <= this.now && (this.leases.get(object)?.until ?? 0) <= this.now;
    const claimed = this.deliveries
      .filter((one) => firsts.get(one.object) === one && free(one))
      .slice(0, limit);
    for (const one of claimed) {
      this.leases.set(one.object, { owner, until: this.now + leaseMs, id: one.id });
      one.late ||= (this.#handed.get(one.object) ?? 0) > one.place;
    }
    return claimed.map(({ id, late }) => ({ id, late }));
  }

  record(owner: string, { id, outcome, delayMs = 0 }: ForwardRecord): void {
    const one = this.deliveries.find((delivery) => delivery.id === id);
    const lease = one && this.leases.get(one.object);
    if (one?.state !== 'waiting' || lease?.owner !== owner || lease.id !== id) return;
    this.leases.delete(one.object);
    this.pauses.delete(one.object);
    if (outcome === 'again') this.pauses.set(one.object, this.now + delayMs);
    if (outcome === 'handed_on' || outcome === 'dead_letter') one.state = outcome;
    if (outcome === 'handed_on' && !one.late) {
      this.#handed.set(one.object, Math.max(one.place, this.#handed.get(one.object) ?? 0));
    }
    const waits = this.deliveries.some(({ object, state }) => object === one.object && state === 'waiting');
    if (!waits) this.pauses.delete(one.object);
  }

  requeue(id: string): void {
    const one = this.deliveries.find((delivery) => delivery.id === id);
    if (!one) return;
    one.state = 'waiting';
    this.pauses.delete(one.object);
  }

  /** The ids of those that are gone. */
  prune(before: number, deadLetters: boolean): string[] {
    const goes = ({ receivedAt, state }: Modelled) =>
      receivedAt < before && state !== 'waiting' && (deadLetters || state !== 'dead_letter');
    const gone = this.deliveries.filter(goes);
    for (const one of gone) this.deliveries.splice(this.deliveries.indexOf(one), 1);
    return gone.map(({ id }) => id);
  }
}
