import { command, flagText, result } from '../../command.ts';
import { findRecipient, recipientArgument, txFlag } from '../../find-recipient.ts';
import { recipientView } from '../../views/recipient.ts';

export { show as command };

const show = command<{ id: string; tx: string | undefined }>({
  args: [recipientArgument],
  flags: [
    txFlag,
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
