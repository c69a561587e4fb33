/** Makes the inbox smaller. What waits is never deleted; that a delivery was here is remembered. */
import { command, flagOn, flagText, result } from '../../command.ts';
import { before } from '../../intake/in-inbox.ts';
import { openInbox, readStore, type StoreChoice, storeFlags } from '../../intake/open-inbox.ts';
import { text, type View } from '../../view.ts';

export interface PruneOptions {
  olderThan: string;
  deadLetters: boolean;
  forget: boolean;
  store: StoreChoice;
}

export { prune as command };

interface Pruned {
  pruned: number;
  older_than: string;
}

const view: View<Pruned> = {
  kind: 'pruned',
  columns: [
    { name: 'pruned', right: true, get: (row) => text(row.pruned) },
    { name: 'older_than', head: 'older than', get: (row) => row.older_than },
  ],
};

const prune = command<PruneOptions>({
  description: `Deletes deliveries received before then, with their bodies. What waits to be
handed on stays, dead letters too unless --dead-letters. Their nonces are
remembered, so that a copy is still known as one: the scheme has no timestamp,
and a forgotten nonce is a signature that works again. --forget-nonces is for
those who have changed the secret since.`,
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
    return result<Pruned>(view, { pruned, older_than: new Date(until).toISOString() });
  },
});
