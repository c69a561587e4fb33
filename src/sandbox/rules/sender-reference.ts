/**
 * The five ways of referring to a sender inside a transaction: by id, by id with changes, by external id, by external id
 * with fields (which makes a new one, or changes the one that has it), and with both ids, which is refused.
 */
import { senderMoves } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, SenderRecord } from '../store/records.ts';
import { Problems } from './problems.ts';
import { isBlank, isEmptyMap, isPlain, readText } from './reading.ts';
import { checkIdentification, checkSender, readKind } from './sender.ts';

type PartyKind = 'person' | 'business';

export interface SenderDraft {
  /** The one that exists, if any. */
  existing: SenderRecord | undefined;
  /** True where anything about the sender is new. */
  changed: boolean;
  kind: PartyKind;
  externalId: string | null;
  fields: Plain;
}

/** Members that the service gives and a request cannot. */
const ANSWER_ONLY = [
  'id',
  'external_id',
  'type',
  'state',
  'state_reason',
  'errors',
  'providers',
  'created_at',
];
const BARRED: readonly string[] = ['disabled', 'banned', 'rejected'];

export function ownFields(sent: Plain): Plain {
  const own: Record<string, unknown> = {};
  for (const name of Object.keys(sent)) if (!ANSWER_ONLY.includes(name)) own[name] = sent[name];
  if (Array.isArray(own.metadata) && isEmptyMap(own.metadata)) own.metadata = {};
  return own;
}

/**
 * `full` when a corridor asks for full identification whatever the account's rules.
 * @assumes sender-both-ids
 */
export function readSenderReference(
  sandbox: SandboxState,
  sent: unknown,
  full: boolean,
): { draft: SenderDraft | null; problems: Problems } {
  const problems = new Problems();
  if (!isPlain(sent)) return { draft: null, problems };
  const id = readText(sent.id, 'id', problems);
  const externalId = readText(sent.external_id, 'external_id', problems);
  if (id !== null && externalId !== null) problems.add('id', 'invalid').add('external_id', 'invalid');
  if (problems.any) return { draft: null, problems };
  const existing = id === null ? byExternalId(sandbox, externalId) : sandbox.store.senders.get(id);
  if (id !== null && !existing) return { draft: null, problems: problems.add('id', 'invalid') };
  const draft = draftOf(sent, existing, externalId, problems);
  const wanted = full || !sandbox.settings.wtr2;
  problems.merge(
    draft.changed
      ? checkSender(sandbox, draft.fields, draft.kind, wanted)
      : checkIdentification(draft.fields, draft.kind, wanted),
  );
  if (existing) checkStanding(existing, draft.changed, problems);
  return { draft, problems };
}

function byExternalId(sandbox: SandboxState, externalId: string | null): SenderRecord | undefined {
  return externalId === null ? undefined : sandbox.store.senders.byExternalId(externalId);
}

function draftOf(
  sent: Plain,
  existing: SenderRecord | undefined,
  externalId: string | null,
  problems: Problems,
): SenderDraft {
  const own = ownFields(sent);
  const kind = isBlank(sent.type) && existing ? existing.type : readKind(sent.type, 'type', problems);
  if (!existing) return { existing, changed: true, kind, externalId, fields: own };
  const different = differs(own, existing.fields);
  return {
    existing,
    changed: kind !== existing.type || different,
    kind,
    externalId: existing.externalId,
    fields: different ? withChanges(existing.fields, own) : existing.fields,
  };
}

/** An empty list of documents says that none is sent now, not that none is left. */
export function withChanges(kept: Plain, { documents, ...sent }: Plain): Plain {
  const none = documents === undefined || (Array.isArray(documents) && documents.length === 0);
  return { ...kept, ...sent, ...(none ? {} : { documents }) };
}

/** Members that say what is known already are no change. @assumes sender-same-fields */
function differs(sent: Plain, kept: Plain): boolean {
  return Object.keys(sent).some((name) => {
    const value = sent[name];
    if (value === kept[name]) return false;
    if (name === 'documents' && Array.isArray(value) && value.length === 0) return false;
    return JSON.stringify(value) !== JSON.stringify(kept[name]);
  });
}

function checkStanding(sender: SenderRecord, changed: boolean, problems: Problems): void {
  if (BARRED.includes(sender.state)) {
    problems.add('state', 'invalid').say(`the sender is ${sender.state} and cannot transact`);
  } else if (changed && !findMove(senderMoves, sender.state, 'edit')) {
    problems.add('state', 'invalid').say(`a sender that is ${sender.state} cannot be changed`);
  }
}
