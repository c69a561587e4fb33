/** The events are the deliveries in the inbox, and what became of each; with --names, the names that there are. */

import { type EventName, eventInfo, eventNames } from '../../../contract/events.ts';
import { listWebhookEvents } from '../../../contract/operations/webhooks.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { listFlags, readLimits } from '../../../payments/cli/flags/listing.ts';
import { readStore, storeFlags } from '../../../payments/cli/flags/store.ts';
import { limitsOf } from '../../../payments/cli/output/limits.ts';
import { printKept, rowsAtOnce } from '../../../payments/cli/output/show-list.ts';
import { type Result, wholeList } from '../../../payments/cli/result.ts';
import { filterOf } from '../../in-inbox.ts';
import { eventNameShape } from '../../shapes.ts';
import { receivedIn, refusalsIn } from '../../shown.ts';
import { deliveryFlags, readDeliveryQuery } from '../flags/deliveries.ts';
import { openInboxFor } from '../open-inbox.ts';
import { receivedView, refusedView } from '../views/received.ts';

type ShownEvent = DataOf<typeof eventNameShape>;

const namesView: View<ShownEvent> = {
  shape: eventNameShape,
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'object', priority: 1, get: (row) => row.object },
    { name: 'meaning', priority: 2, wrap: true, get: (row) => row.meaning },
  ],
};

const eventFlags = flags({
  ...deliveryFlags,
  ...listFlags,
  names: { summary: 'the names of all events, and what they mean' },
  remote: { summary: 'with --names: ask the service for its list' },
  ...storeFlags,
});

export const command = defineCommand({
  description: `Lists the deliveries that were received, newest first, with their state: kept, waiting, handed_on, dead_letter (given up) or invalid. The service is not called. --names lists the names of all events instead.`,
  flags: eventFlags,
  shows: [receivedView, refusedView, namesView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit webhooks events --state dead_letter',
    'remit webhooks events --event recipient.error --since 2h',
    'remit webhooks events --names',
  ],
  read: readEvents,
  async run(context, options) {
    if (options.names) return namesOf(context, options.remote);
    const { inbox } = await openInboxFor(context, options.store);
    const limits = limitsOf(context, options.limits);
    if (options.asked.state === 'invalid') {
      const all = await refusalsIn(inbox);
      const pages = rowsAtOnce(all);
      return printKept(context, limits, {
        view: refusedView,
        what: 'refused deliveries',
        pages,
        total: all.length,
      });
    }
    const filter = await filterOf(context, options.asked);
    return printKept(context, limits, {
      view: receivedView,
      what: 'deliveries',
      pages: receivedIn(inbox, filter, limits.limit),
      total: await inbox.count(filter),
    });
  },
});

function readEvents(input: Input<typeof eventFlags>) {
  const [names, remote] = [input.flags.names, input.flags.remote];
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

async function namesOf(context: Context, remote: boolean): Promise<Result> {
  const names = remote ? (await (await context.client()).call(listWebhookEvents)).object : eventNames;
  return wholeList(namesView, names.map(shownName));
}

function shownName(name: string): ShownEvent {
  if (!(eventNames as readonly string[]).includes(name))
    return { name, object: name.split('.')[0] ?? '', meaning: 'not known to remit' };
  const info = eventInfo(name as EventName);
  return { name, object: info.object, meaning: info.meaning };
}
