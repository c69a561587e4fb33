import { listPayoutMethods } from '../../../contract/operations/payout-methods.ts';
import { senderIdOf } from '../../../desk/lookup/sender.ts';
import { command } from '../../command.ts';
import { flagMany, flagText } from '../../flags/flag.ts';
import { type AskedLimit, dateFlags, listFlags, readDates, readLimits } from '../../flags/listing.ts';
import { showList } from '../../output/show-list.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface ListOptions {
  sender: string | undefined;
  query: Record<string, string | string[] | undefined>;
  limits: AskedLimit;
}

export { list as command };

const list = command<ListOptions>({
  description: '--sender also lists the payout methods that recipients of this sender were paid with.',
  flags: [
    {
      flags: '--state <state>',
      summary: 'only in this state; repeat it',
      many: true,
      choices: ['enabled', 'disabled'],
    },
    { flags: '--type <type>', summary: 'only of this type, such as NGN::Bank; repeat it', many: true },
    { flags: '--sender <id>', summary: 'only those of this sender (id or external id)' },
    ...dateFlags,
    ...listFlags,
  ],
  shows: [payoutMethodView],
  effect: 'read',
  examples: ['remit payout-method list --state enabled', 'remit payout-method list --sender customer-17'],
  read: (input) => ({
    sender: flagText(input, 'sender'),
    query: { state: flagMany(input, 'state'), type: flagMany(input, 'type'), ...readDates(input) },
    limits: readLimits(input),
  }),
  async run(context, { sender, query, limits }) {
    const senderId = sender === undefined ? undefined : await senderIdOf(context, sender);
    return showList(context, {
      view: payoutMethodView,
      operation: listPayoutMethods,
      what: 'payout methods',
      seen: ({ id }) => [{ kind: 'payout_method', id: id ?? '' }],
      query: { ...query, sender_id: senderId },
      limits,
    });
  },
});
