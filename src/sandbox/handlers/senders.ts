import { senderMoves, senderStarts } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import { startRow } from '../machines/step.ts';
import { readDocument } from '../rules/document.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, readText } from '../rules/reading.ts';
import { checkSender, readKind } from '../rules/sender.ts';
import { ownFields, type SenderDraft, withChanges } from '../rules/sender-reference.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { Plain, SenderRecord } from '../store/records.ts';
import { announceDocument, storeDocument } from '../transitions/documents.ts';
import { announceSender, changeBy, moveSender } from '../transitions/moves.ts';
import { scheduleSenderCheck } from '../transitions/sender-check.ts';
import { senderJson } from '../views/sender.ts';
import { type Answer, absent, badRequest, created, type Handler, ok, refused } from './handler.ts';
import { listAnswer, queryPeriod, windowOf } from './paging.ts';

export const listSenders: Handler = (sandbox, { query }) => {
  const period = queryPeriod(query);
  if (!period) return badRequest;
  const window = windowOf(query);
  const externalId = query.get('external_id');
  if (externalId === null)
    return listAnswer(sandbox.store.senders.page(period, window), window, (row) => senderJson(sandbox, row));
  const found = sandbox.store.senders.byExternalId(externalId);
  const rows = found ? [found] : [];
  return listAnswer({ rows: window.page === 1 ? rows : [], total: rows.length }, window, (row) =>
    senderJson(sandbox, row),
  );
};

export const getSender: Handler = (sandbox, { id }) => {
  const sender = sandbox.store.senders.get(id);
  return sender ? ok(senderJson(sandbox, sender)) : absent;
};

export const createSender: Handler = (sandbox, { body }) => {
  const sent = isPlain(body.sender) ? body.sender : {};
  const problems = new Problems();
  const externalId = readText(sent.external_id, 'external_id', problems);
  if (!isBlank(sent.id)) problems.add('id', 'invalid');
  if (!isBlank(sent.id) && externalId !== null) problems.add('external_id', 'invalid');
  const kind = readKind(sent.type, 'type', problems);
  const fields = ownFields(sent);
  problems.merge(checkSender(sandbox, fields, kind));
  const existing = externalId === null ? undefined : sandbox.store.senders.byExternalId(externalId);
  if (existing) return taken(sandbox, sent, problems, existing);
  if (problems.any) return refused({ ...sent, errors: problems.wire });
  return created(
    senderJson(sandbox, storeSender(sandbox, { existing, changed: true, kind, externalId, fields })),
  );
};

export const editSender: Handler = (sandbox, { id, body }) => {
  const sender = sandbox.store.senders.get(id);
  if (!sender) return absent;
  const sent = isPlain(body.sender) ? body.sender : {};
  const problems = new Problems();
  if (!isPlain(body.sender)) problems.say('the body has no sender');
  if (!isBlank(sent.id) && sent.id !== id) problems.add('id', 'invalid');
  const externalId = readText(sent.external_id, 'external_id', problems) ?? sender.externalId;
  const kind = isBlank(sent.type) ? sender.type : readKind(sent.type, 'type', problems);
  const fields = withChanges(sender.fields, ownFields(sent));
  problems.merge(checkSender(sandbox, fields, kind));
  const other = externalId === null ? undefined : sandbox.store.senders.byExternalId(externalId);
  if (other && other !== sender)
    return taken(sandbox, { ...senderJson(sandbox, sender), ...sent }, problems, other);
  if (!findMove(senderMoves, sender.state, 'edit'))
    problems.say(`a ${sender.state} sender cannot be changed`);
  if (problems.any) return refused({ ...senderJson(sandbox, sender), ...sent, errors: problems.wire });
  storeSender(sandbox, { existing: sender, changed: true, kind, externalId, fields });
  return ok(senderJson(sandbox, sender));
};

export const disableSender: Handler = (sandbox, { id }) => {
  const sender = sandbox.store.senders.get(id);
  if (!sender) return absent;
  if (sender.state !== 'disabled') {
    moveSender(sandbox, sender, 'disable');
    disableDocuments(sandbox, sender);
  }
  return ok(senderJson(sandbox, sender));
};

/** The existing one comes along, so that the caller can use it. */
function taken(sandbox: SandboxState, sent: Plain, problems: Problems, existing: SenderRecord): Answer {
  problems.add('external_id', 'taken');
  return refused({ ...sent, errors: problems.wire }, { existing: { sender: senderJson(sandbox, existing) } });
}

/** A sender that is switched off takes its documents along. @assumes document-disabled */
function disableDocuments(sandbox: SandboxState, { fields }: SenderRecord): void {
  for (const id of documentIds(fields.documents)) {
    const document = sandbox.store.documents.get(id);
    if (!document || document.disabled) continue;
    sandbox.store.documents.update(document, { disabled: true });
    announceDocument(sandbox, document, 'document.disabled');
  }
}

function documentIds(documents: unknown): string[] {
  const all: unknown[] = Array.isArray(documents) ? documents : [];
  return all.flatMap((each) => (isPlain(each) && typeof each.id === 'string' ? [each.id] : []));
}

/**
 * Stores each document that is sent along as one of its own. It is referred to by its id from then on.
 * @assumes document-stored
 */
function keepDocuments(sandbox: SandboxState, fields: Plain): Plain {
  if (!Array.isArray(fields.documents)) return fields;
  const documents = fields.documents.map((each: Plain) => {
    if (typeof each.id === 'string') return { id: each.id };
    const { draft } = readDocument(each);
    return draft ? { id: storeDocument(sandbox, draft).id } : each;
  });
  return { ...fields, documents };
}

/** Makes the sender or applies the changes to the one that exists. @assumes sender-changes */
export function storeSender(sandbox: SandboxState, draft: SenderDraft): SenderRecord {
  const { existing, kind: type, externalId } = draft;
  const fields = draft.changed ? keepDocuments(sandbox, draft.fields) : draft.fields;
  if (!existing) return addSender(sandbox, { ...draft, fields });
  if (draft.changed) {
    moveSender(sandbox, existing, 'edit', { type, externalId, fields });
    scheduleSenderCheck(sandbox, existing);
  }
  return existing;
}

function addSender(sandbox: SandboxState, { kind, externalId, fields }: SenderDraft): SenderRecord {
  const now = sandbox.clock.now();
  const begin = startRow(senderStarts, sandbox.settings.kyc === 'waived' ? 'kyc_waived' : 'kyc_needed');
  const record: SenderRecord = {
    id: newId(sandbox),
    state: begin.to,
    stateReason: null,
    externalId,
    type: kind,
    fields: { ...fields, documents: fields.documents ?? [], metadata: fields.metadata ?? {} },
    createdAt: now,
    history: [changeBy(sandbox, begin)],
  };
  sandbox.store.senders.insert(record);
  announceSender(sandbox, record, begin.events);
  scheduleSenderCheck(sandbox, record);
  return record;
}
