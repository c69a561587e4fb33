/** Receives, verifies, keeps, tells and hands on webhooks, until Ctrl-C. */
import { command } from '../../command.ts';
import { type ListenOptions, listenFlags, readListen } from '../../listen/listen-flags.ts';

export { listen as command };

const listen = command<ListenOptions>({
  description: `Every delivery is verified on its raw bytes against the registered URL and kept
before it is acknowledged. Duplicates are dropped. What is handed on is tried
again until it is taken; \`remit webhooks events\` shows what became of it. In a
sandbox it registers itself, and takes that away on Ctrl-C. What was missed
since the last run is fetched from the service's log.`,
  flags: listenFlags,
  effect: 'write',
  examples: [
    'remit webhooks listen',
    'remit webhooks listen --forward-to http://127.0.0.1:3000/hooks',
    'remit webhooks listen --events recipient.error,recipient.paid_out --exec "node on-webhook.js"',
    'remit webhooks listen -o ndjson | jq .data.event',
  ],
  read: readListen,
  async run(context, options) {
    const { listenUntilDone } = await import('../../listen/session.ts');
    return listenUntilDone(context, options);
  },
});
