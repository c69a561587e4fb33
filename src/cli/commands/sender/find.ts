import { notFound, usage } from '../../../core/problem.ts';
import { byExternalId } from '../../../desk/lookup/sender.ts';
import { command, result } from '../../command.ts';
import { senderView } from '../../views/sender.ts';

export { find as command };

const find = command({
  description:
    'Use one sender for all payments of a customer: find it by its external id, your own reference.',
  args: [{ name: 'EXTERNAL_ID', summary: 'your reference for the sender' }],
  shows: [senderView],
  effect: 'read',
  examples: ['remit sender find customer-17', 'remit sender find customer-17 -o json --query id'],
  read(input): { externalId: string } {
    const externalId = input.args[0] ?? '';
    if (externalId.trim() === '') throw usage('an external id cannot be empty');
    return { externalId };
  },
  async run(context, { externalId }) {
    const sender = await byExternalId(await context.client(), externalId);
    if (sender === undefined)
      throw notFound(
        `no sender has the external id "${externalId}"`,
        `remit sender create --external-id ${externalId} …`,
      );
    await context.remember([{ kind: 'sender', id: sender.id ?? '', externalId }]);
    return result(senderView, sender);
  },
});
