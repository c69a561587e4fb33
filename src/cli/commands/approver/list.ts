import { ownApprovers } from '../../../profiles/approver-store.ts';
import { command, wholeList } from '../../command.ts';
import { approverView, shownApprover } from '../../views/approver.ts';

export { list as command };

const list = command({
  description: 'Keys of this machine with which remit batch approve signs. No private key is shown.',
  shows: [approverView],
  isTabular: true,
  examples: ['remit approver list', 'remit approver list -o json'],
  read: (): null => null,
  run: async (context) => wholeList(approverView, ownApprovers(context.world.env).map(shownApprover)),
});
