/**
 * Creates a sender. No money moves, so no intent is kept; where the answer is lost, the sender is looked up by its external
 * id before anything is claimed. Without an external id a lost answer stays unknown, which is why one is advised.
 */

import { detailDifferences } from '../../../client/compare.ts';
import { ApiError, isCallError } from '../../../client/errors.ts';
import { attempt, carryOut, type Outcome } from '../../../client/outcome.ts';
import { createSender, listSenders } from '../../../contract/operations/senders.ts';
import { type Sender, type SenderWrite, sender as senderSchema } from '../../../contract/resources/sender.ts';
import { Problem } from '../../../core/problem.ts';
import { admit, checkPass, type Pass } from '../../../desk/payments/gate.ts';
import { outcomeProblem } from '../../../desk/payments/outcome-problem.ts';
import { problemOf } from '../../../desk/problem-of.ts';
import { maskData } from '../../../desk/words/mask.ts';
import { fullName } from '../../../desk/words/person.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
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
    const pass = await admit(
      context,
      {
        effect: 'write',
        what: [
          `create sender ${fullName(maskData(sender, context.mask))}${sender.external_id ? ` (${sender.external_id})` : ''}`,
        ],
      },
      context.approver,
    );
    const created = await send(context, pass, sender);
    await context.remember([
      { kind: 'sender', id: created.value.id ?? '', externalId: created.value.external_id ?? undefined },
    ]);
    return result(senderView, created.value, { notes: created.notes });
  },
});

async function send(
  context: Context,
  pass: Pass,
  sender: SenderWrite,
): Promise<{ value: Sender; notes: string[] }> {
  await checkPass(context, pass, 'write');
  const client = await context.writingClient();
  let wasRefused = false;
  const outcome = await carryOut<Sender>({
    accepted: () => client.accepted(),
    async send() {
      const sent = await attempt(
        async () => (await client.call(createSender, { body: { sender }, expect })).object,
      );
      wasRefused ||= sent.kind === 'refused';
      return sent;
    },
    async look() {
      if (!sender.external_id) return { kind: 'absent' };
      const { object } = await client.call(listSenders, {
        query: { external_id: sender.external_id as string },
      });
      const found = object.find((candidate) => candidate.external_id === sender.external_id);
      return found && isSame(sender, found) ? { kind: 'applied', value: found } : { kind: 'absent' };
    },
  });
  function expect({ object }: { object: Sender }): string | undefined {
    if (!object.id) return 'the answer is not the sender that was asked for: it has no id';
    return isSame(sender, object) ? undefined : 'the answer is not the sender that was asked for';
  }
  if (outcome.kind === 'applied')
    return { value: outcome.value, notes: outcome.how === 'found' ? [wasRefused ? EXISTS : FOUND] : [] };
  if (outcome.kind === 'conflict' || !isCallError(outcome.error))
    throw problemOf(new Error('the sender was not created'));
  throw existingSender(outcome.error) ?? outcomeFailureOf(outcome, sender);
}

const FOUND = 'the answer was lost on the way; it was found by looking';
const EXISTS = 'it exists already with this external id, the same in every member: nothing new was created';

/** Documents come back otherwise than they were sent. */
const isSame = ({ documents: _, metadata: __, ...asked }: SenderWrite, found: Sender): boolean =>
  detailDifferences(asked, found).length === 0;

/** No intent is kept of it: what is unknown is looked for by its external id. */
function outcomeFailureOf(
  outcome: Extract<Outcome<Sender>, { kind: 'not_applied' | 'unknown' }>,
  { external_id: externalId }: SenderWrite,
): Problem {
  const failure = outcomeProblem(outcome, '');
  if (outcome.kind !== 'unknown') return failure;
  const hint = externalId ? `remit sender find ${externalId}` : 'remit sender list';
  return new Problem(
    { ...failure.facts, hint, outcomeNote: 'look before it is sent again' },
    { cause: outcome.error },
  );
}

function existingSender(error: unknown): Problem | undefined {
  if (!(error instanceof ApiError) || error.details.existing.sender === undefined) return undefined;
  const existing = senderSchema.safeParse(error.details.existing.sender);
  const { facts } = problemOf(error);
  return new Problem({
    ...facts,
    message: 'a sender with this external id exists already',
    hint: existing.success ? `remit sender show ${existing.data.id}` : undefined,
  });
}
