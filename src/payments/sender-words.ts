/**
 * A payment that names a sender by an unknown external id reads, to the service, as one with a new sender that lacks
 * everything. remit tells what was meant, once a look has shown that it is unknown: a sender that exists and lacks what the payout
 * type asks for is refused alike, and then the service's own words name the field.
 */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { hint } from '../core/next.ts';
import { Problem } from '../core/problem.ts';
import type { Desk } from './desk.ts';
import { senderByExternalId } from './lookup/sender.ts';
import { problemOf } from './problem-of.ts';

/** @throws what `work` throws, in those words where they fit */
export async function namingSender<T>(
  desk: Desk,
  { sender }: TransactionWrite,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = problemOf(error);
    const { category, fields = [] } = failure.facts;
    const externalId = Object.keys(sender).length === 1 ? sender.external_id : undefined;
    const isAboutSender = fields.length > 0 && fields.every(({ path }) => path.startsWith('sender.'));
    if (category !== 'validation' || typeof externalId !== 'string' || !isAboutSender) throw error;
    const isThere = await isKnown(desk, externalId);
    if (isThere === undefined) throw error;
    if (isThere) throw lacking(failure, externalId);
    throw new Problem(
      {
        ...failure.facts,
        message: `no sender has the external id "${externalId}"`,
        fields: [{ path: 'sender.external_id', words: ['no sender has it'] }],
        hint: hint`${{ do: 'create_sender', externalId }}, or ${{ do: 'list_senders' }}`,
        outcome: 'not applied',
      },
      { cause: error },
    );
  }
}

/** The sender is there: what the payout type asks of it is put in there, and the payment sent again. */
function lacking(failure: Problem, id: string): Problem {
  const { fields = [] } = failure.facts;
  const lacks = fields
    .map(({ path }) => path.slice('sender.'.length))
    .filter((name) => /^[a-z_]+$/.test(name));
  if (failure.facts.hint !== undefined || lacks.length === 0) return failure;
  return new Problem(
    { ...failure.facts, hint: hint`${{ do: 'edit_sender', id, lacks }}` },
    { cause: failure },
  );
}

/** Undefined where the look failed: then nothing is claimed. */
async function isKnown(desk: Desk, externalId: string): Promise<boolean | undefined> {
  try {
    return (await senderByExternalId(await desk.client(), externalId)) !== undefined;
  } catch {
    return undefined;
  }
}
