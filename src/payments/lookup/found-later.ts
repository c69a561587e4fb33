/** A debit that a person called not applied, and that the service shows as applied: the history changes, and says so. */

import { isFunded } from '../../client/funded.ts';
import { isByWord } from '../../client/store/port.ts';
import { createDebits } from '../../contract/operations/accounts.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { isoTime } from '../../core/clock.ts';
import { type Desk, note } from '../desk.ts';

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
