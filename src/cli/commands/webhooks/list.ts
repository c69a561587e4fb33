import { listWebhooks } from '../../../contract/operations/webhooks.ts';
import { command } from '../../command.ts';
import { type AskedLimit, listFlags, readLimits } from '../../flags/listing.ts';
import { showList } from '../../output/show-list.ts';
import { webhookView } from '../../views/webhook.ts';

export { list as command };

const list = command({
  flags: listFlags,
  shows: [webhookView],
  isTabular: true,
  effect: 'read',
  examples: ['remit webhooks list'],
  read: (input): { limits: AskedLimit } => ({ limits: readLimits(input) }),
  async run(context, { limits }) {
    return showList(context, {
      view: webhookView,
      operation: listWebhooks,
      what: 'webhooks',
      seen: ({ id }) => [{ kind: 'webhook', id: id ?? '' }],
      query: {},
      limits,
    });
  },
});
