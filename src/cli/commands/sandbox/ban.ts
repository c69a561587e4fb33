import { findSender } from '../../../desk/lookup/sender.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { flagOn, flagText } from '../../flags/flag.ts';
import { decidedView } from '../../views/sandbox.ts';

export { ban as command };

const ban = command<{ id: string; reason: string | undefined; lift: boolean }>({
  description: 'Does what the operator would do. --lift ends the ban.',
  args: [{ name: 'SENDER', summary: 'the sender’s id or external id' }],
  flags: [
    { flags: '--reason <text>', summary: 'the state_reason to give' },
    { flags: '--lift', summary: 'lift the ban' },
  ],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox ban customer-17', 'remit sandbox ban customer-17 --lift'],
  read: (input) => ({
    id: input.args[0] ?? '',
    reason: flagText(input, 'reason'),
    lift: flagOn(input, 'lift'),
  }),
  async run(context, { id, reason, lift }) {
    const body = { decision: lift ? 'unban' : 'ban', ...(reason === undefined ? {} : { reason }) };
    await controlAccess(context);
    const senderId = (await findSender(context, id, 'read')).id ?? '';
    return result(decidedView, await control(context, 'sandbox.senders.decide', { id: senderId, body }));
  },
});
