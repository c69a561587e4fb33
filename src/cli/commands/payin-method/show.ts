import { getPayinMethod } from '../../../contract/operations/payin-methods.ts';
import { command, result } from '../../command.ts';
import { idArgument, readId, readOne } from '../../read-one.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export { show as command };

const next = 'remit tx show ID names the payin method of a collection';

const show = command<{ id: string }>({
  description: 'What the customer must be told to pay, and how far the collection is.',
  args: [idArgument('payin method')],
  shows: [payinMethodView],
  effect: 'read',
  examples: ['remit payin-method show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: readId(input, 'payin method', next) }),
  async run(context, { id }) {
    const found = await readOne(context, getPayinMethod, id, { thing: 'payin method', next });
    return result(payinMethodView, found);
  },
});
