import { listDocuments } from '../../../contract/operations/documents.ts';
import { command, result } from '../../command.ts';
import { collect, type Limits, listFlags, readLimits } from '../../listing.ts';
import { documentView, withoutFile } from '../../views/document.ts';

export { list as command };

const list = command<{ limits: Limits }>({
  flags: listFlags,
  shows: [documentView],
  effect: 'read',
  examples: ['remit document list', 'remit document list --all -o csv'],
  read: (input) => ({ limits: readLimits(input) }),
  async run(context, { limits }) {
    const found = await collect(await context.client(), listDocuments, {}, limits);
    return result(documentView, found.map(withoutFile));
  },
});
