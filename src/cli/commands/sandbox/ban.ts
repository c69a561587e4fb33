import { findSender } from '../../../desk/lookup/sender.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { decidedView } from '../../views/sandbox.ts';

export { ban as command };

const ban = command({
  description: 'Does what the operator would do. --lift ends the ban.',
  args: [{ name: 'SENDER', summary: 'the sender’s id or external id' }],
  flags: {
    reason: { value: 'text', summary: 'the state_reason to give' },
    lift: { summary: 'lift the ban' },
  },
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox ban customer-17', 'remit sandbox ban customer-17 --lift'],
  read: (input): { id: string; reason: string | undefined; lift: boolean } => ({
    id: input.args[0] ?? '',
    reason: input.flags.reason,
    lift: input.flags.lift,
  }),
  async run(context, { id, reason, lift }) {
    const body = { decision: lift ? 'unban' : 'ban', ...(reason === undefined ? {} : { reason }) };
    await controlAccess(context);
    const senderId = (await findSender(context, id, 'read')).id ?? '';
    return result(decidedView, await control(context, 'sandbox.senders.decide', { id: senderId, body }));
  },
});
