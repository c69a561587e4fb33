import { listProofsOfPayment } from '../../contract/operations/recipients.ts';
import { fetchProofs, MAX_PROOF_BYTES, openedAs } from '../../desk/cases/proof-files.ts';
import { NO_PROOF } from '../../desk/cases/told.ts';
import { workbookOf } from '../../desk/files/workbook.ts';
import type { Call } from '../call.ts';
import type { AnswerOf, QuestionOf } from '../wire.ts';

const MOST_FILES = 20;

/** Together they have no more bytes than one may have. */
export async function proofs({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'proofs'>> {
  const client = await desk.client();
  const { object } = await client.call(listProofsOfPayment, { path: { recipient_id: id } });
  const files: AnswerOf<'proofs'>['files'] = [];
  for await (const { name, bytes, why } of fetchProofs(desk, object.slice(0, MOST_FILES), MAX_PROOF_BYTES))
    files.push({ ...openedAs(name, bytes), base64: bytes === undefined ? null : base64(bytes), why });
  const more = `These are the first ${MOST_FILES} of ${object.length}: the command lists all.`;
  return { files, note: object.length === 0 ? NO_PROOF : object.length > MOST_FILES ? more : null };
}

/** Rows as the page has them, masked as they are there. */
export const workbook = async (
  _: Call,
  { columns, rows }: QuestionOf<'workbook'>,
): Promise<AnswerOf<'workbook'>> => ({
  base64: base64(workbookOf('payouts', columns, rows)),
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
