/** Endpoints for webhooks, as plans: registered once, and gone when they are removed. */

import { createWebhook, deleteWebhook, getWebhook, listWebhooks } from '../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../contract/resources/webhook.ts';
import type { Client } from './client.ts';
import type { PlainPlan } from './directory-plans.ts';
import { ApiError } from './errors.ts';
import { pages } from './pages.ts';
import { sending } from './sending.ts';

export interface Registration {
  url: string;
  events: string[];
  metadata?: Record<string, unknown>;
}

export function planWebhookCreate(client: Client, webhook: Registration): PlainPlan<WebhookDefinition> {
  const body = { webhook };
  const isIt = (one: WebhookDefinition): boolean =>
    Boolean(one.id) && one.url === webhook.url && sameEvents(one.events ?? [], webhook.events);
  const expect = ({ object }: { object: WebhookDefinition }) =>
    isIt(object) ? undefined : 'the answer is not the endpoint that was asked for';
  return {
    // A second one would stand beside the first, and every delivery come twice.
    repeatable: false,
    ...sending(client, createWebhook, { body, expect }),
    async look() {
      for await (const page of pages(client, listWebhooks)) {
        const value = page.find(isIt);
        if (value) return { kind: 'applied', value };
      }
      return { kind: 'absent' };
    },
  };
}

const sameEvents = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join() === [...b].sort().join();

/** `endpoint` as it read before, where that is known. */
export function planWebhookDelete(
  client: Client,
  endpoint: WebhookDefinition & { id: string },
): PlainPlan<WebhookDefinition> {
  const path = { webhook_id: endpoint.id };
  return {
    repeatable: true,
    ...sending(client, deleteWebhook, { path }),
    // Gone is what was asked for: a 404 may be the answer to a copy of our own request.
    async look() {
      try {
        await client.call(getWebhook, { path });
        return { kind: 'absent' };
      } catch (error) {
        if (error instanceof ApiError && error.kind === 'not_found')
          return { kind: 'applied', value: endpoint };
        throw error;
      }
    },
  };
}
