/**
 * A backfill brings the deliveries that the service sent and the inbox does not have: fetched from the
 * service's log, and handed on by the listener.
 */

import { isoTime } from '../../../core/clock.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, storeFlags } from '../../../payments/cli/flags/store.ts';
import { readWhen } from '../../../payments/cli/flags/when.ts';
import { result } from '../../../payments/cli/result.ts';
import { instantOf } from '../../../payments/lists/period.ts';
import type { Missed } from '../../intake/backfill.ts';
import { missedEventShape, NOT_WHOLE } from '../../shapes.ts';
import { openInboxFor } from '../open-inbox.ts';
import { urlIn } from './listen/listen-flags.ts';

type Row = DataOf<typeof missedEventShape>;

const view: View<Row> = {
  shape: missedEventShape,
  empty: 'nothing was missed',
  columns: [
    { name: 'happened_at', head: 'happened', get: (row) => row.happened_at },
    { name: 'event', get: (row) => row.event },
    { name: 'object_id', head: 'object', priority: 1, get: (row) => row.object_id },
    { name: 'recovered', get: (row) => (row.recovered ? 'yes' : `no: ${NOT_WHOLE}`) },
    { name: 'id', priority: 2, get: (row) => row.id },
  ],
};

export const command = defineCommand({
  description: `Compares the inbox with the service's log of deliveries, by event, object and body. What is missing is stored, marked as recovered, and waits for the listener, which hands it on. \`remit webhooks listen\` does the same when it starts. It looks at --public-url, and at endpoints that have sent something before.`,
  flags: {
    since: {
      value: 'date',
      summary:
        'a day, a time, or an age: 2026-11-21, 2h, 3d; if you do not say, the last comparison, or a day ago',
    },
    publicUrl: { value: 'url', summary: 'the registered URL (or REMIT_PUBLIC_URL)' },
    webhook: { value: 'id', summary: 'this endpoint only' },
    noHandOn: { summary: 'store what was missed, and do not hand it on' },
    ...storeFlags,
  },
  shows: [view],
  effect: 'read',
  local: 'write',
  exits: [exitCodes.failed],
  examples: [
    'remit webhooks backfill --since 2d',
    'remit webhooks backfill --public-url https://example.com/hooks',
  ],
  read(input) {
    const since = input.flags.since;
    if (since !== undefined) readWhen(since, 'since');
    const publicUrl = urlIn(input.flags.publicUrl, '--public-url');
    const webhook = input.flags.webhook;
    if (publicUrl !== undefined && webhook !== undefined)
      throw usage('--public-url and --webhook exclude each other');
    return { since, publicUrl, webhook, handOn: !input.flags.noHandOn, store: readStore(input) };
  },
  async run(context, { since, publicUrl, webhook, handOn, store }) {
    const [{ catchUp, comparedWords, gapSentence }, { serviceNow }] = await Promise.all([
      import('../../catch-up.ts'),
      import('../../../payments/service-time.ts'),
    ]);
    const { inbox } = await openInboxFor(context, store);
    const done = await catchUp(context, {
      inbox,
      since:
        since === undefined
          ? undefined
          : instantOf(readWhen(since, 'since'), {
              now: await serviceNow(context),
              zone: context.zone,
              toEnd: false,
            }),
      publicUrl: publicUrl ?? context.process.env.REMIT_PUBLIC_URL,
      webhook,
      wanted: () => handOn,
    });
    const rows = done.missed.map(shown);
    const looked = comparedWords(done);
    const notes = [done.gap ? `${gapSentence(done.gap)}; ${looked}` : looked];
    const lost = rows.some(({ recovered }) => !recovered);
    return result(view, rows, { notes, exit: lost ? exitCodes.failed : exitCodes.ok });
  },
});

const shown = ({ at, event, objectId, id }: Missed): Row => ({
  happened_at: isoTime(at),
  event,
  object_id: objectId,
  recovered: id !== null,
  id,
});
