import type { ApiLog, WebhookLog } from '../../../contract/resources/log.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import { apiLogShape } from '../../../payments/shapes/service.ts';
import { webhookLogShape } from '../../../webhooks/shapes.ts';

/** The nonce of a logged request, under whatever name its header is kept. */
export function nonceOf(log: ApiLog): string | null {
  for (const [name, value] of Object.entries(log.request_headers ?? {})) {
    if (/^(?:HTTP_)?AUTHORIZATION[_-]NONCE$/i.test(name)) return String(value);
  }
  return null;
}

/** Returns the path of a request to the service, without the host. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

export const apiLogView: View<ApiLog> = {
  shape: apiLogShape,
  empty: 'no requests logged',
  columns: [
    { name: 'created_at', head: 'TIME', time: true, get: (row) => row.created_at },
    { name: 'request_method', head: 'METHOD', get: (row) => row.request_method },
    {
      name: 'request_url',
      head: 'URL',
      priority: 1,
      least: 20,
      brief: pathOf,
      get: (row) => row.request_url,
    },
    { name: 'response_status', head: 'STATUS', get: (row) => row.response_status },
    { name: 'request_id', priority: 3, id: true, get: nonceOf },
    { name: 'id', priority: 2, id: true, get: (row) => row.id },
  ],
  details: (row) => [
    ['log', row.id],
    ['time', row.created_at],
    ['request', `${row.request_method ?? ''} ${row.request_url ?? ''}`],
    ['request id', nonceOf(row)],
    ['request body', row.request_body],
    ['status', row.response_status],
    ['answer', row.response_body],
  ],
};

export const webhookLogView: View<WebhookLog> = {
  shape: webhookLogShape,
  empty: 'no deliveries logged',
  columns: [
    { name: 'created_at', head: 'TIME', time: true, get: (row) => row.created_at },
    { name: 'event', get: (row) => row.metadata?.event },
    { name: 'instance_id', head: 'OBJECT', priority: 2, id: true, get: (row) => row.metadata?.instance_id },
    { name: 'tries', right: true, priority: 1, get: (row) => toCell(row.metadata?.tries) },
    { name: 'status', get: (row) => row.metadata?.response?.status },
    { name: 'url', priority: 4, least: 20, get: (row) => row.metadata?.request?.url },
    { name: 'id', priority: 3, id: true, get: (row) => row.id },
  ],
  details: (row) => [
    ['log', row.id],
    ['time', row.created_at],
    ['message', row.message],
    ['event', row.metadata?.event],
    ['object', [row.metadata?.instance_type, row.metadata?.instance_id].filter(Boolean).join(' ')],
    ['try', toCell(row.metadata?.tries)],
    ['sent to', row.metadata?.request?.url],
    ['body', row.metadata?.request?.body],
    ['answer', [row.metadata?.response?.status, row.metadata?.response?.body].filter(Boolean).join('  ')],
  ],
};
