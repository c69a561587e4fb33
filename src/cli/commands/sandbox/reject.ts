import { findSender } from '../../../desk/lookup/sender.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { decidedView } from '../../views/sandbox.ts';

export { reject as command };

const reject = command({
  description: 'Does what the operator would do, where `remit sandbox settings kyc=operator` is set.',
  args: [{ name: 'SENDER', summary: 'the sender’s id or external id' }],
  flags: { reason: { value: 'text', summary: 'the state_reason to give' } },
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox reject customer-17'],
  read: (input): { id: string; reason: string | undefined } => ({
    id: input.args[0] ?? '',
    reason: input.flags.reason,
  }),
  async run(context, { id, reason }) {
    const body = { decision: 'reject', ...(reason === undefined ? {} : { reason }) };
    await controlAccess(context);
    const senderId = (await findSender(context, id, 'read')).id ?? '';
    return result(decidedView, await control(context, 'sandbox.senders.decide', { id: senderId, body }));
  },
});
