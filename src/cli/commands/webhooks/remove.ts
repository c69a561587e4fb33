/** Removes an endpoint. A lost answer is settled by asking for it again: gone is gone. */
import { ApiError } from '../../../client/errors.ts';
import { deleteWebhook, getWebhook } from '../../../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../../../contract/resources/webhook.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound, usage } from '../../../core/problem.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { plainWrite } from '../../../desk/payments/plain-write.ts';
import { command, result } from '../../command.ts';
import { webhookView } from '../../views/webhook.ts';

export { remove as command };

const remove = command<{ id: string }>({
  args: [{ name: 'ID', summary: 'the endpoint’s id, from remit webhooks list' }],
  shows: [webhookView],
  effect: 'destructive',
  examples: ['remit webhooks remove 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read(input) {
    const id = input.args[0] ?? '';
    if (!isUuid(id)) throw usage(`"${id}" is not an endpoint's id`, 'remit webhooks list shows them');
    return { id };
  },
  async run(context, { id }) {
    const client = await context.client();
    const path = { webhook_id: id };
    const endpoint = await client.call(getWebhook, { path }).catch((error) => {
      if (error instanceof ApiError && error.kind === 'not_found')
        throw notFound(`no endpoint ${id} on this account`, 'remit webhooks list shows them');
      throw error;
    });
    const pass = await admit(
      context,
      { effect: 'destructive', what: [`remove ${endpoint.object.url}`] },
      context.approver,
    );
    await plainWrite<WebhookDefinition>(context, pass, {
      send: async (writing) => (await writing.call(deleteWebhook, { path })).object,
      // Gone is what was asked for: a 404 may be the answer to a copy of our own request.
      async look(writing) {
        try {
          await writing.call(getWebhook, { path });
          return { kind: 'absent' };
        } catch (error) {
          if (error instanceof ApiError && error.kind === 'not_found')
            return { kind: 'applied', value: endpoint.object };
          throw error;
        }
      },
      repeatable: true,
      effect: 'destructive',
      next: 'remit webhooks list',
    });
    return result(webhookView, endpoint.object, { notes: ['removed'] });
  },
});
