/**
 * The registration of a listener at the service: made where it may be, taken away at the end, and one that an earlier run left
 * behind (it was killed) goes at the next start.
 */
import { hostname } from 'node:os';
import type { Context } from '../../cli/context.ts';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { pages } from '../../client/pages.ts';
import { deleteWebhook, listWebhooks } from '../../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../../contract/resources/webhook.ts';
import { isAlive } from '../../profiles/alive.ts';
import { guard } from '../payments/gate.ts';
import { asFailure } from '../problem-of.ts';
import { register } from './definitions.ts';

export async function registerOwn(
  context: Context,
  url: string,
  events: string[],
): Promise<WebhookDefinition> {
  const client = await context.client();
  await removeStale(context, client);
  await guard(context, { effect: 'write', what: [`register ${url} for ${events.length} events`] });
  return register(context, {
    url,
    events,
    metadata: { remit_listen: { host: hostname(), pid: context.world.pid } },
  });
}

/** Registrations of `webhooks listen` on this machine whose process is gone. */
async function removeStale(context: Context, client: Client): Promise<void> {
  for await (const page of pages(client, listWebhooks)) {
    for (const endpoint of page) {
      const own = endpoint.metadata?.remit_listen as { host?: unknown; pid?: unknown } | undefined;
      if (own?.host !== hostname() || typeof own.pid !== 'number' || !endpoint.id) continue;
      // In a container every run has the same name and number: one with ours is of an earlier life.
      if (own.pid !== context.world.pid && isAlive(own.pid)) continue;
      await removeOwn(context, endpoint.id);
      context.note(`removed a registration that an earlier run left behind: ${endpoint.url}`);
    }
  }
}

export async function removeOwn(context: Context, id: string): Promise<void> {
  try {
    const client = await context.writingClient();
    await client.call(deleteWebhook, { path: { webhook_id: id } });
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') return;
    context.say(
      `remit: the registration ${id} could not be removed: ${asFailure(error).message}; remit webhooks remove ${id}`,
    );
  }
}
