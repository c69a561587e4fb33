/**
 * Finds an earlier call of unknown outcome beside a payment above its limit: the caller must not take that
 * payment for one that was not made.
 */

import { type Intent, type IntentFilter, UNSETTLED } from '../../client/store/port.ts';
import { createDebits } from '../../contract/operations/accounts.ts';
import { accountRelation } from '../../core/account.ts';
import type * as Public from '../client-types.ts';
import { unknown } from './outcome.ts';
import type { Scope } from './scope.ts';

/** A debit of this transaction with an unknown outcome. */
export const openDebit = (scope: Scope, id: string | null | undefined): Promise<Intent | undefined> =>
  id
    ? unsettled(scope, { subject: id }, ({ operation }) => operation === createDebits.id)
    : Promise.resolve(undefined);

/** An unsettled try of a payment, by its digest and its external id. */
export const openPayment = (scope: Scope, digest: string, id: string): Promise<Intent | undefined> =>
  unsettled(scope, { digest }, ({ externalId }) => externalId === id);

async function unsettled(
  { intents, account }: Scope,
  filter: IntentFilter,
  isIt: (intent: Intent) => boolean,
): Promise<Intent | undefined> {
  const found = (await intents.list({ ...filter, states: UNSETTLED })).filter(isIt);
  if (found.length === 0) return undefined;
  const joins = await intents.joins();
  return found.find((intent) => accountRelation(account, intent, joins) !== 'other');
}

/** @param now why nothing was sent this time */
export const leftUnknown = (
  intent: Intent,
  now = 'it costs more than maxInput',
): Public.Outcome<Public.Transaction> => ({
  ...unknown(`${now}, and an earlier call of the same has an unknown outcome: settle that one`),
  intent,
});
