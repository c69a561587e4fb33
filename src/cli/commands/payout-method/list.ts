import { listPayoutMethods } from '../../../contract/operations/payout-methods.ts';
import { senderIdOf } from '../../../desk/lookup/sender.ts';
import { command } from '../../command.ts';
import { type AskedLimit, dateFlags, listFlags, readDates, readLimits } from '../../flags/listing.ts';
import { showList } from '../../output/show-list.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface ListOptions {
  sender: string | undefined;
  query: Record<string, string | string[] | undefined>;
  limits: AskedLimit;
}

export { list as command };

const list = command({
  description: '--sender also lists the payout methods that recipients of this sender were paid with.',
  flags: {
    state: {
      value: 'state',
      summary: 'only in this state; repeat it',
      many: true,
      choices: ['enabled', 'disabled'],
    },
    type: { value: 'type', summary: 'only of this type, such as NGN::Bank; repeat it', many: true },
    sender: { value: 'id', summary: 'only those of this sender (id or external id)' },
    ...dateFlags,
    ...listFlags,
  },
  shows: [payoutMethodView],
  isTabular: true,
  effect: 'read',
  examples: ['remit payout-method list --state enabled', 'remit payout-method list --sender customer-17'],
  read: (input): ListOptions => ({
    sender: input.flags.sender,
    query: { state: input.flags.state, type: input.flags.type, ...readDates(input) },
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
