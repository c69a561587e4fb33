/** Switches a sender off. A lost answer is settled by reading it again. */
import { disableSender, getSender } from '../../../contract/operations/senders.ts';
import type { Sender } from '../../../contract/resources/sender.ts';
import { isUuid } from '../../../core/ids.ts';
import { findSender } from '../../../desk/lookup/sender.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { plainWrite } from '../../../desk/payments/plain-write.ts';
import { maskData } from '../../../desk/words/mask.ts';
import { fullName } from '../../../desk/words/person.ts';
import { command, result } from '../../command.ts';
import { senderView } from '../../views/sender.ts';

export { disable as command };

const disable = command<{ id: string }>({
  description:
    'A disabled sender can send no more, and nothing in this interface enables it again. What it sent goes on.',
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  shows: [senderView],
  effect: 'destructive',
  examples: ['remit sender disable customer-17'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    const sender = await findSender(context, id);
    if (sender.state === 'disabled')
      return result(senderView, sender, { notes: ['it is disabled already; nothing was sent'] });
    const pass = await admit(
      context,
      {
        effect: 'destructive',
        explicitId: isUuid(id) || sender.external_id === id,
        what: [
          `disable sender ${fullName(maskData(sender, context.mask))} (${sender.external_id ?? sender.id})`,
        ],
      },
      context.approver,
    );
    const path = { sender_id: sender.id ?? '' };
    const written = await plainWrite<Sender>(context, pass, {
      send: async (client) => (await client.call(disableSender, { path, expect })).object,
      async look(client) {
        const { object } = await client.call(getSender, { path });
        return object.state === 'disabled' ? { kind: 'applied', value: object } : { kind: 'absent' };
      },
      repeatable: true,
      effect: 'destructive',
      next: `remit sender show ${sender.id}`,
    });
    return result(senderView, written.value, { notes: written.notes });
  },
});

const expect = ({ object }: { object: Sender }): string | undefined =>
  object.state === 'disabled' ? undefined : `the answer does not say that it is disabled: ${object.state}`;
