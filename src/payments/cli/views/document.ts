import type { Document, Mandate } from '../../../contract/resources/document.ts';
import { byWord } from '../../../core/by-word.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import { documentShape, mandateShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';

export const documentView: View<Document> = {
  shape: documentShape,
  empty: 'no documents',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'upload_file_name', head: 'FILE', least: 12, get: (row) => row.upload_file_name },
    { name: 'document_type', head: 'TYPE', priority: 1, get: (row) => row.document_type },
    { name: 'side', priority: 2, get: (row) => row.side },
    { name: 'expiry_date', head: 'EXPIRES', priority: 2, get: (row) => row.expiry_date },
    {
      name: 'upload_file_size',
      head: 'BYTES',
      right: true,
      priority: 3,
      get: (row) => toCell(row.upload_file_size),
    },
    { name: 'category', priority: 4, get: (row) => row.category },
  ],
  details: (row) => [
    ['document', row.id],
    ['file', row.upload_file_name],
    ['content', row.upload_content_type],
    ['bytes', toCell(row.upload_file_size)],
    ['type', row.document_type],
    ['side', row.side],
    ['number', row.document_id],
    ['issued in', row.issuing_country],
    ['expires', row.expiry_date],
    ['category', row.category],
    ['source', row.source],
    ['url', row.url],
  ],
};

/** A service may answer with the file itself: it is never printed. */
export function withoutFile(document: Document): Document {
  const isFile = (value: string | null | undefined): boolean => value?.startsWith('data:') ?? false;
  return {
    ...document,
    upload: isFile(document.upload) ? null : document.upload,
    url: isFile(document.url) ? null : document.url,
  };
}

const MEANINGS: Readonly<Record<string, string>> = byWord({
  pending: 'it is being prepared',
  notified: 'the recipient was asked to sign it',
  signed: 'signed: payouts go ahead this calendar year',
  failed: 'its signing could not be started; validate a transaction to start it again',
  bypassed: 'no signature is needed: payouts go ahead',
});

export const mandateView: View<Mandate> = {
  shape: mandateShape,
  columns: [
    { name: 'id', get: (row) => row.id },
    { name: 'status', state: lookOf, get: (row) => row.status },
    { name: 'reference', get: (row) => row.reference },
    { name: 'signed_at', head: 'SIGNED', time: true, get: (row) => row.signed_at },
  ],
  details: (row) => [
    ['mandate', row.id],
    ['status', row.status, { state: lookOf }],
    ['which means', MEANINGS[row.status ?? '']],
    ['reference', row.reference],
    ['signed', row.signed_at],
    ['created', row.created_at],
    ['last change', row.updated_at],
  ],
};
