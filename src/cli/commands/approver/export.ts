import { lineOf } from '../../../profiles/approver-key.ts';
import { chooseApprover } from '../../ask/signer.ts';
import { command, result } from '../../command.ts';
import { approverView, shownApprover } from '../../views/approver.ts';

export { exported as command };

const exported = command({
  description: `One line for the file of approvers of the machine that pays (remit profiles set NAME approvers=FILE): name, ed25519, public key. Nothing of it is secret.`,
  args: [
    {
      name: 'NAME',
      summary: 'the approver; the only one of this machine, where it is left out',
      optional: true,
    },
  ],
  shows: [approverView],
  examples: ['remit approver export grace > grace.txt'],
  read: (input): { name: string | undefined } => ({ name: input.args[0] }),
  async run(context, { name }) {
    const { globals, streams, world } = context;
    const chosen = chooseApprover(world.env, name);
    const shown = shownApprover(chosen);
    if (globals.output !== undefined || globals.query !== undefined || globals.fields !== undefined)
      return result(approverView, shown);
    streams.out(`${lineOf(chosen)}\n`);
    context.note(`fingerprint ${shown.fingerprint}: tell it by another way than this line`);
    return { done: true };
  },
});
