import { findSender } from '../../../desk/lookup/sender.ts';
import { command, result } from '../../command.ts';
import { senderView } from '../../views/sender.ts';

export { show as command };

const show = command({
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  shows: [senderView],
  effect: 'read',
  examples: ['remit sender show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11', 'remit sender show customer-17'],
  read: (input): { id: string } => ({ id: input.args[0] ?? '' }),
  run: async (context, { id }) => result(senderView, await findSender(context, id, 'read')),
});
