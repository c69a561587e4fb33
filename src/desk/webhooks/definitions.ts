/**
 * Registers and removes endpoints. It moves no money, so no intent is kept. If the process dies, or the answer is lost, the endpoints
 * are listed and compared before anything is claimed; for a removal, gone is gone.
 */

import { ApiError } from '../../client/errors.ts';
import { pages } from '../../client/pages.ts';
import { eventNames } from '../../contract/events.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
} from '../../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../../contract/resources/webhook.ts';
import { said } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';
import { idOf } from '../lookup/id-of.ts';
import { readOne } from '../lookup/read-one.ts';
import type { Pass, Step } from '../payments/gate.ts';
import { plainWrite } from '../payments/plain-write.ts';

export interface Registration {
  url: string;
  events: string[];
  metadata?: Record<string, unknown>;
}

export const registrationStep = ({ url, events }: Registration): Step => ({
  effect: 'write',
  what: [`register ${url} for ${events.length} events`],
});

export async function register(desk: Desk, pass: Pass, webhook: Registration): Promise<WebhookDefinition> {
  const isIt = (one: WebhookDefinition): boolean =>
    one.url === webhook.url && sameEvents(one.events ?? [], webhook.events);
  const expect = ({ object }: { object: WebhookDefinition }) =>
    object.id && isIt(object) ? undefined : 'the answer is not the endpoint that was asked for';
  const written = await plainWrite<WebhookDefinition>(desk, pass, {
    send: async (client) => (await client.call(createWebhook, { body: { webhook }, expect })).object,
    async look(client) {
      for await (const page of pages(client, listWebhooks)) {
        const found = page.find(isIt);
        if (found) return { kind: 'applied', value: found };
      }
      return { kind: 'absent' };
    },
    // A second one would stand beside the first, and every delivery come twice.
    repeatable: false,
    next: said`${{ do: 'list_webhooks' }}`,
  });
  return written.value;
}

/** @throws Problem (not found) */
export const findWebhook = (desk: Desk, id: string): Promise<WebhookDefinition> =>
  readOne(desk, getWebhook, id, {
    thing: 'endpoint',
    next: said`${{ do: 'list_webhooks' }} shows them`,
  });

export const removalStep = ({ url }: WebhookDefinition): Step => ({
  effect: 'destructive',
  what: [`remove ${url}`],
});

export async function removeWebhook(desk: Desk, pass: Pass, endpoint: WebhookDefinition): Promise<void> {
  const path = { webhook_id: idOf(endpoint, 'endpoint') };
  await plainWrite<WebhookDefinition>(desk, pass, {
    send: async (client) => (await client.call(deleteWebhook, { path })).object,
    // Gone is what was asked for: a 404 may be the answer to a copy of our own request.
    async look(client) {
      try {
        await client.call(getWebhook, { path });
        return { kind: 'absent' };
      } catch (error) {
        if (isGone(error)) return { kind: 'applied', value: endpoint };
        throw error;
      }
    },
    repeatable: true,
    effect: 'destructive',
    next: said`${{ do: 'list_webhooks' }}`,
  });
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.kind === 'not_found';

const sameEvents = (a: string[], b: string[]): boolean => [...a].sort().join() === [...b].sort().join();

/** Names that the service does not have are refused: an endpoint that waits for a misspelt event waits for ever. */
export function checkEvents(names: readonly string[]): string[] {
  const unknown = names.filter((name) => !(eventNames as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw usage(
      `there is no event called ${unknown.join(', ')}`,
      said`${{ do: 'list_event_names' }} lists them`,
    );
  return names.length > 0 ? [...names] : [...eventNames];
}
