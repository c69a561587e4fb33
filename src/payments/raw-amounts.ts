/**
 * The amounts that a raw call would pay, for a profile that has limits (decision 0003): from its body, or
 * from the service's own calculation of it.
 */

import { readJson } from '../client/json.ts';
import { createDebits } from '../contract/operations/accounts.ts';
import type { Operation } from '../contract/operations/operation.ts';
import {
  calculateTransaction,
  createAndFundTransaction,
  createTransaction,
} from '../contract/operations/transactions.ts';
import { toDecimal } from '../core/money.ts';
import type { Desk } from './desk.ts';
import { type Amount, areLimited } from './limits.ts';
import { externalName, transactionName } from './store/daily-allowance-port.ts';

type Members = Record<string, unknown>;

const UNKNOWN: readonly Amount[] = [{ amount: null, currency: null }];

/** Undefined where nothing is limited, or the operation names no amount of its own. */
export async function rawAmounts(
  desk: Desk,
  { operation, path, body }: { operation: Operation | undefined; path: string; body: string | undefined },
): Promise<readonly Amount[] | undefined> {
  const { limits } = await desk.connection();
  if (!areLimited(limits)) return undefined;
  // A call that the catalogue does not know may pay anything. So may a call with an amount that stands there twice, or
  // beside the body: which of the two is read is unknown.
  if (operation === undefined || path.includes('?')) return UNKNOWN;
  const given = membersOf(body === undefined ? undefined : await readJson(body));
  if (Object.keys(given).length > 1 || (body !== undefined && saysTwice(body, given))) return UNKNOWN;
  if (operation.id === createDebits.id) return debitAmounts(given.debit ?? given.debits);
  if (operation.id === createTransaction.id || operation.id === createAndFundTransaction.id)
    return [
      {
        ...(await calculated(desk, membersOf(given.transaction))),
        isLater: operation.id === createTransaction.id,
      },
    ];
  return undefined;
}

/** Two members of one name in one object: JSON keeps the last, another reader may keep the first. */
function saysTwice(body: string, given: unknown): boolean {
  let written = 0;
  for (const [, colon] of body.matchAll(/"(?:[^"\\]|\\.)*"?(\s*:)?/g)) if (colon !== undefined) written += 1;
  return written !== countMembers(given);
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, member) => sum + countMembers(member), 0);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

/** Settling may send an intent again: these are the amounts that it would move, for the limits. */
export async function intentAmounts(
  desk: Desk,
  asked: { plan?: unknown; transaction?: unknown; debit?: unknown; fund?: unknown },
  externalId: string | undefined,
): Promise<readonly Amount[] | undefined> {
  const { limits } = await desk.connection();
  if (!areLimited(limits)) return undefined;
  if (asked.plan === 'create')
    return [{ ...(await calculated(desk, membersOf(asked.transaction))), isLater: asked.fund !== true }];
  if (asked.plan !== 'debit') return undefined;
  const also = externalId === undefined ? [] : [externalName(externalId)];
  return debitAmounts(asked.debit).map((one) => ({ ...one, names: [...(one.names ?? []), ...also] }));
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** A debit that names no amount takes what its transaction needs: not known here. */
function debitAmounts(given: unknown): readonly Amount[] {
  const debits = (Array.isArray(given) ? given : [given]).map(membersOf);
  return debits.map(({ amount, currency, to_id: id, to_type: type }) => ({
    ...amountOf(amount, currency),
    names: typeof id === 'string' && type === 'Transaction' ? [transactionName(id)] : [],
  }));
}

/** A negative one would make room for another beside it. */
function amountOf(given: unknown, currency: unknown): Amount {
  const amount = toDecimal(given);
  return {
    amount: amount?.startsWith('-') ? null : amount,
    currency: typeof currency === 'string' ? currency : null,
  };
}

async function calculated(desk: Desk, { external_id: id, ...transaction }: Members): Promise<Amount> {
  const { method, path, effect } = calculateTransaction;
  const client = await desk.client();
  const answer = await client.raw({ method, path, effect, body: JSON.stringify({ transaction }) });
  if (answer.status > 299) return amountOf(null, null);
  const { object } = membersOf(await readJson(answer.body));
  const { input_amount: amount, input_currency: currency } = membersOf(object);
  return { ...amountOf(amount, currency), names: typeof id === 'string' ? [externalName(id)] : [] };
}
