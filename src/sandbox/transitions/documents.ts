/** Stores documents, and says what becomes of them. */
import type { DocumentDraft } from '../rules/document.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { DocumentRecord } from '../store/records.ts';
import { documentJson } from '../views/document.ts';

export function storeDocument(sandbox: SandboxState, draft: DocumentDraft): DocumentRecord {
  const document = { id: newId(sandbox), ...draft, disabled: false, createdAt: sandbox.clock.now() };
  sandbox.store.documents.insert(document);
  announceDocument(sandbox, document, 'document.created');
  return document;
}

export function announceDocument(
  sandbox: SandboxState,
  document: DocumentRecord,
  event: 'document.created' | 'document.disabled',
): void {
  sandbox.emit(event, { type: 'Document', id: document.id, render: () => documentJson(sandbox, document) });
}
