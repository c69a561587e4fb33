import { said } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { createApprover, refuseApproverName } from '../../../profiles/approver-store.ts';
import { newPassphrase } from '../../ask/signer.ts';
import { command, result } from '../../command.ts';
import { approverView, shownApprover } from '../../views/approver.ts';

interface CreateOptions {
  name: string;
  inFile: boolean;
}

export { create as command };

const create = command({
  description: `An Ed25519 key, made on this machine, with which remit batch approve signs. The private key is in the keychain of the system; where there is none, in a file that only you can read, sealed with a passphrase: by prompt, or from the file that REMIT_APPROVER_PASSPHRASE_FILE names. It never leaves the machine and is never printed.

Whoever administers the machine that pays gets the line of remit approver export, and hears the fingerprint from you by another way.`,
  args: [{ name: 'NAME', summary: 'who approves with it: one person, one name, one key' }],
  flags: { noKeychain: { summary: 'keep the key in a file with a passphrase' } },
  shows: [approverView],
  local: 'write',
  examples: ['remit approver create grace', 'remit approver create grace --no-keychain'],
  read(input): CreateOptions {
    const [name = ''] = input.args;
    if (name === '') throw usage('an approver has a name', 'such as grace');
    return { name, inFile: input.flags.noKeychain };
  },
  async run(context, { name, inFile }) {
    const { env } = context.world;
    // Before a passphrase is asked for.
    refuseApproverName(env, name);
    const made = await createApprover(env, name, { inFile, passphrase: () => newPassphrase(context) });
    return result(approverView, shownApprover(made), {
      notes: [
        said`Give the line of ${{ do: 'export_approver', name }} to whoever administers the machine that pays, and tell them the fingerprint by another way.`,
      ],
    });
  },
});
