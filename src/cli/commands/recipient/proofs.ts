import { ApiError } from '../../../client/errors.ts';
import { listProofsOfPayment } from '../../../contract/operations/recipients.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound } from '../../../core/problem.ts';
import { findRecipient } from '../../ask/find.ts';
import { command, result } from '../../command.ts';
import { flagText } from '../../flags/flag.ts';
import { recipientArgument, txFlag } from '../../flags/ids.ts';
import { proofView } from '../../views/proof.ts';

export { proofs as command };

const proofs = command<{ id: string; tx: string | undefined }>({
  description: 'Lists the files with their addresses; downloads none.',
  args: [recipientArgument],
  flags: [txFlag],
  shows: [proofView],
  effect: 'read',
  examples: [
    'remit recipient proofs 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient proofs 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --fields url',
  ],
  read: (input) => ({ id: input.args[0] ?? '', tx: flagText(input, 'tx') }),
  async run(context, { id, tx }) {
    const full = isUuid(id)
      ? id.toLowerCase()
      : (await findRecipient(context, id, { tx, use: 'read' })).recipient.id;
    const client = await context.client();
    try {
      const { object } = await client.call(listProofsOfPayment, { path: { recipient_id: full ?? id } });
      return result(proofView, object);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not_found')
        throw notFound(
          `no recipient ${id} on this account`,
          `if it is a transaction's id: remit tx show ${id} lists its recipients`,
        );
      throw error;
    }
  },
});
