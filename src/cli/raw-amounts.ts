/** What a raw call would pay, for a profile that has limits: from its body, or from the service's own calculation of it. */
import { readJson } from '../client/json.ts';
import { createDebits } from '../contract/operations/accounts.ts';
import type { Operation } from '../contract/operations/operation.ts';
import {
  calculateTransaction,
  createAndFundTransaction,
  createTransaction,
} from '../contract/operations/transactions.ts';
import { toDecimal } from '../core/money.ts';
import type { Context } from './context.ts';
import type { Amount } from './guard.ts';

type Members = Record<string, unknown>;

const UNKNOWN: readonly Amount[] = [{ amount: null, currency: null }];

/** Undefined where nothing is limited, or the operation names no amount of its own. */
export async function rawAmounts(
  context: Context,
  operation: Operation | undefined,
  body: string | undefined,
): Promise<readonly Amount[] | undefined> {
  const { limits } = await context.connection();
  if (limits.max_amount === undefined) return undefined;
  // Whatever the catalogue does not know may pay anything.
  if (operation === undefined) return UNKNOWN;
  const given = membersOf(body === undefined ? undefined : await readJson(body));
  if (operation.id === createDebits.id) return debitAmounts(given.debit ?? given.debits);
  if (operation.id === createTransaction.id || operation.id === createAndFundTransaction.id)
    return [await calculated(context, membersOf(given.transaction))];
  return undefined;
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** A debit that names no amount takes what its transaction needs: not known here. */
function debitAmounts(given: unknown): readonly Amount[] {
  const debits = (Array.isArray(given) ? given : [given]).map(membersOf);
  return debits.map(({ amount, currency }) => amountOf(amount, currency));
}

/** A negative one would make room for another beside it. */
function amountOf(given: unknown, currency: unknown): Amount {
  const amount = toDecimal(given);
  return {
    amount: amount?.startsWith('-') ? null : amount,
    currency: typeof currency === 'string' ? currency : null,
  };
}

async function calculated(context: Context, { external_id: _, ...transaction }: Members): Promise<Amount> {
  const { method, path, effect } = calculateTransaction;
  const client = await context.client();
  const answer = await client.raw({ method, path, effect, body: JSON.stringify({ transaction }) });
  if (answer.status > 299) return amountOf(null, null);
  const { object } = membersOf(await readJson(answer.body));
  const { input_amount: amount, input_currency: currency } = membersOf(object);
  return amountOf(amount, currency);
}
