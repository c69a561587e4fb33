/**
 * The registration of a listener at the service: made where it may be, taken away at the end, and one that an earlier run left
 * behind (it was killed) goes at the next start.
 */
import { hostname } from 'node:os';
import { ApiError } from '../client/errors.ts';
import { pages } from '../client/pages.ts';
import { deleteWebhook, listWebhooks } from '../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../contract/resources/webhook.ts';
import { hint } from '../core/next.ts';
import { type Desk, note, tell } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer, checkPass, type WritePermit } from '../payments/gate.ts';
import { problemOf } from '../payments/problem-of.ts';
import { isAlive } from '../profiles/worker.ts';
import { register, registrationStep } from './definitions.ts';

export async function registerOwn(
  desk: Desk,
  confirmer: Confirmer,
  { url, events }: { url: string; events: string[] },
): Promise<{ endpoint: WebhookDefinition; remove: () => Promise<void> }> {
  const permit = await authorizeWrite(desk, registrationStep({ url, events }), confirmer);
  await removeStale(desk, permit);
  const endpoint = await register(desk, permit, {
    url,
    events,
    metadata: { remit_listen: { host: hostname(), pid: desk.machine.pid } },
  });
  return {
    endpoint,
    remove: async () => {
      if (endpoint.id) await removeOwn(desk, permit, endpoint.id);
    },
  };
}

/** Registrations of `webhooks listen` on this machine whose process is gone. */
async function removeStale(desk: Desk, permit: WritePermit): Promise<void> {
  for await (const page of pages(await desk.client(), listWebhooks)) {
    for (const endpoint of page) {
      const own = endpoint.metadata?.remit_listen as { host?: unknown; pid?: unknown } | undefined;
      if (own?.host !== hostname() || typeof own.pid !== 'number' || !endpoint.id) continue;
      // In a container every run has the same name and number: one with ours is of an earlier life.
      if (own.pid !== desk.machine.pid && isAlive(own.pid)) continue;
      await removeOwn(desk, permit, endpoint.id);
      note(desk, `removed a registration that an earlier run left behind: ${endpoint.url}`);
    }
  }
}

/** Removes under the same pass: a user who may register an endpoint of their own may remove it. */
async function removeOwn(desk: Desk, permit: WritePermit, id: string): Promise<void> {
  await checkPass(desk, permit, 'write');
  try {
    const client = await desk.writingClient();
    await client.call(deleteWebhook, { path: { webhook_id: id } });
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') return;
    tell(
      desk,
      hint`remit: the registration ${id} could not be removed: ${problemOf(error).message}; ${{ do: 'remove_webhook', id }}`,
    );
  }
}
