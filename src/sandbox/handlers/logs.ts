import type { ApiLogRecord, Plain, WebhookLogRecord } from '../store/records.ts';
import { wireTime } from '../views/json.ts';
import { absent, badRequest, type Handler, ok } from './handler.ts';
import { listAnswer, queryPeriod, windowOf } from './paging.ts';
import { webhookView } from './webhooks.ts';

export const listApiLogs: Handler = (sandbox, { query }) => {
  const period = queryPeriod(query);
  if (!period) return badRequest;
  const window = windowOf(query);
  return listAnswer(sandbox.store.apiLogs.page(period, window), window, apiLogView);
};

export const getApiLog: Handler = (sandbox, { id }) => {
  const entry = sandbox.store.apiLogs.get(id);
  return entry ? ok(apiLogView(entry)) : absent;
};

export const listWebhookLogs: Handler = (sandbox, { query }) => {
  const period = queryPeriod(query);
  if (!period) return badRequest;
  const window = windowOf(query);
  return listAnswer(sandbox.store.webhookLogs.page(period, window), window, webhookLogView);
};

export const getWebhookLog: Handler = (sandbox, { id }) => {
  const entry = sandbox.store.webhookLogs.get(id);
  return entry ? ok(webhookLogView(entry)) : absent;
};

function apiLogView(entry: ApiLogRecord): Plain {
  return {
    id: entry.id,
    request_method: entry.method,
    request_url: entry.url,
    request_body: entry.body,
    request_headers: entry.headers,
    response_status: String(entry.status),
    response_body: entry.responseBody,
    response_headers: entry.responseHeaders,
    created_at: wireTime(entry.createdAt),
  };
}

function webhookLogView(entry: WebhookLogRecord): Plain {
  return {
    id: entry.id,
    message: entry.message,
    parent_id: entry.webhook.id,
    parent_type: 'Webhook',
    metadata: {
      params: webhookView(entry.webhook),
      event: entry.event,
      instance_id: entry.instanceId,
      instance_type: entry.instanceType,
      attempt_id: entry.attemptId,
      tries: entry.tries,
      request: { url: entry.webhook.url, headers: entry.requestHeaders, body: entry.requestBody },
      response: {
        status: entry.responseStatus,
        headers: entry.responseHeaders,
        body: entry.responseBody,
      },
      app_id: 'sandbox',
      api_key_id: 'sandbox',
    },
    created_at: wireTime(entry.createdAt),
  };
}
