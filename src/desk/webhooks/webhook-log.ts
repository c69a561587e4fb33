/** The service's log of deliveries as the backfill reads it: one page after the other, whatever their size. */

import { type ListAnswer, pages } from '../../client/pages.ts';
import { listWebhookLogs } from '../../contract/operations/logs.ts';
import { listWebhooks } from '../../contract/operations/webhooks.ts';
import type { WebhookLog } from '../../contract/resources/log.ts';
import type { LoggedTry } from '../../intake/backfill.ts';
import type { Desk } from '../desk.ts';

const DAY_MS = 86_400_000;
/** The most that the service is known to give; one that gives fewer is read to its end all the same. */
const PER_PAGE = 100;

/** Filters may know whole days only, and of another time zone: a day more is asked for, and the rest decided here. */
export async function* readLog(desk: Desk, since: number): AsyncGenerator<LoggedTry[]> {
  const client = await desk.client();
  const from = new Date(since - DAY_MS).toISOString().slice(0, 10);
  let before = '';
  for (let page: number | null = 1; page !== null; ) {
    const query = { per: PER_PAGE, created_at_from: from, page };
    const answer: ListAnswer<WebhookLog> = await client.call(listWebhookLogs, { query });
    const ids = answer.object.map(({ id }) => id).join();
    if (ids === '' || ids === before) return;
    yield answer.object.flatMap(tryOf);
    before = ids;
    page = nextOf(answer, page);
  }
}

/**
 * Where the service says nothing about pages, a short one may be its own most: only an empty page, or the same one again, is
 * the end.
 */
function nextOf({ meta }: ListAnswer<WebhookLog>, page: number): number | null {
  const pagination = meta?.pagination;
  return pagination && 'next_page' in pagination ? (pagination.next_page ?? null) : page + 1;
}

function tryOf({ created_at, metadata }: WebhookLog): LoggedTry[] {
  const at = Date.parse(created_at ?? '');
  if (Number.isNaN(at) || !metadata) return [];
  const { params, event, instance_id, request } = metadata;
  return [
    {
      at,
      webhook: typeof params?.id === 'string' ? params.id : '',
      event: event ?? '',
      objectId: instance_id ?? '',
      url: request?.url ?? (typeof params?.url === 'string' ? params.url : ''),
      body: request?.body ?? null,
      headers: textsOf(request?.headers ?? {}),
    },
  ];
}

const textsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Definitions that point to this URL. */
export async function definitionsAt(desk: Desk, url: string): Promise<string[]> {
  const client = await desk.client();
  const ids: string[] = [];
  for await (const page of pages(client, listWebhooks)) {
    for (const one of page) if (one.url === url && one.id) ids.push(one.id);
  }
  return ids;
}
