import { listWebhookLogs } from '../../../contract/operations/logs.ts';
import type { WebhookLog } from '../../../contract/resources/log.ts';
import { command, flagOn, flagText, result } from '../../command.ts';
import { collect, dateFlags, type Limits, listFlags, readDates, readLimits } from '../../listing.ts';
import { webhookLogView } from '../../views/log.ts';

export interface WebhookLogOptions {
  event: string | undefined;
  failed: boolean;
  dates: { created_at_from?: string; created_at_to?: string };
  limits: Limits;
}

export { webhooks as command };

const LOOKED_THROUGH = 1_000;

const webhooks = command<WebhookLogOptions>({
  flags: [
    { flags: '--event <name>', summary: 'only this event, such as recipient.error' },
    { flags: '--failed', summary: 'only deliveries that were not answered with success' },
    ...dateFlags,
    ...listFlags,
  ],
  shows: [webhookLogView],
  effect: 'read',
  examples: ['remit logs webhooks --failed', 'remit logs webhooks --event recipient.error --limit 5'],
  read: (input) => ({
    event: flagText(input, 'event'),
    failed: flagOn(input, 'failed'),
    dates: readDates(input),
    limits: readLimits(input),
  }),
  async run(context, { event, failed, dates, limits }) {
    let looked = 0;
    const fits = (log: WebhookLog): boolean =>
      (event === undefined || log.metadata?.event === event) && (!failed || !succeeded(log));
    const keep = (log: WebhookLog): boolean | 'stop' => (looked++ < LOOKED_THROUGH ? fits(log) : 'stop');
    const sifts = event !== undefined || failed;
    const found = await collect(
      await context.client(),
      listWebhookLogs,
      dates,
      limits,
      sifts ? keep : undefined,
    );
    const notes =
      looked > LOOKED_THROUGH
        ? [`looked through the latest ${LOOKED_THROUGH} deliveries; --since and --until look elsewhere`]
        : [];
    return result(webhookLogView, found, { notes });
  },
});

const succeeded = (log: WebhookLog): boolean => /^2\d\d/.test(log.metadata?.response?.status ?? '');
