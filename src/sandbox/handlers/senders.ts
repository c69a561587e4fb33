import { senderMoves, senderStarts } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import { start } from '../machines/step.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, readText } from '../rules/reading.ts';
import { checkSender, readKind } from '../rules/sender.ts';
import { ownFields, type SenderDraft } from '../rules/sender-reference.ts';
import type { Plain, SenderRecord } from '../store/records.ts';
import { senderView } from '../views/sender.ts';
import { announceSender, moveSender } from '../walk/moves.ts';
import { newId, type World } from '../world.ts';
import { type Answer, badRequest, created, type Handler, notFound, ok, refused } from './handler.ts';
import { listAnswer, periodOf, windowOf } from './paging.ts';

export const listSenders: Handler = (world, { query }) => {
  const period = periodOf(query);
  if (!period) return badRequest;
  const window = windowOf(query);
  const externalId = query.get('external_id');
  if (externalId === null) return listAnswer(world.store.senders.page(period, window), window, senderView);
  const found = world.store.senders.byExternalId(externalId);
  const rows = found ? [found] : [];
  return listAnswer({ rows: window.page === 1 ? rows : [], total: rows.length }, window, senderView);
};

export const getSender: Handler = (world, { id }) => {
  const sender = world.store.senders.get(id);
  return sender ? ok(senderView(sender)) : notFound;
};

export const createSender: Handler = (world, { body }) => {
  const sent = isPlain(body.sender) ? body.sender : {};
  const problems = new Problems();
  const externalId = readText(sent.external_id, 'external_id', problems);
  if (!isBlank(sent.id)) problems.add('id', 'invalid');
  if (!isBlank(sent.id) && externalId !== null) problems.add('external_id', 'invalid');
  const kind = readKind(sent.type, 'type', problems);
  const fields = ownFields(sent);
  problems.merge(checkSender(fields, kind, world.settings));
  const existing = externalId === null ? undefined : world.store.senders.byExternalId(externalId);
  if (existing) return taken(sent, problems, existing);
  if (problems.any) return refused({ ...sent, errors: problems.wire });
  return created(senderView(storeSender(world, { existing, changed: true, kind, externalId, fields })));
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
  const fields = { ...sender.fields, ...ownFields(sent) };
  problems.merge(checkSender(fields, kind, world.settings));
  const other = externalId === null ? undefined : world.store.senders.byExternalId(externalId);
  if (other && other !== sender) return taken({ ...senderView(sender), ...sent }, problems, other);
  if (!findMove(senderMoves, sender.state, 'edit'))
    problems.say(`a ${sender.state} sender cannot be changed`);
  if (problems.any) return refused({ ...senderView(sender), ...sent, errors: problems.wire });
  storeSender(world, { existing: sender, changed: true, kind, externalId, fields });
  return ok(senderView(sender));
};

export const disableSender: Handler = (world, { id }) => {
  const sender = world.store.senders.get(id);
  if (!sender) return notFound;
  if (sender.state !== 'disabled') moveSender(world, sender, 'disable');
  return ok(senderView(sender));
};

/** The existing one comes along, so that the caller can use it. */
function taken(sent: Plain, problems: Problems, existing: SenderRecord): Answer {
  problems.add('external_id', 'taken');
  return refused({ ...sent, errors: problems.wire }, { existing: { sender: senderView(existing) } });
}

/** Makes the sender or applies the changes to the one that exists. */
export function storeSender(world: World, draft: SenderDraft): SenderRecord {
  const { existing, kind: type, externalId, fields } = draft;
  if (!existing) return addSender(world, draft);
  if (draft.changed) moveSender(world, existing, 'edit', { type, externalId, fields });
  return existing;
}

function addSender(world: World, { kind, externalId, fields }: SenderDraft): SenderRecord {
  const now = world.clock.now();
  const begin = start(senderStarts, world.settings.kyc === 'waived' ? 'kyc_waived' : 'kyc_needed', now);
  const record: SenderRecord = {
    id: newId(world),
    state: begin.to,
    stateReason: null,
    externalId,
    type: kind,
    fields,
    createdAt: now,
    history: [begin.change],
  };
  world.store.senders.insert(record);
  announceSender(world, record, begin.events);
  return record;
}
