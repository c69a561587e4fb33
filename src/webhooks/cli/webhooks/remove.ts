import { defineCommand } from '../../../payments/cli/command.ts';
import { readId } from '../../../payments/cli/flags/ids.ts';
import { result } from '../../../payments/cli/result.ts';
import { authorizeWrite } from '../../../payments/gate.ts';
import { findWebhook, removalStep, removeWebhook } from '../../definitions.ts';
import { endpointView } from '../views/webhook.ts';

export const command = defineCommand({
  args: [{ name: 'ID', summary: 'the endpoint’s id, from remit webhooks list' }],
  shows: [endpointView],
  effect: 'destructive',
  examples: ['remit webhooks remove 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: readId(input, 'endpoint', 'remit webhooks list shows them') }),
  async run(context, { id }) {
    const endpoint = await findWebhook(context, id, 'write');
    const permit = await authorizeWrite(context, removalStep(endpoint), context.confirmer);
    await removeWebhook(context, permit, endpoint);
    return result(endpointView, endpoint, { notes: ['removed'] });
  },
});
