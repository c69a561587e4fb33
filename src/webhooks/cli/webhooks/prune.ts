/** Makes the inbox smaller. What waits is never deleted; that a delivery was here is remembered. */

import { toCell, type View } from '../../../frame/terminal/view.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { readStore, storeFlags } from '../../../payments/cli/flags/store.ts';
import { result } from '../../../payments/cli/result.ts';
import type { OpenedInbox } from '../../open-inbox.ts';
import { prunedShape } from '../../shapes.ts';
import { before } from '../flags/deliveries.ts';
import { openInboxFor } from '../open-inbox.ts';

type Space = Awaited<ReturnType<OpenedInbox['inbox']['giveBack']>>;

interface Pruned {
  pruned: number;
  older_than: string;
  /** The fate of the space that they took. */
  space: Space;
}

const NOTES: Partial<Record<Space, string>> = {
  in_use: 'the file is in use and keeps its size: run this again when no listener uses it',
  no_room: 'the file keeps its size: the disk has no room to write it again; make room, and run this again',
};

const view: View<Pruned> = {
  shape: prunedShape,
  columns: [
    { name: 'pruned', right: true, get: (row) => toCell(row.pruned) },
    { name: 'older_than', head: 'older than', get: (row) => row.older_than },
    { name: 'space', get: (row) => row.space },
  ],
};

export const command = defineCommand({
  description: `Deletes deliveries received before then, with their bodies. Deliveries that wait to be handed on stay; dead letters stay too, unless --dead-letters. Nonces are remembered, so that a copy is still recognised: a signature has no timestamp, and works again once its nonce is forgotten. Use --forget-nonces only after you changed the secret; nonces that an earlier run remembered stay. The file shrinks, unless a listener uses it.`,
  flags: {
    olderThan: { value: 'age', summary: 'such as 30d or 12h' },
    deadLetters: { summary: 'delete dead letters too (those that were given up)' },
    forgetNonces: { summary: 'forget their nonces too' },
    ...storeFlags,
  },
  shows: [view],
  local: 'destructive',
  examples: ['remit webhooks prune --older-than 90d'],
  read(input) {
    const olderThan = input.flags.olderThan ?? '';
    before(olderThan, 0);
    return {
      olderThan,
      deadLetters: input.flags.deadLetters,
      forget: input.flags.forgetNonces,
      store: readStore(input),
    };
  },
  async run(context, { olderThan, deadLetters, forget, store }) {
    const { inbox } = await openInboxFor(context, store);
    const until = before(olderThan, context.process.clock.now());
    const pruned = await inbox.prune({ before: until, deadLetters, forget });
    const space = await inbox.giveBack();
    const notes = NOTES[space];
    return result<Pruned>(
      view,
      { pruned, older_than: new Date(until).toISOString(), space },
      { notes: notes ? [notes] : [] },
    );
  },
});
