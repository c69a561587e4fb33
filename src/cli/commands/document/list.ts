import { listDocuments } from '../../../contract/operations/documents.ts';
import { command } from '../../command.ts';
import { type AskedLimit, listFlags, readLimits } from '../../flags/listing.ts';
import { showList } from '../../output/show-list.ts';
import { documentView, withoutFile } from '../../views/document.ts';

export { list as command };

const list = command({
  flags: listFlags,
  shows: [documentView],
  isTabular: true,
  effect: 'read',
  examples: ['remit document list', 'remit document list --all -o csv'],
  read: (input): { limits: AskedLimit } => ({ limits: readLimits(input) }),
  run: (context, { limits }) =>
    showList(context, {
      view: documentView,
      operation: listDocuments,
      what: 'documents',
      seen: ({ id }) => [{ kind: 'document', id: id ?? '' }],
      query: {},
      limits,
      shown: withoutFile,
    }),
});
