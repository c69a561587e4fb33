/** Deliveries are kept: all of a batch in one transaction, in the order given. */
import { timeOrderedId } from '../../core/ids.ts';
import type { Keeping } from '../../core/ports/inbox.ts';
import type { Random } from '../../core/random.ts';
import type { StoreDependencies } from '../dependencies.ts';
import type { Database } from '../driver.ts';
import { type PackedBatch, packedOnly } from '../packing.ts';
import type { Arrival, Arrivals } from './arrivals.ts';
import type { Prints, Tail } from './tail.ts';

export type KeepPacked = (batch: PackedBatch, options: { handOn: boolean }) => Keeping[];

export function createKeeping(
  database: Database,
  { arrivals, tail }: { arrivals: Arrivals; tail: Tail },
  { clock, random }: StoreDependencies,
): KeepPacked {
  return (batch, { handOn }) => {
    const asked = printsIn(batch);
    if (asked.length === 0) return [];
    try {
      return database.transaction(() => {
        tail.refresh();
        tail.lookUp(asked);
        const keptAt = clock.now();
        const { keepings, fresh } = decide(tail, asked, keptAt, random);
        if (fresh.length > 0) {
          const isFresh = (i: number) => keepings[i]?.outcome === 'new';
          const packed = fresh.length < asked.length ? packedOnly(batch.packed, isFresh) : batch.packed;
          arrivals.add({ keptAt, handOn, fresh, packed });
        }
        return keepings;
      });
    } catch (error) {
      tail.doubt();
      throw error;
    }
  };
}

/** Duplicates have the earlier one's id, and take no place. */
function decide(
  tail: Tail,
  asked: readonly Prints[],
  now: number,
  random: Random,
): { keepings: Keeping[]; fresh: Arrival[] } {
  const fresh: Arrival[] = [];
  const firstSeq = tail.next().seq;
  const idAt = (seq: number): string => fresh[seq - firstSeq]?.id ?? tail.idAt(seq);
  const keepings = asked.map(({ deliveryPrint, eventPrint }): Keeping => {
    const earlier = tail.delivery(deliveryPrint);
    if (earlier !== undefined) {
      const id = typeof earlier === 'string' ? earlier : idAt(earlier);
      return { outcome: 'duplicate', id, repeat: false };
    }
    const { seq, after } = tail.next();
    const id = timeOrderedId(now, random, after);
    const repeat = tail.event(eventPrint);
    const arrival = { seq, id, deliveryPrint, eventPrint, repeat };
    tail.add(arrival);
    fresh.push(arrival);
    return { outcome: 'new', id, repeat };
  });
  return { keepings, fresh };
}

const PRINT = 32;

function printsIn({ prints }: PackedBatch): Prints[] {
  return Array.from({ length: prints.length / (2 * PRINT) }, (_, i) => {
    const at = 2 * PRINT * i;
    return {
      deliveryPrint: prints.slice(at, at + PRINT),
      eventPrint: prints.slice(at + PRINT, at + 2 * PRINT),
    };
  });
}
