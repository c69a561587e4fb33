import { listProofsOfPayment } from '../../contract/operations/recipients.ts';
import { fetchProof, MAX_PROOF_BYTES, openedAs, proofNames } from '../../desk/cases/proof-files.ts';
import { NO_PROOF } from '../../desk/cases/told.ts';
import type { Call } from '../call.ts';
import type { AnswerOf } from '../wire.ts';

const MOST_FILES = 20;

/** One after the other; one that fails does not keep the others from it. Together they have no more bytes than one may have. */
export async function proofs({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'proofs'>> {
  const client = await desk.client();
  const { object } = await client.call(listProofsOfPayment, { path: { recipient_id: id } });
  const names = proofNames(object);
  const files: AnswerOf<'proofs'>['files'] = [];
  let left = MAX_PROOF_BYTES;
  for (const [index, { url }] of object.slice(0, MOST_FILES).entries()) {
    const name = names[index] ?? '';
    try {
      const bytes = await fetchProof(desk, url ?? '', left);
      left -= bytes.length;
      files.push({ ...openedAs(name, bytes), base64: Buffer.from(bytes).toString('base64'), why: null });
    } catch (error) {
      files.push({ name, type: 'application/octet-stream', base64: null, why: (error as Error).message });
    }
  }
  const more = `These are the first ${MOST_FILES} of ${object.length}: the command lists all.`;
  return { files, note: object.length === 0 ? NO_PROOF : object.length > MOST_FILES ? more : null };
}
