/** Payments that were found in the books, each with what it was found by. */
import { directionOfAll } from '../../contract/direction.ts';
import {
  type Recipient,
  transaction as schema,
  type Transaction,
} from '../../contract/resources/transaction.ts';
import { money } from '../../desk/words/amount.ts';
import { accountOf, fullName } from '../../desk/words/person.ts';
import type { View } from '../terminal/view.ts';

export type FoundRow = Transaction & {
  /** What the words fitted. */
  why: string;
  /** When the books read it. */
  as_of: string;
};

const first = ({ recipients }: FoundRow): Recipient | undefined => recipients?.[0];

/** A payment to several names the first. */
function whom(row: FoundRow): string | null {
  const name = fullName(first(row)?.payout_method?.details);
  const more = (row.recipients?.length ?? 0) - 1;
  return more > 0 ? `${name ?? ''} and ${more} more`.trim() : (name ?? null);
}

export const foundView: View<FoundRow> = {
  kind: 'found',
  empty: 'Nothing in the books fits every word.',
  added: (row) => ({ direction: directionOfAll(row.recipients) }),
  members: () => [...Object.keys(schema.shape), 'as_of', 'direction'],
  columns: [
    { name: 'id', id: true, priority: 0, get: (row) => row.id },
    { name: 'state', state: true, get: (row) => row.state },
    { name: 'name', priority: 1, least: 10, get: whom },
    { name: 'account', priority: 2, least: 12, get: (row) => accountOf(first(row)?.payout_method?.details) },
    {
      name: 'output',
      right: true,
      priority: 1,
      get: (row) => money(first(row)?.output_amount, first(row)?.output_currency),
    },
    { name: 'external_id', priority: 3, least: 12, get: (row) => row.external_id },
    { name: 'created_at', head: 'CREATED', priority: 4, time: true, get: (row) => row.created_at },
    { name: 'why', head: 'FOUND BY', priority: 1, least: 8, get: (row) => row.why },
    { name: 'direction', priority: 5, get: (row) => directionOfAll(row.recipients) },
  ],
};
