import { listSenders } from '../../../contract/operations/senders.ts';
import type { Sender } from '../../../contract/resources/sender.ts';
import { senderStates } from '../../../contract/states/sender.ts';
import type { Sift } from '../../../desk/lists/list-reader.ts';
import { holding, oneOf, siftBy } from '../../../desk/lists/sifting.ts';
import { fullName } from '../../../desk/words/person.ts';
import { command } from '../../command.ts';
import { type AskedLimit, dateFlags, listFlags, readDates, readLimits } from '../../flags/listing.ts';
import { showList } from '../../output/show-list.ts';
import { senderView } from '../../views/sender.ts';

export interface ListOptions {
  query: Record<string, string | undefined>;
  sift: Sift<Sender> | undefined;
  limits: AskedLimit;
}

export { list as command };

const list = command({
  description:
    'The service filters by external id and day. --state and --name are done here: that says how many were looked at, and a table on a terminal stops after 2,000.',
  flags: {
    externalId: { value: 'id', summary: 'the one with this external id' },
    state: {
      value: 'state',
      summary: 'only in this state; repeat it',
      many: true,
      choices: Object.keys(senderStates),
    },
    name: { value: 'part', summary: 'only with this in their name' },
    ...dateFlags,
    ...listFlags,
  },
  shows: [senderView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit sender list',
    'remit sender list --since 2026-11-01 --all -o csv',
    'remit sender list --state rejected',
  ],
  read: (input): ListOptions => ({
    query: { external_id: input.flags.externalId, ...readDates(input) },
    sift: siftBy<Sender>({
      state: oneOf(input.flags.state, (row) => row.state),
      name: holding(input.flags.name, fullName),
    }),
    limits: readLimits(input),
  }),
  run: (context, options) =>
    showList(context, {
      view: senderView,
      operation: listSenders,
      what: 'senders',
      seen: ({ id, external_id: externalId }) => [
        { kind: 'sender', id: id ?? '', externalId: externalId ?? undefined },
      ],
      ...options,
    }),
});
