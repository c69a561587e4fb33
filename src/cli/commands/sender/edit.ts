import type { Sender } from '../../../contract/resources/sender.ts';
import { usage } from '../../../core/problem.ts';
import { changeSender, planChange } from '../../../desk/directory/sender.ts';
import { findSender } from '../../../desk/lookup/sender.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { refuseMasked } from '../../../desk/words/mask.ts';
import { type Form, throughForm } from '../../ask/form.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { readPairs } from '../../flags/details.ts';
import {
  checkSender,
  ownSenderFields,
  readSenderFlags,
  senderFlags,
  senderFromFile,
} from '../../flags/sender-fields.ts';
import { pairWords, sameCommand } from '../../output/command-line.ts';
import { senderView } from '../../views/sender.ts';

export interface EditOptions {
  id: string;
  file: string | undefined;
  fields: Record<string, string>;
}

export { edit as command };

const edit = command({
  description:
    'Only what changes is sent. A change may start the checks of the sender again. Without flags, on a terminal, remit asks for each member.',
  args: [{ name: 'ID', summary: 'the sender’s id or external id' }],
  flags: {
    ...senderFlags,
    set: { value: 'name=value', summary: 'any other member, such as city=Porto; repeat it', many: true },
  },
  shows: [senderView],
  effect: 'write',
  examples: [
    'remit sender edit customer-17 --email ines@example.com --set city=Porto',
    'remit sender edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --file sender.yaml',
  ],
  read: (input): EditOptions => ({
    id: input.args[0] ?? '',
    file: input.flags.file,
    fields: { ...readPairs(input.flags.set, '--set'), ...readSenderFlags(input) },
  }),
  async run(context, { id, file, fields }) {
    const given: Record<string, unknown> = { ...(await senderFromFile(context, file)), ...fields };
    const asks = Object.keys(given).length === 0;
    if (asks && !context.interactive)
      throw usage('no change was given', 'name it: --email TEXT, or --set NAME=VALUE');
    checkSender(given);
    for (const [name, value] of Object.entries(given))
      if (typeof value === 'string') refuseMasked(name, value);
    const sender = await findSender(context, id, 'write');
    return throughForm(context, await formFor(context, sender, given), async (approver, wasAsked) => {
      const plan = planChange(context, sender, checkSender(given));
      if (Object.keys(plan.changes).length === 0)
        return result(senderView, sender, {
          notes: ['nothing to change: the sender has these values already; nothing was sent'],
        });
      const pass = await admit(context, plan.step, approver);
      const { value, notes } = await changeSender(context, pass, plan);
      const same =
        wasAsked() && file === undefined ? sameCommand(context, [id, ...pairWords('set', plan.changes)]) : [];
      return result(senderView, value, { notes: [...notes, ...same] });
    });
  },
});

/** Returns the form for the members with a flag of their own that this kind of sender has. */
async function formFor(context: Context, sender: Sender, members: Record<string, unknown>): Promise<Form> {
  if (!context.interactive) return { questions: async () => [] };
  const { senderChangeForm } = await import('../../ask/sender-form.ts');
  const other = sender.type === 'business' ? ['first_name', 'last_name'] : ['name'];
  const names = ownSenderFields.filter((name) => !other.includes(name));
  return senderChangeForm(context, { names, current: sender, members });
}
