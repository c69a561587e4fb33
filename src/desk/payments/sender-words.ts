/**
 * A payment that names a sender by an external id that nobody has reads, to the service, as one with a new sender that lacks
 * everything. What was meant is said instead.
 */
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';
import { problemOf } from '../problem-of.ts';

/** @throws what `work` throws, in those words where they fit */
export async function namingSender<T>({ sender }: TransactionWrite, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = problemOf(error);
    const { category, fields = [] } = failure.facts;
    const externalId = Object.keys(sender).length === 1 ? sender.external_id : undefined;
    const isAboutSender = fields.length > 0 && fields.every(({ path }) => path.startsWith('sender.'));
    if (category !== 'validation' || typeof externalId !== 'string' || !isAboutSender) throw error;
    throw new Problem(
      {
        ...failure.facts,
        message: `no sender has the external id "${externalId}"`,
        fields: [{ path: 'sender.external_id', words: ['no sender has it'] }],
        hint: said`${{ do: 'create_sender', externalId }}, or ${{ do: 'list_senders' }}`,
        outcome: 'not applied',
      },
      { cause: error },
    );
  }
}
