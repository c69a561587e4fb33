import type { SandboxState } from '../sandbox-state.ts';
import type { DocumentRecord, Plain } from '../store/records.ts';

/** An upload is answered as the address under which it can be read again (docs/wire.md 9). */
export function documentJson({ origin }: SandboxState, document: DocumentRecord): Plain {
  const { id, upload, fields } = document;
  const url = upload.startsWith('data:') ? `${origin}/files/documents/${id}` : upload;
  return {
    id,
    upload: url,
    url,
    upload_file_name: document.fileName,
    upload_content_type: document.contentType,
    upload_file_size: document.size,
    category: 'uncategorised',
    ...fields,
    source: fields.source ?? 'Manual',
    metadata: document.metadata,
  };
}
