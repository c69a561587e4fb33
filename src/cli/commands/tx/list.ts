import { listTransactions } from '../../../contract/operations/transactions.ts';
import { command, flagText, result } from '../../command.ts';
import { collect, type Limits, listFlags, readLimits } from '../../listing.ts';
import { seenIn } from '../../resolve.ts';
import { transactionView } from '../../views/transaction.ts';

export interface ListOptions {
  externalId: string | undefined;
  sender: string | undefined;
  kind: string | undefined;
  limits: Limits;
}

export { list as command };

const list = command<ListOptions>({
  flags: [
    { flags: '--external-id <id>', summary: 'the one with this external id' },
    { flags: '--sender <id>', summary: 'only those of this sender' },
    { flags: '--kind <kind>', summary: 'automated or manual', choices: ['automated', 'manual'] },
    ...listFlags,
  ],
  examples: ['remit tx list', 'remit tx list --external-id invoice-2024-17 -o json'],
  read: (input) => ({
    externalId: flagText(input, 'externalId'),
    sender: flagText(input, 'sender'),
    kind: flagText(input, 'kind'),
    limits: readLimits(input),
  }),
  async run(context, { externalId, sender, kind, limits }) {
    const query = { external_id: externalId, sender_id: sender, transactions_type: kind };
    const found = await collect(await context.client(), listTransactions, query, limits);
    await context.remember(found.flatMap(seenIn));
    return result(transactionView, found);
  },
});
