import { listRecipients } from '../../../contract/operations/recipients.ts';
import { recipientStates } from '../../../contract/states/recipient.ts';
import { command, flagMany, flagText, result } from '../../command.ts';
import { usage } from '../../failure.ts';
import { collect, dateFlags, type Limits, listFlags, readDates, readLimits } from '../../listing.ts';
import { findTransaction, seenRecipient } from '../../resolve.ts';
import { recipientView } from '../../views/recipient.ts';

export interface ListOptions {
  tx: string | undefined;
  query: Record<string, string | string[] | undefined>;
  limits: Limits;
}

export { list as command };

const list = command<ListOptions>({
  flags: [
    { flags: '--tx <id>', summary: 'only those of this transaction (id or external id)' },
    {
      flags: '--state <state>',
      summary: 'only in this state; repeat it',
      many: true,
      choices: Object.keys(recipientStates),
    },
    { flags: '--currency <currency>', summary: 'only paid from this input currency; repeat it', many: true },
    { flags: '--amount-from <amount>', summary: 'at least this amount; needs --currency' },
    { flags: '--amount-to <amount>', summary: 'at most this amount; needs --currency' },
    ...dateFlags,
    ...listFlags,
  ],
  examples: [
    'remit recipient list --state error',
    'remit recipient list --currency EUR --amount-from 100 --since 2024-05-01',
  ],
  read(input) {
    const currency = flagMany(input, 'currency').map((code) => code.toUpperCase());
    const amountFrom = flagText(input, 'amountFrom');
    const amountTo = flagText(input, 'amountTo');
    if ((amountFrom ?? amountTo) !== undefined && currency.length === 0)
      throw usage('an amount filter needs --currency');
    for (const amount of [amountFrom, amountTo]) {
      if (amount !== undefined && !/^\d+(?:\.\d+)?$/.test(amount))
        throw usage(`"${amount}" is not an amount`);
    }
    return {
      tx: flagText(input, 'tx'),
      query: {
        state: flagMany(input, 'state'),
        currency,
        amount_from: amountFrom,
        amount_to: amountTo,
        ...readDates(input),
      },
      limits: readLimits(input),
    };
  },
  async run(context, { tx, query, limits }) {
    if (tx !== undefined) {
      const { transaction } = await findTransaction(context, tx, 'read');
      return result(recipientView, transaction.recipients ?? []);
    }
    const found = await collect(await context.client(), listRecipients, query, limits);
    await context.remember(found.map(seenRecipient));
    return result(recipientView, found);
  },
});
