/**
 * Outcomes that a look at a transaction finds later, and that the history did not have: a debit that a person called not applied, and an edit that
 * arrived after a newer one. The history changes, and says so.
 */

import { overtakenBy, undidNote } from '../../client/closing.ts';
import { editDifferences } from '../../client/compare.ts';
import { isFunded } from '../../client/funded.ts';
import { isByWord, UNSETTLED } from '../../client/store/port.ts';
import type { Asked } from '../../client/writes.ts';
import { createDebits } from '../../contract/operations/accounts.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { isoTime } from '../../core/clock.ts';
import { hint } from '../../core/next.ts';
import { type Desk, note, tell } from '../desk.ts';

/** Where another debit of the journal funded it, or may have, the word stands. A journal that cannot be read does not stop a look. */
export async function hearFunded(desk: Desk, transaction: Transaction): Promise<void> {
  const { id } = transaction;
  if (!id || !isFunded(transaction)) return;
  try {
    const { intents } = await desk.store();
    const found = await intents.list({ subject: id, limit: Number.MAX_SAFE_INTEGER });
    const debits = found.filter(({ operation }) => operation === createDebits.id);
    const [said] = debits.filter(isByWord);
    if (said === undefined || debits.some(({ state }) => state !== 'not_applied')) return;
    await intents.close(said.id, { state: 'applied', resultId: id, note: `found later, ${said.note}` });
    note(desk, `the debit of ${isoTime(said.createdAt)} was applied after all: the history says so now`);
  } catch {
    // The next look at it tries again.
  }
}

/** Compares the recipients with edits that a newer one overtook and that may still arrive. */
export async function hearOlderEdits(desk: Desk, { recipients }: Transaction): Promise<void> {
  try {
    const { intents } = await desk.store();
    const open = await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER });
    for (const intent of open) {
      const newer = overtakenBy(intent);
      const recipient = recipients?.find(({ id }) => id === intent.subject);
      const asked = JSON.parse(intent.request ?? '{}') as Asked;
      if (newer === undefined || !recipient?.id || asked.plan !== 'edit') continue;
      if (editDifferences(asked.recipient, recipient).length > 0) continue;
      await intents.close(intent.id, { state: 'applied', resultId: recipient.id, note: undidNote(newer) });
      tell(
        desk,
        hint`remit: an older edit (${intent.id}) arrived after a newer one (${newer}): recipient ${recipient.id} has the older values again. ${{ do: 'show_intent', id: newer }} shows the newer one: run its command again now`,
      );
    }
  } catch {
    // The next look at it tries again.
  }
}
