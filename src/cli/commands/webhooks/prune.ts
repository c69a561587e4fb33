/** Makes the inbox smaller. What waits is never deleted; that a delivery was here is remembered. */
import type { InboxUpkeep } from '../../../core/ports/inbox.ts';
import type { StoreChoice } from '../../../desk/webhooks/open-inbox.ts';
import { openInbox } from '../../ask/open-inbox.ts';
import { command, result } from '../../command.ts';
import { before } from '../../flags/deliveries.ts';
import { flagOn, flagText } from '../../flags/flag.ts';
import { readStore, storeFlags } from '../../flags/store.ts';
import { text, type View } from '../../terminal/view.ts';

export interface PruneOptions {
  olderThan: string;
  deadLetters: boolean;
  forget: boolean;
  store: StoreChoice;
}

export { prune as command };

type Space = Awaited<ReturnType<InboxUpkeep['giveBack']>>;

interface Pruned {
  pruned: number;
  older_than: string;
  /** What became of the space that they took. */
  space: Space;
}

const NOTES: Partial<Record<Space, string>> = {
  in_use: 'the file is in use, and stays as large as it is: run this again while no listener uses it',
  no_room:
    'the file stays as large as it is: the disk has no room to write it anew; make some, and run this again',
};

const view: View<Pruned> = {
  kind: 'pruned',
  columns: [
    { name: 'pruned', right: true, get: (row) => text(row.pruned) },
    { name: 'older_than', head: 'older than', get: (row) => row.older_than },
    { name: 'space', get: (row) => row.space },
  ],
};

const prune = command<PruneOptions>({
  description: `Deletes deliveries received before then, with their bodies. What waits to be
handed on stays, dead letters too unless --dead-letters. Their nonces are
remembered, so that a copy is still known as one: the scheme has no timestamp,
and a forgotten nonce is a signature that works again. --forget-nonces is for
those who have changed the secret since; what an earlier run remembered stays.
A file gives its space back unless a listener uses it.`,
  flags: [
    { flags: '--older-than <age>', summary: 'such as 30d or 12h' },
    { flags: '--dead-letters', summary: 'those that were given up too' },
    { flags: '--forget-nonces', summary: 'forget that they were here' },
    ...storeFlags,
  ],
  shows: [view],
  examples: ['remit webhooks prune --older-than 90d'],
  read(input) {
    const olderThan = flagText(input, 'olderThan') ?? '';
    before(olderThan, 0);
    return {
      olderThan,
      deadLetters: flagOn(input, 'deadLetters'),
      forget: flagOn(input, 'forgetNonces'),
      store: readStore(input),
    };
  },
  async run(context, { olderThan, deadLetters, forget, store }) {
    const { inbox } = await openInbox(context, store);
    const until = before(olderThan, context.world.clock.now());
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
