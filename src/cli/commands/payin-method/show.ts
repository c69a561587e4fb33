import { payinMethodNext } from '../../../desk/lookup/payin-method.ts';
import { incompleteNotes } from '../../../desk/words/payin-lacks.ts';
import { findPayinMethod } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { payinMethodArgument, readName } from '../../flags/ids.ts';
import { payinMethodView } from '../../views/payin-method.ts';

export { show as command };

const show = command({
  description: 'What the customer must be told to pay, and how far the collection is.',
  args: [payinMethodArgument],
  shows: [payinMethodView],
  effect: 'read',
  examples: [
    'remit payin-method show collection-17',
    'remit payin-method show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
  ],
  read: (input): { given: string } => ({ given: readName(input, payinMethodNext) }),
  async run(context, { given }) {
    const { method } = await findPayinMethod(context, given, 'read');
    return result(payinMethodView, method, { notes: incompleteNotes(method) });
  },
});
