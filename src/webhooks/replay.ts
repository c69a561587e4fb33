/**
 * Hands deliveries on once more: to the listener, in order and under the same id, or from here, once each. A delivery that did not
 * verify is never among them.
 */
import { type Hint, hint } from '../core/next.ts';
import { type Category, usage } from '../core/problem.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from '../payments/desk.ts';
import { type DeliveryQuery, eachDelivery, filterOf, findDelivery } from './in-inbox.ts';
import type { replayShape } from './shapes.ts';
import type { DeliveryReader, HandOverQueue, KeptDelivery, RefusalLog } from './store/port.ts';

export interface ReplayWish {
  /** All that the query asks for where none is named. */
  ids: readonly string[];
  asked: DeliveryQuery;
}

export type Replayed = DataOf<typeof replayShape>;

/** They wait for the listener. */
export async function handOnAgain(
  desk: Desk,
  inbox: DeliveryReader & RefusalLog & Pick<HandOverQueue, 'requeue'>,
  wish: ReplayWish,
): Promise<Replayed[]> {
  const found = await chosen(desk, inbox, wish);
  await inbox.requeue(found.map(({ id }) => id));
  return found.map((one) => shown(one, { state: 'waiting', answer: null, ms: null }));
}

/** Their own hand-over stays as it was. It ends early where the desk's signal fires. */
export async function sendAgain(
  desk: Desk,
  inbox: DeliveryReader & RefusalLog,
  { to, ...wish }: ReplayWish & { to: string },
): Promise<{ rows: Replayed[]; ending: Category | 'done'; notes: Hint[] }> {
  const found = await chosen(desk, inbox, wish);
  const { forwardTo } = await import('./intake/forward.ts');
  const hand = forwardTo({ to, transport: await desk.transport(), clock: desk.clock });
  const rows: Replayed[] = [];
  for (const one of found) {
    if (desk.signal.aborted) break;
    const whole = await one.whole();
    const { ok, answer, ms } = await hand(whole, whole.attempts + 1);
    rows.push(shown(one, { state: ok ? 'handed_on' : 'failed', answer, ms }));
  }
  const bad = rows.filter(({ state }) => state === 'failed').length;
  const isStopped = rows.length < found.length;
  return {
    rows,
    ending: isStopped ? 'interrupted' : bad > 0 ? 'conflict' : 'done',
    notes: [
      ...(bad > 0 ? [`${bad} of ${rows.length} were not taken; run it again for those`] : []),
      ...(isStopped ? [`stopped: ${found.length - rows.length} were not sent`] : []),
    ],
  };
}

type Chosen = Pick<KeptDelivery, 'id' | 'event' | 'objectId'> & { whole: () => Promise<KeptDelivery> };

/** The oldest comes first, so that later events overwrite earlier ones. */
async function chosen(
  desk: Desk,
  inbox: DeliveryReader & RefusalLog,
  { ids, asked }: ReplayWish,
): Promise<Chosen[]> {
  const found: Chosen[] = [];
  for (const given of ids) {
    const { kept } = await findDelivery(inbox, given);
    if (!kept)
      throw usage(
        `${given} did not verify: it is never replayed`,
        hint`${{ do: 'show_delivery', id: given }}`,
      );
    found.push({ ...kept, whole: async () => kept });
  }
  if (ids.length > 0) return found.sort(byId);
  for await (const page of eachDelivery(inbox, await filterOf(desk, asked), Number.POSITIVE_INFINITY)) {
    for (const { id, event, objectId } of page)
      found.push({ id, event, objectId, whole: () => stillThere(inbox, id) });
  }
  return found.sort(byId);
}

/** Ids are in the order in which they were received. */
const byId = (a: Chosen, b: Chosen): number => (a.id < b.id ? -1 : 1);

async function stillThere(inbox: DeliveryReader, id: string): Promise<KeptDelivery> {
  const kept = await inbox.get(id);
  if (!kept) throw usage(`${id} was pruned meanwhile`);
  return kept;
}

const shown = (
  { id, event, objectId }: Chosen,
  { state, answer, ms }: { state: string; answer: string | null; ms: number | null },
): Replayed => ({ id, event, object_id: objectId, state, answer, latency_ms: ms });
