/** Shows mandates. */
import { getMandate } from '../../contract/operations/documents.ts';
import { readOne } from '../lookup/read-one.ts';
import { withChosenMandate } from './ask/find.ts';
import { defineCommand } from './command.ts';
import { mandateArgument, readName } from './flags/ids.ts';
import { result } from './result.ts';
import { mandateView } from './views/document.ts';

const next =
  'the mandate_id of a recipient is the id of its mandate; a mandate of another calendar year is not found';

const show = defineCommand({
  description: 'A mandate is valid, and can be found, only in the calendar year in which it was issued.',
  args: [mandateArgument],
  shows: [mandateView],
  effect: 'read',
  examples: ['remit mandate show zar-1', 'remit mandate show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ given: readName(input, next) }),
  async run(context, { given }) {
    const found = await withChosenMandate(context, { given, use: 'read' }, (id) =>
      readOne(context, getMandate, id, { thing: 'mandate', next }),
    );
    return result(mandateView, found);
  },
});

export const commands = { show };
