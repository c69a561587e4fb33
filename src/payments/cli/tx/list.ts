import { listTransactions } from '../../../contract/operations/transactions.ts';
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { transactionStates } from '../../../contract/states/transaction.ts';
import { atLeast, atMost, isAmong, siftBy } from '../../lists/sifting.ts';
import { senderIdOf } from '../../lookup/sender.ts';
import { seenIn } from '../../lookup/transaction.ts';
import { defineCommand } from '../command.ts';
import {
  amountFlags,
  dateFlags,
  listFlags,
  readAmountRange,
  readDates,
  readLimits,
} from '../flags/listing.ts';
import { besideList } from '../output/beside-list.ts';
import { showList } from '../output/show-list.ts';
import { listedTransactionView } from '../views/transaction.ts';

/** The service says none of these. */
const FROM_BOOKS = ['paid_at', 'refunded_at', 'margin', 'margin_amount'];

export const command = defineCommand({
  description:
    'The service filters by external id, sender and kind. remit applies the other filters itself: it says how many records it searched, and for a table on a terminal it stops after 2,000.\nIn CSV, JSON and YAML, paid_at, refunded_at and the margin against the mid-market rate are from the books on this machine (remit books sync); the service does not say them. Without books they are empty in CSV, where it says so, and left out elsewhere. Fees are in the currency that was paid in, as the service says them. A payment that was not paid for, or came back, has neither.',
  flags: {
    externalId: { value: 'id', summary: 'the one with this external id' },
    sender: { value: 'id', summary: 'only those of this sender (id or external id)' },
    kind: { value: 'kind', summary: 'automated or manual', choices: ['automated', 'manual'] },
    state: {
      value: 'state',
      summary: 'only in this state; repeat it',
      many: true,
      choices: Object.keys(transactionStates),
    },
    ...amountFlags,
    ...dateFlags,
    ...listFlags,
  },
  shows: [listedTransactionView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit tx list',
    'remit tx list --external-id invoice-2024-17 -o json',
    'remit tx list --state paid --since 2026-11-01 --until 2026-11-30 --all -o csv --spreadsheet',
    'remit tx list --all -o ndjson | jq -r .data.id',
  ],
  read(input) {
    const { currency, from, to } = readAmountRange(input);
    return {
      sender: input.flags.sender,
      query: {
        external_id: input.flags.externalId,
        transactions_type: input.flags.kind,
      },
      sift: siftBy<Transaction>({
        state: isAmong(input.flags.state, (row) => row.state),
        currency: isAmong(currency, (row) => row.input_currency),
        'amount-from': atLeast(from, (row) => row.input_amount),
        'amount-to': atMost(to, (row) => row.input_amount),
      }),
      dates: readDates(input),
      limits: readLimits(input),
    };
  },
  async run(context, { sender, ...options }) {
    const senderId = sender === undefined ? undefined : await senderIdOf(context, sender);
    const beside = await besideList(context, FROM_BOOKS, ({ isForPeople }) => isForPeople !== true);
    return showList(context, {
      view: listedTransactionView,
      operation: listTransactions,
      what: 'transactions',
      seen: seenIn,
      ...options,
      query: { ...options.query, sender_id: senderId },
      beside: beside && { says: beside.says, fill: beside.transactions },
    });
  },
});
