import { cancelRecipients, conclusionOf, endingView, obstacle } from '../../cancel.ts';
import { command, flagOn, result } from '../../command.ts';
import { guard } from '../../guard.ts';
import { recipientLine } from '../../payment/lines.ts';
import { findTransaction } from '../../resolve.ts';
import { readWait } from '../../wait.ts';

export interface CancelOptions {
  id: string;
  request: boolean;
  waitMs: number | undefined;
}

export { cancel as command };

const cancel = command<CancelOptions>({
  description:
    'The service cancels recipients, not transactions: this asks for each of them and reports one ending each. The exit code is the worst of them: 0 only when every one is refunded, or was never funded.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: [
    { flags: '--request', summary: 'ask the partner too where the payout is already under way' },
    { flags: '--wait [duration]', summary: 'wait for the endings; 60s if you do not say' },
  ],
  examples: ['remit tx cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --wait'],
  read: (input) => ({
    id: input.args[0] ?? '',
    request: flagOn(input, 'request'),
    waitMs: readWait(input.flags.wait),
  }),
  async run(context, { id, request, waitMs }) {
    const { transaction, explicit } = await findTransaction(context, id, 'write');
    const recipients = transaction.recipients ?? [];
    await guard(context, {
      effect: 'destructive',
      explicitId: explicit,
      what: recipients.map(
        (one) =>
          `cancel ${recipientLine(one, context.mask)}${obstacle(one) && !request ? ` (${obstacle(one)}: left alone)` : ''}`,
      ),
    });
    const endings = await cancelRecipients(context, transaction, recipients, { request, waitMs });
    return result(endingView, endings, conclusionOf(endings));
  },
});
