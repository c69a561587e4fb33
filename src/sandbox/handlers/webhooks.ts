import { eventNames, isEventName } from '../../contract/events.ts';
import { isLoopback } from '../../core/hosts.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, readMap, requireText } from '../rules/reading.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { Plain, WebhookRecord } from '../store/records.ts';
import { absent, created, type Handler, ok, refused } from './handler.ts';
import { listAnswer, windowOf } from './paging.ts';

/** `state` is told only of an endpoint that was switched off. */
export function webhookView({ id, url, events, metadata, enabled }: WebhookRecord): Plain {
  return { id, url, events, metadata, ...(enabled ? {} : { state: 'disabled' }) };
}

export const listWebhooks: Handler = (sandbox, { query }) => {
  const window = windowOf(query);
  return listAnswer(sandbox.store.webhooks.page(window), window, webhookView);
};

export const getWebhook: Handler = (sandbox, { id }) => {
  const webhook = sandbox.store.webhooks.get(id);
  return webhook ? ok(webhookView(webhook)) : absent;
};

export const deleteWebhook: Handler = (sandbox, { id }) => {
  const webhook = sandbox.store.webhooks.get(id);
  if (!webhook) return absent;
  sandbox.store.webhooks.remove(id);
  return ok(webhookView(webhook));
};

export const listWebhookEvents: Handler = () => ok(eventNames);

export const createWebhook: Handler = (sandbox, { body }) => {
  const sent = isPlain(body.webhook) ? body.webhook : {};
  const problems = new Problems();
  const url = readUrl(sandbox, sent.url, problems);
  const events = readEvents(sent.events, problems);
  const metadata = readMap(sent.metadata, 'metadata', problems);
  if (url === null || problems.any) return refused({ ...sent, errors: problems.wire });
  const webhook: WebhookRecord = {
    id: newId(sandbox),
    url,
    events,
    metadata,
    createdAt: sandbox.clock.now(),
    enabled: true,
  };
  sandbox.store.webhooks.insert(webhook);
  return created(webhookView(webhook));
};

/** A sandbox reaches this machine, and other hosts only when it was started with their names. */
function readUrl({ deliverTo }: SandboxState, value: unknown, problems: Problems): string | null {
  const text = requireText(value, 'url', problems);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const web = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !web || url.username || url.password || url.hash) problems.add('url', 'invalid');
  else if (!isAllowedHost(url.hostname, deliverTo)) {
    problems.add('url', 'invalid').say(`the sandbox delivers to this machine only, not to ${url.hostname}`);
  }
  return text;
}

function readEvents(value: unknown, problems: Problems): string[] {
  if (isBlank(value) || (Array.isArray(value) && value.length === 0)) problems.add('events', 'blank');
  else if (!Array.isArray(value)) problems.add('events', 'invalid');
  const names = Array.isArray(value) ? value : [];
  const known = names.filter((name): name is string => typeof name === 'string' && isEventName(name));
  if (known.length < names.length) problems.add('events', 'invalid');
  return [...new Set(known)];
}

/** Where webhooks may go. @assumes webhook-hosts */
function isAllowedHost(hostname: string, deliverTo: readonly string[]): boolean {
  return isLoopback(hostname) || deliverTo.some((host) => host.toLowerCase() === hostname.toLowerCase());
}
