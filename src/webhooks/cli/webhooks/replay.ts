/**
 * Hands deliveries on once more. Without --to they wait for the listener again, in order, under the same id. With --to they
 * are sent from here, once each, and their own hand-over stays as it was.
 */

import { usage } from '../../../core/problem.ts';
import { exitCodes, exitOfEnding } from '../../../frame/exit-codes.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, storeFlags } from '../../../payments/cli/flags/store.ts';
import { result } from '../../../payments/cli/result.ts';
import { lookOf } from '../../../payments/words/looks.ts';
import { handOnAgain, type Replayed, sendAgain } from '../../replay.ts';
import { replayShape } from '../../shapes.ts';
import { deliveryFlags, readDeliveryQuery } from '../flags/deliveries.ts';
import { openInboxFor } from '../open-inbox.ts';
import { urlIn } from './listen/listen-flags.ts';

const view: View<Replayed> = {
  shape: replayShape,
  empty: 'nothing to replay',
  columns: [
    { name: 'id', get: (row) => row.id },
    { name: 'event', get: (row) => row.event },
    { name: 'object_id', head: 'object', priority: 1, get: (row) => row.object_id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'answer', priority: 2, get: (row) => row.answer },
    { name: 'latency_ms', head: 'ms', right: true, priority: 3, get: (row) => toCell(row.latency_ms) },
  ],
};

const replayFlags = flags({
  ...deliveryFlags,
  to: { value: 'url', summary: 'send them there now, byte for byte, once each' },
  ...storeFlags,
});

export const command = defineCommand({
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
    const { inbox } = await openInboxFor(context, options.store);
    const { to } = options;
    if (to !== undefined) {
      const { rows, ending, notes } = await sendAgain(context, inbox, { ...options, to });
      return result(view, rows, { notes, exit: exitOfEnding(ending) });
    }
    const rows = await handOnAgain(context, inbox, options);
    return result(view, rows, { notes: rows.length > 0 ? [WHEN] : [] });
  },
});

const WHEN = 'they are handed on by the listener that runs with --forward-to or --exec, or by the next one';

function readReplay(input: Input<typeof replayFlags>) {
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
