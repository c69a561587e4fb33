import { isUuid } from '../../../core/ids.ts';
import { disableSender, planDisabling } from '../../../desk/directory/sender.ts';
import { findSender } from '../../../desk/lookup/sender.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { command, result } from '../../command.ts';
import { senderView } from '../../views/sender.ts';

export { disable as command };

const disable = command({
  description:
    'A disabled sender cannot send any more. You cannot enable it again: the service has no call for that. Payments that it has sent continue.',
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  shows: [senderView],
  effect: 'destructive',
  examples: ['remit sender disable customer-17'],
  read: (input): { id: string } => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    const sender = await findSender(context, id, 'write');
    if (sender.state === 'disabled')
      return result(senderView, sender, { notes: ['it is disabled already; nothing was sent'] });
    const plan = planDisabling(context, sender, isUuid(id) || sender.external_id === id);
    const pass = await admit(context, plan.step, context.approver);
    const { value, notes } = await disableSender(context, pass, plan);
    return result(senderView, value, { notes });
  },
});
