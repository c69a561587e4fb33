import { listRecipients } from '../../../contract/operations/recipients.ts';
import type { Recipient } from '../../../contract/resources/transaction.ts';
import { recipientStates } from '../../../contract/states/recipient.ts';
import { holding, isAmong, siftBy } from '../../lists/sifting.ts';
import { findTransaction, seenRecipient } from '../../lookup/transaction.ts';
import { fullName } from '../../words/person.ts';
import { defineCommand } from '../command.ts';
import {
  amountFlags,
  dateFlags,
  listFlags,
  paidInNote,
  readAmountRange,
  readDates,
  readLimits,
} from '../flags/listing.ts';
import { besideList } from '../output/beside-list.ts';
import { showList } from '../output/show-list.ts';
import { wholeList } from '../result.ts';
import { listedRecipientView } from '../views/recipient.ts';

export const command = defineCommand({
  description:
    'The service filters by state, input currency, amount and day. --type, --name, --reason and --category are done here: that says how many were looked at, and a table on a terminal stops after 2,000.\nIn CSV, paid_at and refunded_at are from the books on this machine (remit books sync); the service does not say them. Without books they are empty, and it says so.',
  flags: {
    tx: { value: 'id', summary: 'only those of this transaction (id or external id)' },
    state: {
      value: 'state',
      summary: 'only in this state; repeat it',
      many: true,
      choices: Object.keys(recipientStates),
    },
    type: { value: 'type', summary: 'only paid out by this type, such as NGN::Bank; repeat it', many: true },
    name: { value: 'part', summary: 'only with this in their name' },
    reason: { value: 'code', summary: 'only with this reason code, such as 416; repeat it', many: true },
    category: {
      value: 'category',
      summary: 'only with a reason of this category, such as recipient_error; repeat it',
      many: true,
    },
    ...amountFlags,
    ...dateFlags,
    ...listFlags,
  },
  shows: [listedRecipientView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit recipient list --state error',
    'remit recipient list --currency EUR --amount-from 100 --since 2026-11-01',
    'remit recipient list --name obi --type NGN::Bank',
    'remit recipient list --state error --category recipient_error --all -o csv',
  ],
  read(input) {
    const { currency, from, to } = readAmountRange(input);
    return {
      tx: input.flags.tx,
      none: paidInNote(currency),
      query: {
        state: input.flags.state,
        currency,
        amount_from: from,
        amount_to: to,
        ...readDates(input),
      },
      sift: siftBy<Recipient>({
        type: isAmong(input.flags.type, (row) => row.payout_method?.type),
        name: holding(input.flags.name, (row) => fullName(row.payout_method?.details)),
        reason: isAmong(input.flags.reason, (row) => row.state_reason_details?.code),
        category: isAmong(input.flags.category, (row) => row.state_reason_details?.category),
      }),
      limits: readLimits(input),
    };
  },
  async run(context, { tx, ...options }) {
    const beside = await besideList(context, ['paid_at', 'refunded_at']);
    if (tx === undefined) {
      return showList(context, {
        view: listedRecipientView,
        operation: listRecipients,
        what: 'recipients',
        seen: (row) => [seenRecipient(row)],
        ...options,
        beside: beside && { says: beside.says, fill: beside.recipients },
      });
    }
    const { transaction } = await findTransaction(context, tx, 'read');
    const { sift } = options;
    const rows = (transaction.recipients ?? []).filter((row) => sift?.fits(row) ?? true);
    return wholeList(listedRecipientView, beside === undefined ? rows : await beside.recipients(rows), {
      notes: beside === undefined ? [] : [beside.says],
    });
  },
});
