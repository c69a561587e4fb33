/** What is in the inbox and what became of it; with --names, the names that there are. */
import { type EventName, eventInfo, eventNames } from '../../../contract/events.ts';
import { listWebhookEvents } from '../../../contract/operations/webhooks.ts';
import { usage } from '../../../core/problem.ts';
import type { Limits } from '../../../desk/lists/list-reader.ts';
import { type DeliveryQuery, deliveries, filterOf } from '../../../desk/webhooks/in-inbox.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { openInbox } from '../../ask/open-inbox.ts';
import { command, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { filterFlags, readDeliveryQuery } from '../../flags/deliveries.ts';
import { flagOn, type Input } from '../../flags/flag.ts';
import { listFlags, readLimits } from '../../flags/listing.ts';
import { readStore, storeFlags } from '../../flags/store.ts';
import type { View } from '../../terminal/view.ts';
import { receivedView, refusedView, shownReceived, shownRefusal } from '../../views/received.ts';

export interface EventsOptions {
  names: boolean;
  remote: boolean;
  asked: DeliveryQuery;
  limits: Limits;
  store: StoreChoice;
}

export { events as command };

interface ShownEvent {
  name: string;
  object: string;
  meaning: string;
}

const namesView: View<ShownEvent> = {
  kind: 'event',
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'object', priority: 1, get: (row) => row.object },
    { name: 'meaning', priority: 2, get: (row) => row.meaning },
  ],
};

const events = command<EventsOptions>({
  description: `What was received, newest first, and what became of it: kept, waiting,
handed_on, dead_letter (given up) or invalid. Nothing is asked of the service.
--names lists the names of all events instead.`,
  flags: [
    ...filterFlags,
    ...listFlags,
    { flags: '--names', summary: 'the names of all events, and what they mean' },
    { flags: '--remote', summary: 'with --names: ask the service for its list' },
    ...storeFlags,
  ],
  shows: [receivedView, refusedView, namesView],
  effect: 'read',
  examples: [
    'remit webhooks events --state dead_letter',
    'remit webhooks events --event recipient.error --since 2h',
    'remit webhooks events --names',
  ],
  read: readEvents,
  async run(context, options) {
    if (options.names) return namesOf(context, options.remote);
    const { inbox } = await openInbox(context, options.store);
    if (options.asked.state === 'invalid') {
      const { limit } = options.limits;
      const refused = await inbox.refusals(Math.min(limit, Number.MAX_SAFE_INTEGER));
      return result(refusedView, refused.map(shownRefusal));
    }
    return listed(
      context,
      options,
      deliveries(inbox, await filterOf(context, options.asked), options.limits.limit),
    );
  },
});

function readEvents(input: Input): EventsOptions {
  const [names, remote] = [flagOn(input, 'names'), flagOn(input, 'remote')];
  if (remote && !names)
    throw usage('--remote goes with --names', 'remit webhooks backfill asks the service for what was missed');
  return {
    names,
    remote,
    asked: readDeliveryQuery(input),
    limits: readLimits(input),
    store: readStore(input),
  };
}

/** A short list whole, a long one as its pages come. */
async function listed(
  context: Context,
  { limits }: EventsOptions,
  found: ReturnType<typeof deliveries>,
): Promise<Result> {
  const { checkHeld, isShownWhole, printPages } = await import('../../output/show-list.ts');
  if (await isShownWhole(context, limits)) {
    const rows = [];
    for await (const page of found) {
      rows.push(...page.map(shownReceived));
      checkHeld(rows.length);
    }
    return result(receivedView, rows);
  }
  let rows = 0;
  return printPages(context, {
    view: receivedView,
    what: 'the inbox',
    pages: (async function* () {
      for await (const page of found) {
        rows += page.length;
        yield page.map(shownReceived);
      }
    })(),
    looked: () => ({ rows, expected: undefined }),
    learn: async () => {},
    notes: () => [],
  });
}

async function namesOf(context: Context, remote: boolean): Promise<Result> {
  const names = remote ? (await (await context.client()).call(listWebhookEvents)).object : eventNames;
  return result(namesView, names.map(shownName));
}

function shownName(name: string): ShownEvent {
  if (!(eventNames as readonly string[]).includes(name))
    return { name, object: name.split('.')[0] ?? '', meaning: 'not known to remit' };
  const info = eventInfo(name as EventName);
  return { name, object: info.object, meaning: info.meaning };
}
