import { resolve } from 'node:path';
import { counted } from '../../../core/amount-words.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { wholeList } from '../../../payments/cli/result.ts';
import { verifyClosing } from '../../closing/verify.ts';
import { closingFileView } from '../views/closing.ts';

export const command = defineCommand({
  description:
    'Reads the papers of a closed month back, each by the digest in its manifest, and says which was changed, is missing, or came later: then it ends with 10. It needs neither the service nor the books. Whoever changes a paper can change the manifest too: compare the digest of the manifest with the one that you kept, by --manifest, or with that of remit books status.',
  args: [{ name: 'FOLDER', summary: 'the folder that remit books close wrote' }],
  flags: {
    manifest: { value: 'digest', summary: 'the digest that you kept, whole or its first 12 digits or more' },
  },
  shows: [closingFileView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: ['remit books verify books-2026-10', 'remit books verify books-2026-10 --manifest 3f9a1c0b77de'],
  read: (input) => ({
    folder: input.args[0] ?? '',
    kept: readDigest(input.flags.manifest),
  }),
  async run(context, { folder, kept }) {
    const { manifest, digest, files } = await verifyClosing(resolve(context.process.cwd, folder));
    const wrong = files.filter(({ state }) => state !== 'same').length;
    const isOther = kept !== undefined && !digest.startsWith(kept);
    const { month, zone, closed_at: closedAt, known_until: known, open } = manifest;
    return wholeList(closingFileView, files, {
      exit: wrong > 0 || isOther ? exitCodes.check : exitCodes.ok,
      notes: [
        `${month}, in the time zone ${zone}, was closed at ${closedAt} with what was known until ${known}${open === 0 ? '' : `, and with ${counted(open, 'open difference')}`}.`,
        wrong === 0
          ? 'All papers are as the manifest says.'
          : `${counted(wrong, 'file')} ${wrong === 1 ? 'is' : 'are'} not as the manifest says.`,
        isOther
          ? `The manifest is another one: its digest is ${digest}.`
          : `The digest of the manifest is ${digest}${kept === undefined ? ': compare it with the one that you kept' : ', as you kept it'}.`,
      ],
    });
  },
});

/** @throws Problem (usage) */
function readDigest(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (!/^[0-9a-fA-F]{12,64}$/.test(given))
    throw usage(`"${given}" is no digest of a manifest`, 'it has 64 digits of hex; 12 are enough');
  return given.toLowerCase();
}
