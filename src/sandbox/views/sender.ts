import type { Plain, SenderRecord } from '../store/records.ts';
import { wireTime } from './times.ts';

export function senderView(sender: SenderRecord): Plain {
  return {
    id: sender.id,
    type: sender.type,
    state: sender.state,
    state_reason: sender.stateReason,
    external_id: sender.externalId,
    ...sender.fields,
    providers: {},
    created_at: wireTime(sender.createdAt),
  };
}
