import { findSender } from '../../../desk/lookup/sender.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { flagText } from '../../flags/flag.ts';
import { decidedView } from '../../views/sandbox.ts';

export { reject as command };

const reject = command<{ id: string; reason: string | undefined }>({
  description: 'Does what the operator would do, where `remit sandbox settings kyc=operator` is set.',
  args: [{ name: 'SENDER', summary: 'the sender’s id or external id' }],
  flags: [{ flags: '--reason <text>', summary: 'the state_reason to give' }],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox reject customer-17'],
  read: (input) => ({ id: input.args[0] ?? '', reason: flagText(input, 'reason') }),
  async run(context, { id, reason }) {
    const body = { decision: 'reject', ...(reason === undefined ? {} : { reason }) };
    await controlAccess(context);
    const senderId = (await findSender(context, id, 'read')).id ?? '';
    return result(decidedView, await control(context, 'sandbox.senders.decide', { id: senderId, body }));
  },
});
