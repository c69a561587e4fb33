import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, SenderRecord } from '../store/records.ts';
import { documentJson } from './document.ts';
import { wireTime } from './json.ts';

export function senderJson(sandbox: SandboxState, sender: SenderRecord): Plain {
  const { documents } = sender.fields;
  return {
    id: sender.id,
    type: sender.type,
    state: sender.state,
    state_reason: sender.stateReason,
    external_id: sender.externalId,
    ...sender.fields,
    ...(Array.isArray(documents) && documents.length > 0 ? { documents: shown(sandbox, documents) } : {}),
    providers: {},
    created_at: wireTime(sender.createdAt),
  };
}

/** A stored document stands in the sender as it would on its own. */
function shown(sandbox: SandboxState, documents: readonly Plain[]): Plain[] {
  return documents.map((each) => {
    const kept = typeof each.id === 'string' ? sandbox.store.documents.get(each.id) : undefined;
    return kept ? documentJson(sandbox, kept) : each;
  });
}
