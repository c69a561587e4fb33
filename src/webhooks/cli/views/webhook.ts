import type { WebhookDefinition } from '../../../contract/resources/webhook.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { webhookShape } from '../../shapes.ts';

export const endpointView: View<WebhookDefinition> = {
  shape: webhookShape,
  empty: 'no endpoints registered',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'url', least: 20, get: (row) => row.url },
    { name: 'events', priority: 1, least: 12, get: (row) => eventsText(row.events ?? []) },
  ],
  details: (row) => [
    ['webhook', row.id],
    ['url', row.url],
    ['events', (row.events ?? []).join(', ')],
  ],
};

const eventsText = (events: string[]): string =>
  events.length > 3 ? `${events.length} events` : events.join(', ');
