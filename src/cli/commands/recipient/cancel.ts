import { isPaidOut } from '../../../contract/states/money.ts';
import {
  type FoundRecipient,
  findRecipients,
  recipientArgument,
  txFlag,
} from '../../../desk/lookup/recipient.ts';
import {
  cancelFlags,
  cancelLine,
  cancelRecipients,
  cannotCancel,
  type CancelOptions as How,
  obstacle,
  readCancel,
} from '../../../desk/payments/cancel.ts';
import { conclusionOf, endingView } from '../../../desk/payments/endings.ts';
import { guard } from '../../../desk/payments/gate.ts';
import { command, flagText, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';

export interface CancelOptions {
  ids: string[];
  tx: string | undefined;
  how: How;
}

export { cancel as command };

const cancel = command<CancelOptions>({
  description:
    'Cancelling is asynchronous: a payout that is with the bank can only be asked back (--request), and may still be paid. What it says at the end is what is so: one row and one ending for each recipient, and the worst exit code.',
  args: [{ ...recipientArgument, many: true }],
  flags: [txFlag, ...cancelFlags],
  shows: [endingView],
  effect: 'destructive',
  exits: [exitCodes.pending, exitCodes.check],
  examples: [
    'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --request --wait --timeout 5m',
    'remit recipient cancel wages-1 wages-2 wages-3',
  ],
  read: (input) => ({ ids: [...new Set(input.args)], tx: flagText(input, 'tx'), how: readCancel(input) }),
  async run(context, { ids, tx, how }) {
    const found = await findRecipients(context, ids, { tx, use: 'write' });
    const [only] = found;
    const hindrance = only && obstacle(only.recipient);
    if (found.length === 1 && only && hindrance !== undefined && (!how.request || isPaid(only)))
      throw cannotCancel(only.recipient, hindrance);
    await guard(context, {
      effect: 'destructive',
      explicitId: found.every(({ explicit }) => explicit),
      what: found.map(({ recipient }) => cancelLine(context, recipient, how)),
    });
    const endings = await cancelRecipients(context, found, how);
    const [first] = endings;
    return result(endingView, endings.length === 1 && first ? first : endings, conclusionOf(endings));
  },
});

const isPaid = ({ recipient }: FoundRecipient): boolean => isPaidOut(recipient.state);
