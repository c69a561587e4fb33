/** One delivery of the inbox, with its headers and body; nonce and signature are cut short. */

import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { readStore, storeFlags } from '../../../payments/cli/flags/store.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import { findDelivery, type InboxMatch } from '../../in-inbox.ts';
import { shownWhole } from '../../shown.ts';
import { openInboxFor } from '../open-inbox.ts';
import { deliveryView } from '../views/received.ts';

export const command = defineCommand({
  description: `Shows the headers and body as they came, also of a delivery that did not verify. --save writes them to a file that only you can read, for remit webhooks verify --delivery FILE. The file holds the signature: a handler that does not remember nonces would accept it again.`,
  args: [
    {
      name: 'ID',
      summary: 'from remit webhooks events; its last eight characters, as the table shows them, are enough',
    },
  ],
  flags: {
    save: { value: 'path', summary: 'write it whole to this file, for remit webhooks verify --delivery' },
    raw: { summary: 'print the body, byte for byte, and nothing else' },
    ...storeFlags,
  },
  shows: [deliveryView],
  examples: ['remit webhooks show 0198f3c2', 'remit webhooks show 0198f3c2 --raw | jq .object.state'],
  read: (input) => ({
    id: input.args[0] ?? '',
    save: input.flags.save,
    raw: input.flags.raw,
    store: readStore(input),
  }),
  async run(context, { id, save, raw, store }) {
    const { inbox } = await openInboxFor(context, store);
    const found = await findDelivery(inbox, id);
    if (raw) return printRaw(context, found);
    const notes = save === undefined ? [] : [await saveTo(context, save, found)];
    return result(deliveryView, shownWhole(found), { notes });
  },
});

async function printRaw({ streams }: Context, { kept, refused }: InboxMatch): Promise<Result> {
  const { escapeHostile } = await import('../../../core/escape.ts');
  const bytes = Buffer.from((kept ?? refused).body);
  if (streams.stdoutIsTerminal) streams.out(`${escapeHostile(bytes.toString('utf8'))}\n`);
  else streams.stdout.write(bytes);
  return { done: true };
}

async function saveTo({ process }: Context, path: string, { kept, refused }: InboxMatch): Promise<string> {
  const [{ writeFile }, { resolve }, { writeDeliveryFile }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
    import('../../intake/delivery-file.ts'),
  ]);
  const { id, receivedAt, url, headers, body } = kept ?? refused;
  const target = refused?.target ?? new URL(url).pathname + new URL(url).search;
  const text = writeDeliveryFile({ id, receivedAt, url, method: 'POST', target, headers, body });
  await writeFile(resolve(process.cwd, path), text, { mode: 0o600, flag: 'wx' });
  return `saved to ${path}: it holds the signature, keep it to yourself`;
}
