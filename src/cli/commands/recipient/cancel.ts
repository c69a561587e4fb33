import { cancelRecipients, cannotCancel, conclusionOf, endingView, obstacle } from '../../cancel.ts';
import { command, flagOn, flagText, result } from '../../command.ts';
import { guard } from '../../guard.ts';
import { recipientLine } from '../../payment/lines.ts';
import { findRecipient, recipientArgument, txFlag } from '../../find-recipient.ts';
import { readWait } from '../../wait.ts';

export interface CancelOptions {
  id: string;
  tx: string | undefined;
  request: boolean;
  waitMs: number | undefined;
}

export { cancel as command };

const cancel = command<CancelOptions>({
  description:
    'Cancelling is asynchronous: a payout that is with the bank can only be asked back (--request), and may still be paid. What it says at the end is what is so.',
  args: [recipientArgument],
  flags: [
    txFlag,
    { flags: '--request', summary: 'ask the partner although the payout is under way' },
    { flags: '--wait [duration]', summary: 'wait for the ending; 60s if you do not say' },
  ],
  examples: [
    'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --request --wait 5m',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    tx: flagText(input, 'tx'),
    request: flagOn(input, 'request'),
    waitMs: readWait(input.flags.wait),
  }),
  async run(context, { id, tx, request, waitMs }) {
    const { recipient, transaction, explicit } = await findRecipient(context, id, { tx, use: 'write' });
    const hindrance = obstacle(recipient);
    if (hindrance !== undefined && (!request || recipient.state === 'success'))
      throw cannotCancel(recipient, hindrance);
    await guard(context, {
      effect: 'destructive',
      explicitId: explicit,
      what: [`cancel ${recipientLine(recipient, context.mask)}`],
    });
    const [ending] = await cancelRecipients(context, transaction, [recipient], { request, waitMs });
    if (ending === undefined) throw cannotCancel(recipient, 'it is not there any more');
    return result(endingView, ending, conclusionOf([ending]));
  },
});
