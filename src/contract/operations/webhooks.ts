import * as z from 'zod/mini';
import { listOf, single } from '../resources/common.ts';
import { webhookDefinition, webhookRequest } from '../resources/webhook.ts';
import { operation, page, readOperation } from './operation.ts';

const answer = single(webhookDefinition);

export const listWebhooks = readOperation({
  id: 'webhooks.list',
  wireId: 'get-webhooks',
  path: '/webhooks',
  summary: 'Registered webhook endpoints',
  query: page,
  answer: listOf(webhookDefinition),
  paging: 'envelope',
});

export const createWebhook = operation({
  id: 'webhooks.create',
  wireId: 'post-webhooks',
  method: 'POST',
  path: '/webhooks',
  summary: 'Register a webhook endpoint',
  body: webhookRequest,
  answer,
  status: 201,
  failures: [422],
  effect: 'write',
  settle: 'list',
});

export const getWebhook = readOperation({
  id: 'webhooks.get',
  wireId: 'get-webhook',
  path: '/webhooks/{webhook_id}',
  summary: 'One registered webhook endpoint',
  answer,
  failures: [404],
});

export const deleteWebhook = operation({
  id: 'webhooks.delete',
  wireId: 'delete-webhook',
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  summary: 'Remove a webhook endpoint',
  answer,
  effect: 'destructive',
  settle: 'resource',
});

export const listWebhookEvents = readOperation({
  id: 'webhooks.events',
  wireId: 'get-webhook-events',
  path: '/webhooks/events',
  summary: 'Names of the events that can be received',
  answer: z.looseObject({ object: z.array(z.string()) }),
});
