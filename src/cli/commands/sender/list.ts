import { listSenders } from '../../../contract/operations/senders.ts';
import { command, flagText, result } from '../../command.ts';
import { collect, dateFlags, type Limits, listFlags, readDates, readLimits } from '../../listing.ts';
import { senderView } from '../../views/sender.ts';

export interface ListOptions {
  query: Record<string, string | undefined>;
  limits: Limits;
}

export { list as command };

const list = command<ListOptions>({
  flags: [
    { flags: '--external-id <id>', summary: 'the one with this external id' },
    ...dateFlags,
    ...listFlags,
  ],
  examples: ['remit sender list', 'remit sender list --since 2024-05-01 --all -o csv'],
  read: (input) => ({
    query: { external_id: flagText(input, 'externalId'), ...readDates(input) },
    limits: readLimits(input),
  }),
  async run(context, { query, limits }) {
    const found = await collect(await context.client(), listSenders, query, limits);
    await context.remember(
      found.map((one) => ({
        kind: 'sender',
        id: one.id ?? '',
        externalId: one.external_id ?? undefined,
      })),
    );
    return result(senderView, found);
  },
});
