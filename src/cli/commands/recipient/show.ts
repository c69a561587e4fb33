import { command, flagText, result } from '../../command.ts';
import { findRecipient } from '../../resolve.ts';
import { recipientView } from '../../views/recipient.ts';

export { show as command };

const show = command<{ id: string; tx: string | undefined }>({
  args: [{ name: 'ID', summary: 'the recipient’s id, or the beginning of one seen before' }],
  flags: [
    { flags: '--tx <id>', summary: 'its transaction (id or external id), where remit has not seen it yet' },
  ],
  examples: [
    'remit recipient show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient show 6f2c1b1e --tx invoice-2024-17',
  ],
  read: (input) => ({ id: input.args[0] ?? '', tx: flagText(input, 'tx') }),
  async run(context, { id, tx }) {
    const { recipient, transaction } = await findRecipient(context, id, { tx, use: 'read' });
    return result(recipientView, {
      ...recipient,
      transaction_id: recipient.transaction_id ?? transaction.id,
    });
  },
});
