/** The balances that the account holds now. */
import { readBalances as readAll } from '../../client/hopeless.ts';
import type { Decimal } from '../../core/money.ts';
import type { Desk } from '../desk.ts';

export const readBalances = async (desk: Desk): Promise<ReadonlyMap<string, Decimal>> =>
  readAll(await desk.client());
