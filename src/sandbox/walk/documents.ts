/** Stores documents, and says what becomes of them. */
import type { DocumentDraft } from '../rules/document.ts';
import type { DocumentRecord } from '../store/records.ts';
import { documentView } from '../views/document.ts';
import { newId, type SandboxState } from '../world.ts';

export function storeDocument(world: SandboxState, draft: DocumentDraft): DocumentRecord {
  const document = { id: newId(world), ...draft, disabled: false, createdAt: world.clock.now() };
  world.store.documents.insert(document);
  announceDocument(world, document, 'document.created');
  return document;
}

export function announceDocument(
  world: SandboxState,
  document: DocumentRecord,
  event: 'document.created' | 'document.disabled',
): void {
  world.emit(event, { type: 'Document', id: document.id, render: () => documentView(world, document) });
}
