/**
 * Registers and removes endpoints. It moves no money, so no intent is kept. If the process dies, or the answer is lost, the endpoints
 * are listed and compared before anything is claimed; for a removal, gone is gone.
 */

import { planWebhookCreate, planWebhookDelete, type Registration } from '../client/endpoint-plans.ts';
import { eventNames } from '../contract/events.ts';
import { getWebhook } from '../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../contract/resources/webhook.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import { byName, type Confirmation } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import type { WritePermit, WriteStep } from '../payments/gate.ts';
import { idOf } from '../payments/lookup/id-of.ts';
import { readOne } from '../payments/lookup/read-one.ts';
import type { Use } from '../payments/lookup/transaction.ts';
import { plainWrite } from '../payments/plain-write.ts';

/** By its host, or the whole of it. */
const confirmUrl = (url: string): Confirmation =>
  byName(URL.canParse(url) ? new URL(url).hostname : url, url);

export const registrationStep = ({ url, events }: Registration): WriteStep => ({
  effect: 'write',
  what: [`register ${url} for ${events.length} events`],
  confirm: confirmUrl(url),
});

export async function register(
  desk: Desk,
  permit: WritePermit,
  webhook: Registration,
): Promise<WebhookDefinition> {
  const written = await plainWrite<WebhookDefinition>(desk, permit, {
    plan: (client) => planWebhookCreate(client, webhook),
    next: hint`${{ do: 'list_webhooks' }}`,
  });
  return written.value;
}

/** @throws Problem (not found) */
export const findWebhook = (desk: Desk, id: string, use: Use): Promise<WebhookDefinition> =>
  readOne(desk, getWebhook, id, {
    thing: 'endpoint',
    kind: 'webhook',
    use,
    next: hint`${{ do: 'list_webhooks' }} shows them`,
  });

export const removalStep = ({ url }: WebhookDefinition): WriteStep => ({
  effect: 'destructive',
  what: [`remove ${url}`],
  confirm: confirmUrl(url ?? ''),
});

export async function removeWebhook(
  desk: Desk,
  permit: WritePermit,
  endpoint: WebhookDefinition,
): Promise<void> {
  const id = idOf(endpoint, 'endpoint');
  await plainWrite<WebhookDefinition>(desk, permit, {
    plan: (client) => planWebhookDelete(client, { ...endpoint, id }),
    effect: 'destructive',
    next: hint`${{ do: 'list_webhooks' }}`,
  });
}

/** Names that the service does not have are refused: an endpoint that waits for a misspelt event waits for ever. */
export function checkEvents(names: readonly string[]): string[] {
  const unknown = names.filter((name) => !(eventNames as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw usage(
      `there is no event called ${unknown.join(', ')}`,
      hint`${{ do: 'list_event_names' }} lists them`,
    );
  return names.length > 0 ? [...names] : [...eventNames];
}
