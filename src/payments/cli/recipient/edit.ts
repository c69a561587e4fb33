import { pairWords, sameCommand } from '../../../frame/output/command-line.ts';
import { storyNow } from '../../cases/story.ts';
import { askEdit } from '../ask/edit-recipient.ts';
import { chooseRecipient } from '../ask/find.ts';
import { defineCommand } from '../command.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from '../flags/details.ts';
import { recipientArgument, txFlag } from '../flags/ids.ts';
import { result } from '../result.ts';
import { storyView } from '../views/story.ts';

export const command = defineCommand({
  description:
    'The next try uses the new details. A try that is already with the provider uses the old ones; the new ones count only if that try fails. Where the provider can check an account, it is asked first. If it cannot answer, remit says so and sends the change.',
  args: [recipientArgument],
  flags: {
    detail: {
      value: 'name=value',
      summary: 'one payout detail to change, such as bank_account=0123456789; repeat it',
      many: true,
    },
    ...txFlag,
    skipValidation: { summary: 'do not ask the provider about the new account' },
    nameAsGiven: { summary: 'use the account though the bank knows it under another name' },
    ...accountAsWrittenFlag,
    newPayment: { summary: 'send it even if an earlier try of it is not settled' },
  },
  shows: [storyView],
  effect: 'money',
  examples: [
    'remit recipient edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient edit wages-1 --detail bank_account=0123456700',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    tx: input.flags.tx,
    details: readPairs(input.flags.detail, '--detail'),
    skipValidation: input.flags.skipValidation,
    nameAsGiven: input.flags.nameAsGiven,
    accountAsWritten: readAccountAsWritten(input),
    newPayment: input.flags.newPayment,
  }),
  async run(context, { id, tx, ...options }) {
    const found = await chooseRecipient(context, id, { tx, use: 'write' });
    const { recipient, notes, changes, wasAsked, meant } = await askEdit(context, found, options);
    const same = wasAsked
      ? sameCommand(context, [recipient.id ?? id, ...pairWords('detail', changes)], {
          'skip-validation': options.skipValidation,
          ...meant,
        })
      : [];
    const story = await storyNow(context, { recipient, transaction: found.transaction });
    return result(storyView, story, { notes: [...notes, ...same] });
  },
});
