/** Finds one payin method by what a person has: its id, or the external id or the id of its collection. */

import { getPayinMethod } from '../../contract/operations/payin-methods.ts';
import type { PayinMethod } from '../../contract/resources/payment-method.ts';
import { isUuid } from '../../core/ids.ts';
import { type Hint, hint } from '../../core/next.ts';
import { Ambiguous, findThen, notFound } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';
import { payinLine } from '../words/payment-lines.ts';
import { foundEither, readOne } from './read-one.ts';
import { findTransaction } from './transaction.ts';

export const payinMethodNext: Hint = hint`${{ do: 'show_transaction', id: 'ID' }} names the payin method of a collection`;

export interface FoundPayinMethod {
  id: string;
  method: PayinMethod;
}

/** @throws Problem (not found), Ambiguous where it may be one of several */
export async function findPayinMethod(
  desk: Desk,
  given: string,
  use: 'read' | 'write',
): Promise<FoundPayinMethod> {
  const byId = async (id: string): Promise<FoundPayinMethod> => ({
    id,
    method: await readOne(desk, getPayinMethod, id, { thing: 'payin method', next: payinMethodNext }),
  });
  const byCollection = () => findThen(() => ofCollection(desk, given, use), byId);
  return isUuid(given) ? foundEither(() => byId(given.toLowerCase()), byCollection) : byCollection();
}

async function ofCollection(desk: Desk, given: string, use: 'read' | 'write'): Promise<string> {
  const { transaction } = await findTransaction(desk, given, use);
  const methods = transaction.payin_methods ?? [];
  const [only, ...more] = methods;
  if (only === undefined)
    throw notFound(
      `the payment ${given} has no payin method: it is paid from the balance`,
      hint`${{ do: 'show_transaction', id: given }} shows it`,
    );
  if (more.length === 0) return only.id ?? '';
  throw new Ambiguous<string>(
    `the collection ${given} has ${methods.length} payin methods: which one?`,
    `Which payin method of ${given}?`,
    methods.map((method) => ({
      id: method.id ?? '',
      line: `${method.state}  ${payinLine(method)}`,
      take: async () => method.id ?? '',
    })),
  );
}
