/** The payment that a row asks for, as it is sent and as it is looked for. */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import type { PayRow } from './store/port.ts';

export const askedOf = (row: Pick<PayRow, 'body' | 'externalId'>) => ({
  plan: 'create' as const,
  transaction: { ...(JSON.parse(row.body) as TransactionWrite), external_id: row.externalId },
  fund: true,
  madeId: false,
});
