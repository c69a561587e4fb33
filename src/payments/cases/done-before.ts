/**
 * The requests that were made for a recipient from here before, by the journal: the service keeps no sign of
 * them on the recipient. A request from another machine is in the logs alone (`timelineOf`).
 */
import { cancelRecipient, editRecipient } from '../../contract/operations/recipients.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import type { Desk } from '../desk.ts';

export interface DoneBefore {
  /** How long ago, in milliseconds of our own clock; undefined where it was never done. */
  cancelRequestedMs?: number | undefined;
  editedMs?: number | undefined;
}

type Journal = Pick<Desk, 'store' | 'clock'>;

/** A journal that cannot be read does not stop the look. */
export async function doneBefore({ store, clock }: Journal, { id }: Recipient): Promise<DoneBefore> {
  if (!id) return {};
  try {
    const { intents } = await store();
    const found = await intents.list({ subject: id, states: ['applied'] });
    const agoMs = (operation: string): number | undefined => {
      const latest = found.find((intent) => intent.operation === operation);
      return latest && Math.max(0, clock.now() - latest.createdAt);
    };
    return { cancelRequestedMs: agoMs(cancelRecipient.id), editedMs: agoMs(editRecipient.id) };
  } catch {
    return {};
  }
}
