import { ApiError } from '../../../client/errors.ts';
import { listProofsOfPayment } from '../../../contract/operations/recipients.ts';
import type { ProofOfPayment } from '../../../contract/resources/document.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { chooseRecipient } from '../ask/find.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { recipientArgument, txFlag } from '../flags/ids.ts';
import { type Result, result } from '../result.ts';
import { type ProofFile, proofFileView, proofView } from '../views/recipient.ts';

export const command = defineCommand({
  description:
    'Lists the files with their addresses. --download writes them into a folder, readable by you alone. A file that exists already is left as it is, and a note says so.',
  args: [recipientArgument],
  flags: { ...txFlag, download: { value: 'folder', summary: 'write the files into this folder' } },
  shows: [proofView, proofFileView],
  effect: 'read',
  examples: [
    'remit recipient proofs 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient proofs 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --fields url',
    'remit recipient proofs 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --download proofs',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    tx: input.flags.tx,
    folder: input.flags.download,
  }),
  async run(context, { id, tx, folder }) {
    const full = isUuid(id)
      ? id.toLowerCase()
      : (await chooseRecipient(context, id, { tx, use: 'read' })).recipient.id;
    const client = await context.client();
    try {
      const { object } = await client.call(listProofsOfPayment, { path: { recipient_id: full ?? id } });
      return folder === undefined ? result(proofView, object) : await downloaded(context, object, folder);
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

/** A file that cannot be written keeps no other from it either. */
async function downloaded(
  context: Context,
  proofs: readonly ProofOfPayment[],
  folder: string,
): Promise<Result> {
  const [{ fetchProofs }, { makeOwnFile }, { join, resolve }] = await Promise.all([
    import('../../cases/proof-files.ts'),
    import('../../../disk/own-file.ts'),
    import('node:path'),
  ]);
  const rows: ProofFile[] = [];
  for await (const { id, name, bytes, why } of fetchProofs(context, proofs)) {
    const path = join(folder, name);
    const failed = (because: string | null): ProofFile => ({
      id,
      path,
      bytes: null,
      outcome: 'failed',
      why: because,
    });
    if (bytes === undefined) {
      rows.push(failed(why));
      continue;
    }
    try {
      const isNew = makeOwnFile(resolve(context.process.cwd, path), bytes);
      rows.push({ id, path, bytes: bytes.length, outcome: isNew ? 'written' : 'there already', why: null });
    } catch (error) {
      rows.push(failed((error as Error).message));
    }
  }
  const isWhole = rows.every(({ outcome }) => outcome === 'written');
  return result(proofFileView, rows, { exit: isWhole ? exitCodes.ok : exitCodes.failed });
}
