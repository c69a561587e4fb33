import { listWebhooks } from '../../../contract/operations/webhooks.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { listFlags, readLimits } from '../../../payments/cli/flags/listing.ts';
import { showList } from '../../../payments/cli/output/show-list.ts';
import { endpointView } from '../views/webhook.ts';

export const command = defineCommand({
  flags: listFlags,
  shows: [endpointView],
  isTabular: true,
  effect: 'read',
  examples: ['remit webhooks list'],
  read: (input) => ({ limits: readLimits(input) }),
  async run(context, { limits }) {
    return showList(context, {
      view: endpointView,
      operation: listWebhooks,
      what: 'webhooks',
      seen: ({ id }) => [{ kind: 'webhook', id: id ?? '' }],
      query: {},
      limits,
    });
  },
});
