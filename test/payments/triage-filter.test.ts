/** What is typed at the board finds a payout by all that its row shows: the sender and the reference too. */
import { expect, it } from 'vitest';
import type { Troubled } from '../../src/payments/cases/triage.ts';
import { matching } from '../../src/payments/cli/triage/rows.ts';
import { boardColumns } from '../../src/payments/cli/views/triage.ts';

const row = (id: string, members: object): Troubled =>
  ({
    id,
    state: 'error',
    standing: { can: [], refund_in_seconds: null, age_seconds: null },
    ...members,
  }) as unknown as Troubled;
const rows = [
  row('r-1', {
    transaction_external_id: 'INV-2044',
    sender: { first_name: 'Inês', last_name: 'Marques' },
    output_amount: '25000.0',
    output_currency: 'NGN',
    payout_method: { details: { first_name: 'Ada', bank_account: '••••6719', reference: 'rent may' } },
  }),
  row('r-2', { transaction_external_id: 'INV-2045', sender: { name: 'Bola Ltd' } }),
];
const found = (filter: string) => matching(rows, filter).map(({ id }) => id);

it.each([
  ['ines', ['r-1']],
  ['MARQUES ada', ['r-1']],
  ['2044', ['r-1']],
  ['6719', ['r-1']],
  ['25000', ['r-1']],
  ['rent', ['r-1']],
  ['bola', ['r-2']],
  ['INV', ['r-1', 'r-2']],
  ['ines 2045', []],
])('%s finds %j', (filter, ids) => {
  expect(found(filter)).toEqual(ids);
});

it('the board has both in columns', () => {
  const shown = Object.fromEntries(boardColumns.map(({ name, get }) => [name, get(rows[0] as Troubled)]));
  expect(shown).toMatchObject({ sender: 'Inês Marques', external_id: 'INV-2044' });
});
