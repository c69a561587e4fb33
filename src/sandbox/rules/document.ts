/**
 * Documents: an image or a PDF as a data URI, or an address that is kept and never fetched (docs/wire.md 9). Many
 * libraries break base64 into lines: line breaks and blanks in it do not count. @assumes base64-lines
 */
import type { DocumentRecord, Plain } from '../store/records.ts';
import { Problems } from './problems.ts';
import { isBlank, isDate, readMap, readText, requireText } from './reading.ts';

export type DocumentDraft = Omit<DocumentRecord, 'id' | 'createdAt' | 'disabled'>;

const DATA_URI = /^data:(image\/[a-z0-9.+-]+|application\/pdf);base64,/;
/** Without line breaks and blanks. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TEXTS = ['document_type', 'document_id', 'issuing_country', 'source'];

export function readDocument(sent: Plain): { draft: DocumentDraft | null; problems: Problems } {
  const problems = new Problems();
  const upload = requireText(sent.upload, 'upload', problems);
  const fileName = requireText(sent.upload_file_name, 'upload_file_name', problems);
  const metadata = readMap(sent.metadata, 'metadata', problems);
  const file = upload === null ? null : readUpload(upload);
  if (upload !== null && file === null) problems.add('upload', 'invalid');
  for (const name of TEXTS) readText(sent[name], name, problems);
  if (!isBlank(sent.side) && sent.side !== 'front' && sent.side !== 'back') problems.add('side', 'invalid');
  const expiry = readText(sent.expiry_date, 'expiry_date', problems);
  if (expiry !== null && !isDate(expiry)) problems.add('expiry_date', 'invalid');
  if (problems.any || upload === null || fileName === null || file === null) return { draft: null, problems };
  return { draft: { upload, fileName, ...file, fields: ownFields(sent), metadata }, problems };
}

function readUpload(upload: string): Pick<DocumentRecord, 'contentType' | 'size'> | null {
  const [head, contentType] = DATA_URI.exec(upload) ?? [];
  if (head !== undefined && contentType !== undefined) {
    const base64 = upload.slice(head.length).replace(/\s/g, '');
    return BASE64.test(base64) ? { contentType, size: Buffer.byteLength(base64, 'base64') } : null;
  }
  const isAddress = /^https?:\/\//.test(upload) && URL.canParse(upload);
  return isAddress ? { contentType: null, size: null } : null;
}

function ownFields({ side, expiry_date, document_type, document_id, issuing_country, source }: Plain): Plain {
  return { side, expiry_date, document_type, document_id, issuing_country, source };
}
