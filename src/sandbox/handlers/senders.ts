import { senderMoves, senderStarts } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import { start } from '../machines/step.ts';
import { readDocument } from '../rules/document.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, readText } from '../rules/reading.ts';
import { checkSender, readKind } from '../rules/sender.ts';
import { ownFields, type SenderDraft, withChanges } from '../rules/sender-reference.ts';
import type { Plain, SenderRecord } from '../store/records.ts';
import { senderView } from '../views/sender.ts';
import { announceDocument, storeDocument } from '../walk/documents.ts';
import { announceSender, changeBy, moveSender } from '../walk/moves.ts';
import { scheduleSenderCheck } from '../walk/sender-check.ts';
import { newId, type SandboxState } from '../world.ts';
import { type Answer, badRequest, created, type Handler, notFound, ok, refused } from './handler.ts';
import { listAnswer, periodOf, windowOf } from './paging.ts';

export const listSenders: Handler = (world, { query }) => {
  const period = periodOf(query);
  if (!period) return badRequest;
  const window = windowOf(query);
  const externalId = query.get('external_id');
  if (externalId === null)
    return listAnswer(world.store.senders.page(period, window), window, (row) => senderView(world, row));
  const found = world.store.senders.byExternalId(externalId);
  const rows = found ? [found] : [];
  return listAnswer({ rows: window.page === 1 ? rows : [], total: rows.length }, window, (row) =>
    senderView(world, row),
  );
};

export const getSender: Handler = (world, { id }) => {
  const sender = world.store.senders.get(id);
  return sender ? ok(senderView(world, sender)) : notFound;
};

export const createSender: Handler = (world, { body }) => {
  const sent = isPlain(body.sender) ? body.sender : {};
  const problems = new Problems();
  const externalId = readText(sent.external_id, 'external_id', problems);
  if (!isBlank(sent.id)) problems.add('id', 'invalid');
  if (!isBlank(sent.id) && externalId !== null) problems.add('external_id', 'invalid');
  const kind = readKind(sent.type, 'type', problems);
  const fields = ownFields(sent);
  problems.merge(checkSender(world, fields, kind));
  const existing = externalId === null ? undefined : world.store.senders.byExternalId(externalId);
  if (existing) return taken(world, sent, problems, existing);
  if (problems.any) return refused({ ...sent, errors: problems.wire });
  return created(
    senderView(world, storeSender(world, { existing, changed: true, kind, externalId, fields })),
  );
};

export const editSender: Handler = (world, { id, body }) => {
  const sender = world.store.senders.get(id);
  if (!sender) return notFound;
  const sent = isPlain(body.sender) ? body.sender : {};
  const problems = new Problems();
  if (!isPlain(body.sender)) problems.say('the body has no sender');
  if (!isBlank(sent.id) && sent.id !== id) problems.add('id', 'invalid');
  const externalId = readText(sent.external_id, 'external_id', problems) ?? sender.externalId;
  const kind = isBlank(sent.type) ? sender.type : readKind(sent.type, 'type', problems);
  const fields = withChanges(sender.fields, ownFields(sent));
  problems.merge(checkSender(world, fields, kind));
  const other = externalId === null ? undefined : world.store.senders.byExternalId(externalId);
  if (other && other !== sender)
    return taken(world, { ...senderView(world, sender), ...sent }, problems, other);
  if (!findMove(senderMoves, sender.state, 'edit'))
    problems.say(`a ${sender.state} sender cannot be changed`);
  if (problems.any) return refused({ ...senderView(world, sender), ...sent, errors: problems.wire });
  storeSender(world, { existing: sender, changed: true, kind, externalId, fields });
  return ok(senderView(world, sender));
};

export const disableSender: Handler = (world, { id }) => {
  const sender = world.store.senders.get(id);
  if (!sender) return notFound;
  if (sender.state !== 'disabled') {
    moveSender(world, sender, 'disable');
    disableDocuments(world, sender);
  }
  return ok(senderView(world, sender));
};

/** The existing one comes along, so that the caller can use it. */
function taken(world: SandboxState, sent: Plain, problems: Problems, existing: SenderRecord): Answer {
  problems.add('external_id', 'taken');
  return refused({ ...sent, errors: problems.wire }, { existing: { sender: senderView(world, existing) } });
}

/** A sender that is switched off takes its documents along. @assumes document-disabled */
function disableDocuments(world: SandboxState, { fields }: SenderRecord): void {
  for (const id of documentIds(fields.documents)) {
    const document = world.store.documents.get(id);
    if (!document || document.disabled) continue;
    world.store.documents.update(document, { disabled: true });
    announceDocument(world, document, 'document.disabled');
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
function keepDocuments(world: SandboxState, fields: Plain): Plain {
  if (!Array.isArray(fields.documents)) return fields;
  const documents = fields.documents.map((each: Plain) => {
    if (typeof each.id === 'string') return { id: each.id };
    const { draft } = readDocument(each);
    return draft ? { id: storeDocument(world, draft).id } : each;
  });
  return { ...fields, documents };
}

/** Makes the sender or applies the changes to the one that exists. @assumes sender-changes */
export function storeSender(world: SandboxState, draft: SenderDraft): SenderRecord {
  const { existing, kind: type, externalId } = draft;
  const fields = draft.changed ? keepDocuments(world, draft.fields) : draft.fields;
  if (!existing) return addSender(world, { ...draft, fields });
  if (draft.changed) {
    moveSender(world, existing, 'edit', { type, externalId, fields });
    scheduleSenderCheck(world, existing);
  }
  return existing;
}

function addSender(world: SandboxState, { kind, externalId, fields }: SenderDraft): SenderRecord {
  const now = world.clock.now();
  const begin = start(senderStarts, world.settings.kyc === 'waived' ? 'kyc_waived' : 'kyc_needed');
  const record: SenderRecord = {
    id: newId(world),
    state: begin.to,
    stateReason: null,
    externalId,
    type: kind,
    fields: { ...fields, documents: fields.documents ?? [], metadata: fields.metadata ?? {} },
    createdAt: now,
    history: [changeBy(world, begin)],
  };
  world.store.senders.insert(record);
  announceSender(world, record, begin.events);
  scheduleSenderCheck(world, record);
  return record;
}
