import { createSender, planSender } from '../../../desk/directory/sender.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { command, result } from '../../command.ts';
import { flagMany, flagText } from '../../flags/flag.ts';
import { readPairs } from '../../flags/pairs.ts';
import { checkSender, readSenderFlags, senderFlags, senderFromFile } from '../../flags/sender-fields.ts';
import { senderView } from '../../views/sender.ts';

export interface CreateOptions {
  file: string | undefined;
  fields: Record<string, string>;
}

export { create as command };

const create = command<CreateOptions>({
  description:
    '`ip` is your customer’s address, never this machine’s. Documents and metadata are sent empty unless the file gives them.',
  flags: [
    ...senderFlags,
    {
      flags: '--field <name=value>',
      summary: 'any other member, such as birth_date=1990-01-31; repeat it',
      many: true,
    },
  ],
  shows: [senderView],
  effect: 'write',
  examples: [
    'remit sender create --external-id customer-18 --first-name Ines --last-name Marques --country PT --email ines@example.com --phone-number 912345678 --ip 203.0.113.7 --field phone_country=PT --field city=Lisboa --field street="Rua do Ouro 12" --field postal_code=1100-061 --field birth_date=1990-04-12',
    'remit sender create --file sender.yaml',
  ],
  read: (input) => ({
    file: flagText(input, 'file'),
    fields: { ...readPairs(flagMany(input, 'field'), '--field'), ...readSenderFlags(input) },
  }),
  async run(context, { file, fields }) {
    const sender = checkSender({
      documents: [],
      metadata: {},
      ...(await senderFromFile(context, file)),
      ...fields,
    });
    const plan = planSender(context, sender);
    const pass = await admit(context, plan.step, context.approver);
    const { value, notes } = await createSender(context, pass, plan);
    return result(senderView, value, { notes });
  },
});
