import { createSender, planSender } from '../../../desk/directory/sender.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { type Form, throughForm } from '../../ask/form.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { readPairs } from '../../flags/details.ts';
import { documentFlag, readDocuments } from '../../flags/document-file.ts';
import {
  checkSender,
  flagOf,
  ownSenderFields,
  readSenderFlags,
  senderFlags,
  senderFromFile,
} from '../../flags/sender-fields.ts';
import { flagWords, pairWords, sameCommand } from '../../output/command-line.ts';
import { senderView } from '../../views/sender.ts';

export interface CreateOptions {
  file: string | undefined;
  documents: string[];
  fields: Record<string, string>;
}

export { create as command };

const create = command({
  description:
    '`ip` is your customer’s address, never this machine’s. Metadata are sent empty unless the file gives them. On a terminal, what is missing is asked.',
  flags: {
    ...senderFlags,
    field: {
      value: 'name=value',
      summary: 'any other member, such as birth_date=1990-01-31; repeat it',
      many: true,
    },
    ...documentFlag,
  },
  shows: [senderView],
  effect: 'write',
  examples: [
    'remit sender create',
    'remit sender create --external-id customer-18 --first-name Ines --last-name Marques --country PT --email ines@example.com --phone-number 912345678 --ip 203.0.113.7 --field phone_country=PT --field city=Lisboa --field street="Rua do Ouro 12" --field postal_code=1100-061 --field birth_date=1990-04-12',
    'remit sender create --file sender.yaml',
  ],
  read: (input): CreateOptions => ({
    file: input.flags.file,
    documents: input.flags.document,
    fields: { ...readPairs(input.flags.field, '--field'), ...readSenderFlags(input) },
  }),
  async run(context, { file, fields, documents }) {
    const members: Record<string, unknown> = { ...(await senderFromFile(context, file)), ...fields };
    const uploads = await readDocuments(context.world, documents);
    if (uploads.length > 0)
      members.documents = [...(Array.isArray(members.documents) ? members.documents : []), ...uploads];
    return throughForm(context, await formFor(context, members, file), async (approver, wasAsked) => {
      const plan = planSender(context, checkSender({ documents: [], metadata: {}, ...members }));
      const pass = await admit(context, plan.step, approver);
      const { value, notes } = await createSender(context, pass, plan);
      const same =
        wasAsked() && file === undefined
          ? sameCommand(context, [...argvOf(members), ...documents.flatMap((one) => ['--document', one])])
          : [];
      return result(senderView, value, { notes: [...notes, ...same] });
    });
  },
});

/** A file is whole, or refused as it is: what it leaves out is not asked. */
async function formFor(
  context: Context,
  members: Record<string, unknown>,
  file: string | undefined,
): Promise<Form> {
  if (!context.interactive || file !== undefined) return { questions: async () => [] };
  return (await import('../../ask/sender-form.ts')).senderForm(context, members);
}

function argvOf(members: Record<string, unknown>): string[] {
  const own = Object.entries(members).filter(([name]) => isOwn(name));
  const others = Object.entries(members).filter(([name]) => !isOwn(name) && name !== 'documents');
  return [
    ...flagWords(Object.fromEntries(own.map(([name, value]) => [flagOf(name), String(value)]))),
    ...pairWords('field', Object.fromEntries(others)),
  ];
}

const isOwn = (name: string): boolean =>
  name === 'type' || (ownSenderFields as readonly string[]).includes(name);
