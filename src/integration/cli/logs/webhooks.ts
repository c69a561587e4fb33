import { listWebhookLogs } from '../../../contract/operations/logs.ts';
import type { WebhookLog } from '../../../contract/resources/log.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { dateFlags, listFlags, readDates, readLimits } from '../../../payments/cli/flags/listing.ts';
import { showList } from '../../../payments/cli/output/show-list.ts';
import { siftBy } from '../../../payments/lists/sifting.ts';
import { webhookLogView } from '../views/log.ts';

export const command = defineCommand({
  description:
    'The service filters by day. remit applies the other filters itself: it says how many records it searched, and for a table on a terminal it stops after 2,000.',
  flags: {
    event: { value: 'name', summary: 'only this event, such as recipient.error' },
    failed: { summary: 'only deliveries that your endpoint did not accept' },
    ...dateFlags,
    ...listFlags,
  },
  shows: [webhookLogView],
  isTabular: true,
  effect: 'read',
  examples: ['remit logs webhooks --failed', 'remit logs webhooks --event recipient.error --limit 5'],
  read: (input) => ({
    event: input.flags.event,
    failed: input.flags.failed,
    dates: readDates(input),
    limits: readLimits(input),
  }),
  run: (context, { event, failed, dates, limits }) =>
    showList(context, {
      view: webhookLogView,
      operation: listWebhookLogs,
      what: 'deliveries',
      seen: ({ id }) => [{ kind: 'log', id: id ?? '' }],
      query: { ...dates },
      limits,
      sift: siftBy<WebhookLog>({
        event: event === undefined ? undefined : (log) => log.metadata?.event === event,
        failed: failed ? (log) => !succeeded(log) : undefined,
      }),
    }),
});

const succeeded = (log: WebhookLog): boolean => /^2\d\d/.test(log.metadata?.response?.status ?? '');
