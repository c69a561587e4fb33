/**
 * Uploads a document. If the process dies, or the answer is lost, it is not sent again: a document has no id of ours, and would
 * stand twice.
 */
import { createDocument } from '../../contract/operations/documents.ts';
import type { Document, DocumentWrite } from '../../contract/resources/document.ts';
import { said } from '../../core/next.ts';
import type { Desk } from '../desk.ts';
import type { Pass, Step } from '../payments/gate.ts';
import { nothingToSee, plainWrite, type Stored } from '../payments/plain-write.ts';

export const uploadStep = ({ upload_file_name: name, upload_file_size: size }: DocumentWrite): Step => ({
  effect: 'write',
  what: [`upload ${name}${size === undefined ? '' : ` (${Math.max(1, Math.round(size / 1000))} kB)`}`],
});

export const uploadDocument = (desk: Desk, pass: Pass, document: DocumentWrite): Promise<Stored<Document>> =>
  plainWrite<Document>(desk, pass, {
    send: async (client) => (await client.call(createDocument, { body: { document }, expect })).object,
    look: nothingToSee,
    repeatable: false,
    next: said`${{ do: 'list_documents' }}`,
  });

/** The file comes back otherwise than it was sent: its id, and what else is told of it, show whose answer it is. */
const expect = ({ object }: { object: Document }): string | undefined =>
  object.id ? undefined : 'the answer is not the document that was asked for: it has no id';
