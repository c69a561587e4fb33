import { withStories } from '../../cases/story.ts';
import { findTransaction } from '../../lookup/transaction.ts';
import { defineCommand } from '../command.ts';
import { result } from '../result.ts';
import { transactionView } from '../views/transaction.ts';

export const command = defineCommand({
  args: [{ name: 'ID', summary: 'the transaction’s id, external id, or the beginning of an id seen before' }],
  shows: [transactionView],
  effect: 'read',
  examples: ['remit tx show invoice-2024-17', 'remit tx show 6f2c1b1e -o json'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    const { transaction } = await findTransaction(context, id, 'read');
    return result(transactionView, await withStories(context, transaction));
  },
});
