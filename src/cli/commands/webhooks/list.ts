import { listWebhooks } from '../../../contract/operations/webhooks.ts';
import { command, result } from '../../command.ts';
import { collect, type Limits, listFlags, readLimits } from '../../listing.ts';
import { webhookView } from '../../views/webhook.ts';

export { list as command };

const list = command<{ limits: Limits }>({
  flags: listFlags,
  examples: ['remit webhooks list'],
  read: (input) => ({ limits: readLimits(input) }),
  async run(context, { limits }) {
    return result(webhookView, await collect(await context.client(), listWebhooks, {}, limits));
  },
});
