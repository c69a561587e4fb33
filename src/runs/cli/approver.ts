/** Makes and shows keys that sign approvals of pay runs. */
import { hint } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { result, wholeList } from '../../payments/cli/result.ts';
import { approverLine } from '../../profiles/approver-key.ts';
import { createApprover, ownApprovers, refuseApproverName } from '../../profiles/approver-store.ts';
import { chooseApprover, newPassphrase } from '../../profiles/cli/signer.ts';
import { approverView, shownApprover } from './views/approver.ts';

const create = defineCommand({
  description: `An Ed25519 key, made on this machine, with which remit batch approve signs. The private key is in the keychain of the system; where there is none, in a file that only you can read, sealed with a passphrase: by prompt, or from the file that REMIT_APPROVER_PASSPHRASE_FILE names. It never leaves the machine and is never printed.

Whoever administers the machine that pays gets the line of remit approver export, and hears the fingerprint from you by another way.`,
  args: [{ name: 'NAME', summary: 'who approves with it: one person, one name, one key' }],
  flags: { noKeychain: { summary: 'keep the key in a file with a passphrase' } },
  shows: [approverView],
  local: 'write',
  examples: ['remit approver create grace', 'remit approver create grace --no-keychain'],
  read(input) {
    const [name = ''] = input.args;
    if (name === '') throw usage('an approver has a name', 'such as grace');
    return { name, inFile: input.flags.noKeychain };
  },
  async run(context, { name, inFile }) {
    const { env } = context.process;
    // Before a passphrase is asked for.
    refuseApproverName(env, name);
    const made = await createApprover(env, name, { inFile, passphrase: () => newPassphrase(context) });
    return result(approverView, shownApprover(made), {
      notes: [
        hint`Give the line of ${{ do: 'export_approver', name }} to whoever administers the machine that pays, and tell them the fingerprint by another way.`,
      ],
    });
  },
});

const list = defineCommand({
  description: 'Keys of this machine with which remit batch approve signs. No private key is shown.',
  shows: [approverView],
  isTabular: true,
  examples: ['remit approver list', 'remit approver list -o json'],
  read: () => null,
  run: async (context) => wholeList(approverView, ownApprovers(context.process.env).map(shownApprover)),
});

const exported = defineCommand({
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
  read: (input) => ({ name: input.args[0] }),
  async run(context, { name }) {
    const { globals, streams, process } = context;
    const chosen = chooseApprover(process.env, name);
    const shown = shownApprover(chosen);
    if (globals.output !== undefined || globals.query !== undefined || globals.fields !== undefined)
      return result(approverView, shown);
    streams.out(`${approverLine(chosen)}\n`);
    context.note(`fingerprint ${shown.fingerprint}: tell it by another way than this line`);
    return { done: true };
  },
});

export const commands = { create, list, export: exported };
