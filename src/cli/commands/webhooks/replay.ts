/**
 * Hands deliveries on once more. Without --to they wait for the listener again, in order, under the same id. With --to they
 * are sent from here, once each, and their own hand-over stays as it was.
 */

import type { DeliveryReader, KeptDelivery, RefusalLog } from '../../../core/ports/inbox.ts';
import { usage } from '../../../core/problem.ts';
import type { DataOf } from '../../../desk/shapes/shape.ts';
import { replayShape } from '../../../desk/shapes/webhooks.ts';
import { type DeliveryQuery, deliveries, filterOf, findDelivery } from '../../../desk/webhooks/in-inbox.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { openInbox } from '../../ask/open-inbox.ts';
import { command, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { filterFlags, readDeliveryQuery } from '../../flags/deliveries.ts';
import { flags, type Input } from '../../flags/flag.ts';
import { readStore, storeFlags } from '../../flags/store.ts';
import { urlIn } from '../../listen/listen-flags.ts';
import { text, type View } from '../../terminal/view.ts';

export interface ReplayOptions {
  ids: string[];
  asked: DeliveryQuery;
  to: string | undefined;
  store: StoreChoice;
}

export { replay as command };

type Replayed = DataOf<typeof replayShape>;

const view: View<Replayed> = {
  shape: replayShape,
  empty: 'nothing to replay',
  columns: [
    { name: 'id', get: (row) => row.id },
    { name: 'event', get: (row) => row.event },
    { name: 'object_id', head: 'object', priority: 1, get: (row) => row.object_id },
    { name: 'state', state: true, get: (row) => row.state },
    { name: 'answer', priority: 2, get: (row) => row.answer },
    { name: 'latency_ms', head: 'ms', right: true, priority: 3, get: (row) => text(row.latency_ms) },
  ],
};

const replayFlags = flags({
  ...filterFlags,
  to: { value: 'url', summary: 'send them there now, byte for byte, once each' },
  ...storeFlags,
});

const replay = command({
  description: `Hands deliveries on again: by id, or all that match --since, --event, --state and --tx. They go in the order in which they were received, with the same delivery id, so that your handler can recognise them. A delivery that did not verify is never replayed.`,
  args: [
    {
      name: 'ID',
      summary: 'from remit webhooks events; its last eight characters are enough',
      optional: true,
      many: true,
    },
  ],
  flags: replayFlags,
  shows: [view],
  local: 'write',
  exits: [exitCodes.failed],
  examples: [
    'remit webhooks replay 0198f3c2',
    'remit webhooks replay --state dead_letter',
    'remit webhooks replay --since 2h --to http://127.0.0.1:3000/hooks',
  ],
  read: readReplay,
  async run(context, options) {
    const { inbox } = await openInbox(context, options.store);
    const found = await chosen(context, inbox, options);
    if (options.to !== undefined) return sendAll(context, found, options.to);
    await inbox.requeue(found.map(({ id }) => id));
    const rows = found.map((one) => shown(one, { state: 'waiting', answer: null, ms: null }));
    return result(view, rows, { notes: found.length > 0 ? [WHEN] : [] });
  },
});

const WHEN = 'they are handed on by the listener that runs with --forward-to or --exec, or by the next one';

function readReplay(input: Input<typeof replayFlags>): ReplayOptions {
  const asked = readDeliveryQuery(input);
  const filtered = Object.values(asked).some((value) => value !== undefined);
  if (filtered === input.args.length > 0)
    throw usage(
      filtered ? 'ids and filters exclude each other' : 'it is not said what to replay',
      'remit webhooks replay ID, or --since 2h, or --state dead_letter',
    );
  if (asked.state === 'invalid')
    throw usage('what did not verify is never replayed', 'remit webhooks show ID');
  return { ids: input.args, asked, to: urlIn(input.flags.to, '--to'), store: readStore(input) };
}

type Chosen = Pick<KeptDelivery, 'id' | 'event' | 'objectId'> & { whole: () => Promise<KeptDelivery> };

/** The oldest comes first, so that later events overwrite earlier ones. */
async function chosen(
  context: Context,
  inbox: DeliveryReader & RefusalLog,
  { ids, asked }: ReplayOptions,
): Promise<Chosen[]> {
  const found: Chosen[] = [];
  for (const given of ids) {
    const { kept } = await findDelivery(inbox, given);
    if (!kept) throw usage(`${given} did not verify: it is never replayed`, `remit webhooks show ${given}`);
    found.push({ ...kept, whole: async () => kept });
  }
  if (ids.length > 0) return found.sort(byId);
  for await (const page of deliveries(inbox, await filterOf(context, asked), Number.POSITIVE_INFINITY)) {
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

async function sendAll(context: Context, found: readonly Chosen[], to: string): Promise<Result> {
  const { forwardTo } = await import('../../../intake/forward.ts');
  const hand = forwardTo({ to, transport: await context.transport(), clock: context.world.clock });
  const rows: Replayed[] = [];
  for (const one of found) {
    if (context.world.interrupt.aborted) break;
    const whole = await one.whole();
    const { ok, answer, ms } = await hand(whole, whole.attempts + 1);
    rows.push(shown(one, { state: ok ? 'handed_on' : 'failed', answer, ms }));
  }
  const bad = rows.filter(({ state }) => state === 'failed').length;
  const notes = [
    ...(bad > 0 ? [`${bad} of ${rows.length} were not taken; run it again for those`] : []),
    ...(rows.length < found.length ? [`stopped: ${found.length - rows.length} were not sent`] : []),
  ];
  const exit = rows.length < found.length ? exitCodes.interrupted : bad > 0 ? exitCodes.failed : exitCodes.ok;
  return result(view, rows, { notes, exit });
}

const shown = (
  { id, event, objectId }: Chosen,
  { state, answer, ms }: { state: string; answer: string | null; ms: number | null },
): Replayed => ({ id, event, object_id: objectId, state, answer, latency_ms: ms });
