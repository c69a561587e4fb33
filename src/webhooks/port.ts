/** The inbox as payments ask it (`payments/desk.ts`). */
import type { Desk, RawDelivery } from '../payments/desk.ts';
import { eachDelivery } from './in-inbox.ts';
import { inboxIfAny } from './open-inbox.ts';

const MOST_RECEIVED = 500;

export async function deliveriesAbout(desk: Desk, transactionId: string): Promise<RawDelivery[]> {
  const inbox = await inboxIfAny(desk);
  if (inbox === undefined) return [];
  const found: RawDelivery[] = [];
  for await (const page of eachDelivery(inbox, { transactionId }, MOST_RECEIVED))
    for (const { id, repeat } of page) {
      const kept = repeat ? undefined : await inbox.get(id);
      if (kept) found.push(kept);
    }
  return found;
}
