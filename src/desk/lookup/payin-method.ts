/** From what a person has to one payin method: its id, or the external id or the id of its collection. */

import { chooseOne } from '../../cli/ask/choose-one.ts';
import type { Argument } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { getPayinMethod } from '../../contract/operations/payin-methods.ts';
import type { PayinMethod } from '../../contract/resources/payment-method.ts';
import { isUuid } from '../../core/ids.ts';
import { notFound } from '../../core/problem.ts';
import { payinLine } from '../words/payment-lines.ts';
import { foundEither, readOne } from './read-one.ts';
import { findTransaction } from './transaction.ts';

export const payinMethodArgument: Argument = {
  name: 'ID',
  summary: 'the payin method’s id, or the external id of its collection',
};

export const payinMethodNext = 'remit tx show ID names the payin method of a collection';

export interface FoundPayinMethod {
  id: string;
  method: PayinMethod;
}

/** @throws Failure (not found; usage where it may be one of several, with all of them) */
export async function findPayinMethod(
  context: Context,
  given: string,
  use: 'read' | 'write',
): Promise<FoundPayinMethod> {
  const byId = async (id: string): Promise<FoundPayinMethod> => ({
    id,
    method: await readOne(context, getPayinMethod, id, { thing: 'payin method', next: payinMethodNext }),
  });
  const byCollection = async (): Promise<FoundPayinMethod> => byId(await ofCollection(context, given, use));
  return isUuid(given) ? foundEither(() => byId(given), byCollection) : byCollection();
}

async function ofCollection(context: Context, given: string, use: 'read' | 'write'): Promise<string> {
  const { transaction } = await findTransaction(context, given, use);
  const candidates = (transaction.payin_methods ?? []).map((item) => ({
    item,
    id: item.id ?? '',
    line: `${item.state}  ${payinLine(item)}`,
  }));
  const [only, ...more] = candidates;
  if (only === undefined)
    throw notFound(
      `the payment ${given} has no payin method: it is paid from the balance`,
      `remit tx show ${given} shows it`,
    );
  if (more.length === 0) return only.id;
  const chosen = await chooseOne(context, candidates, {
    message: `the collection ${given} has ${candidates.length} payin methods: which one?`,
    question: `Which payin method of ${given}?`,
  });
  return chosen.id ?? '';
}
