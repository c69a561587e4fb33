import { ApiError } from '../../../client/errors.ts';
import { getApiLog, getWebhookLog } from '../../../contract/operations/logs.ts';
import { notFound } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { fullId } from '../../../payments/lookup/transaction.ts';
import { apiLogView, webhookLogView } from '../views/log.ts';

export const command = defineCommand({
  description: 'Finds the record among API logs first, then among webhook logs.',
  args: [{ name: 'ID', summary: 'the log’s id' }],
  shows: [apiLogView, webhookLogView],
  effect: 'read',
  examples: ['remit logs show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id: given }) {
    const id = await fullId(context, given, 'log', 'read');
    const client = await context.client();
    const api = await orMissing(() => client.call(getApiLog, { path: { api_log_id: id } }));
    if (api) return result(apiLogView, api.object);
    const webhook = await orMissing(() => client.call(getWebhookLog, { path: { webhook_log_id: id } }));
    if (webhook) return result(webhookLogView, webhook.object);
    throw notFound(`no log ${id} on this account`, 'remit logs api and remit logs webhooks list them');
  },
});

async function orMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
