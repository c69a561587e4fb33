import type { PayoutMethod } from '../../../contract/resources/payment-method.ts';
import { type DetailLine, toCell, type View } from '../../../frame/terminal/view.ts';
import { payoutMethodShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { fullName, payoutAccountOf } from '../../words/person.ts';

export const payoutMethodView: View<PayoutMethod> = {
  shape: payoutMethodShape,
  empty: 'no stored payout methods',
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'type', get: (row) => row.type },
    { name: 'name', priority: 1, least: 10, get: (row) => fullName(row.details) },
    { name: 'account', priority: 2, least: 8, keepsEnd: 8, get: (row) => payoutAccountOf(row.details) },
    { name: 'provider', priority: 3, get: (row) => row.provider },
  ],
  details: (row) => [
    ['payout method', row.id],
    ['state', row.state, { state: lookOf }],
    ['type', row.type],
    ['provider', row.provider],
    ...memberLines(row.details),
  ],
};

/** Members of a free-form object as lines of their own. */
export function memberLines(
  members: Record<string, unknown> | null | undefined,
  indent = false,
): DetailLine[] {
  return Object.entries(members ?? {}).map(([name, value]) => [
    name.replaceAll('_', ' '),
    typeof value === 'object' && value !== null ? JSON.stringify(value) : toCell(value),
    { indent },
  ]);
}
