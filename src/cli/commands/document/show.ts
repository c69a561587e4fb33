import { getDocument } from '../../../contract/operations/documents.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { command, result } from '../../command.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { documentView, withoutFile } from '../../views/document.ts';

export { show as command };

const next = 'remit document list shows them';

const show = command({
  args: [idArgument('document')],
  shows: [documentView],
  effect: 'read',
  examples: ['remit document show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input): { id: string } => ({ id: readId(input, 'document', next) }),
  async run(context, { id }) {
    const found = await readOne(context, getDocument, id, { thing: 'document', next, kind: 'document' });
    return result(documentView, withoutFile(found));
  },
});
