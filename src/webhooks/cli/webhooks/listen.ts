/** Receives, verifies, stores, shows and hands on webhooks, until Ctrl-C. */

import { defineCommand } from '../../../payments/cli/command.ts';
import { happenedShape, readyShape } from '../../../payments/shapes/machine.ts';
import { gapShape, listenShape, settledShape, stoppedShape } from '../../shapes.ts';
import { listenFlags, readListen } from './listen/listen-flags.ts';

export const command = defineCommand({
  description: `Each delivery is verified on its raw bytes against the registered URL, and stored before it is acknowledged. If a signature fails, remit names the cause. Duplicates are dropped. Handing on is tried again until your handler accepts; \`remit webhooks events\` shows the result. In a sandbox the listener registers itself, and removes the registration on Ctrl-C. What was missed since the last run is fetched from the service's log.`,
  flags: listenFlags,
  effect: 'write',
  local: 'write',
  tells: [readyShape, listenShape, settledShape, gapShape, stoppedShape, happenedShape],
  examples: [
    'remit webhooks listen',
    'remit webhooks listen --forward-to http://127.0.0.1:3000/hooks',
    'remit webhooks listen --events recipient.error,recipient.paid_out --exec "node on-webhook.js"',
    'remit webhooks listen -o ndjson | jq .data.event',
  ],
  read: readListen,
  async run(context, options) {
    const { listenUntilDone } = await import('./listen/session.ts');
    return listenUntilDone(context, options);
  },
});
