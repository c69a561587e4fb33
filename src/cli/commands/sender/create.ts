/**
 * Creates a sender. No money moves, so no intent is kept; where the answer is lost, the sender is looked up by its external
 * id before anything is claimed. Without an external id a lost answer stays unknown, which is why one is advised.
 */
import { ApiError, isCallError } from '../../../client/errors.ts';
import { attempt, carryOut } from '../../../client/outcome.ts';
import { createSender, listSenders } from '../../../contract/operations/senders.ts';
import { type Sender, type SenderWrite, sender as senderSchema } from '../../../contract/resources/sender.ts';
import { command, flagMany, flagText, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { asFailure } from '../../errors.ts';
import { Failure } from '../../failure.ts';
import { guard } from '../../guard.ts';
import { readPairs } from '../../payment/pairs.ts';
import { checkSender, readSenderFlags, senderFlags, senderFromFile } from '../../sender-fields.ts';
import { maskData } from '../../terminal/mask.ts';
import { fullName } from '../../views/person.ts';
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
    await guard(context, {
      effect: 'write',
      what: [
        `create sender ${fullName(maskData(sender, context.mask))}${sender.external_id ? ` (${sender.external_id})` : ''}`,
      ],
    });
    const created = await send(context, sender);
    await context.remember([
      { kind: 'sender', id: created.value.id ?? '', externalId: created.value.external_id ?? undefined },
    ]);
    return result(senderView, created.value, {
      notes: created.found ? ['the answer was lost on the way; it was found by looking'] : [],
    });
  },
});

async function send(context: Context, sender: SenderWrite): Promise<{ value: Sender; found: boolean }> {
  const client = await context.client();
  const outcome = await carryOut<Sender>({
    send: () => attempt(async () => (await client.call(createSender, { body: { sender } })).object),
    async look() {
      if (!sender.external_id) return { kind: 'absent' };
      const { object } = await client.call(listSenders, {
        query: { external_id: sender.external_id as string },
      });
      const found = object.find((candidate) => candidate.external_id === sender.external_id);
      return found ? { kind: 'applied', value: found } : { kind: 'absent' };
    },
  });
  if (outcome.kind === 'applied') return { value: outcome.value, found: outcome.how === 'found' };
  if (outcome.kind === 'conflict' || !isCallError(outcome.error))
    throw asFailure(new Error('the sender was not created'));
  throw existingSender(outcome.error) ?? asFailure(outcome.error);
}

function existingSender(error: unknown): Failure | undefined {
  if (!(error instanceof ApiError) || error.details.existing.sender === undefined) return undefined;
  const existing = senderSchema.safeParse(error.details.existing.sender);
  const { facts } = asFailure(error);
  return new Failure({
    ...facts,
    message: 'a sender with this external id exists already',
    hint: existing.success ? `remit sender show ${existing.data.id}` : undefined,
  });
}
