/**
 * Uploads a document. If the process dies, or the answer is lost, it is not sent again: a document has no id of ours, and would
 * stand twice.
 */

import { planDocumentCreate } from '../../client/directory-plans.ts';
import type { Document, DocumentWrite } from '../../contract/resources/document.ts';
import { hint } from '../../core/next.ts';
import { byName } from '../confirmation.ts';
import type { Desk } from '../desk.ts';
import type { WritePermit, WriteStep } from '../gate.ts';
import { plainWrite, type Stored } from '../plain-write.ts';

export const uploadStep = ({ upload_file_name: name, upload_file_size: size }: DocumentWrite): WriteStep => ({
  effect: 'write',
  what: [`upload ${name}${size === undefined ? '' : ` (${Math.max(1, Math.round(size / 1000))} kB)`}`],
  confirm: byName(name ?? 'document'),
});

export const uploadDocument = (
  desk: Desk,
  permit: WritePermit,
  document: DocumentWrite,
): Promise<Stored<Document>> =>
  plainWrite<Document>(desk, permit, {
    plan: (client) => planDocumentCreate(client, document),
    next: hint`${{ do: 'list_documents' }}`,
  });
