import { ApiError } from '../../../client/errors.ts';
import { getSender } from '../../../contract/operations/senders.ts';
import { isUuid } from '../../../core/ids.ts';
import { command, result } from '../../command.ts';
import { notFound, usage } from '../../failure.ts';
import { senderView } from '../../views/sender.ts';

export { show as command };

const show = command<{ id: string }>({
  args: [{ name: 'ID', summary: 'the sender’s id' }],
  shows: [senderView],
  effect: 'read',
  examples: ['remit sender show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read(input) {
    const id = input.args[0] ?? '';
    if (!isUuid(id))
      throw usage(`"${id}" is not a sender's id`, `by your own id of it: remit sender find ${id}`);
    return { id };
  },
  async run(context, { id }) {
    try {
      const { object } = await (await context.client()).call(getSender, { path: { sender_id: id } });
      return result(senderView, object);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not_found')
        throw notFound(`no sender ${id} on this account`, 'remit sender find EXTERNAL_ID');
      throw error;
    }
  },
});
