import { listOf, single } from '../resources/common.ts';
import { apiLog, webhookLog } from '../resources/log.ts';
import { dates, page, readOperation } from './operation.ts';

export const listApiLogs = readOperation({
  id: 'api_logs.list',
  wireId: 'get-api-logs',
  path: '/api_logs',
  summary: 'Requests that the service received from us',
  query: [...page, ...dates],
  answer: listOf(apiLog),
  paging: 'envelope',
});

export const getApiLog = readOperation({
  id: 'api_logs.get',
  wireId: 'get-api-log',
  path: '/api_logs/{api_log_id}',
  summary: 'One request with its answer',
  answer: single(apiLog),
  failures: [404],
});

export const listWebhookLogs = readOperation({
  id: 'webhook_logs.list',
  wireId: 'get-webhook-logs',
  path: '/logs/webhooks',
  summary: 'Webhook deliveries that the service tried',
  query: [...page, ...dates],
  answer: listOf(webhookLog),
  paging: 'envelope',
});

export const getWebhookLog = readOperation({
  id: 'webhook_logs.get',
  wireId: 'get-webhook-log',
  path: '/logs/{webhook_log_id}',
  summary: 'One webhook delivery with its answer',
  answer: single(webhookLog),
  failures: [404],
});
