/** What the account holds now. */
import { listAccounts } from '../../contract/operations/accounts.ts';
import type { Decimal } from '../../core/money.ts';
import type { Desk } from '../desk.ts';

/** Read anew: whoever decides by it must not decide by what was there five minutes ago. */
export async function readBalances(desk: Desk): Promise<ReadonlyMap<string, Decimal>> {
  const client = await desk.client();
  const { object } = await client.call(listAccounts);
  return new Map(
    object.flatMap(({ currency, amount }) =>
      currency && amount != null ? [[currency, amount] as const] : [],
    ),
  );
}
