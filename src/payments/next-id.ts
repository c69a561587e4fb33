/**
 * An external id names one transaction for ever. So a payment whose transaction ended without paying needs another id: `ID~2`, then `ID~3`. It is
 * counted up from the service's record, so that two machines that count at the same time come to the same id, and the service refuses the second.
 */
import type { PaymentFinder } from '../client/find-payment.ts';
import { isDead } from '../client/funded.ts';
import type { Transaction } from '../contract/resources/transaction.ts';

/** `a` → `a~2` → `a~3`. */
export function idAfter(externalId: string): string {
  const [, stem = externalId, count = '1'] = /^(.+)~([2-9]|[1-9]\d+)$/.exec(externalId) ?? [];
  return `${stem}~${Number(count) + 1}`;
}

/** True if it was neither funded nor cancelled within its hour. What a person cancelled is not taken up again. */
export function hasExpired(transaction: Transaction): boolean {
  const { expires_at: until, updated_at: endedAt } = transaction;
  return isDead(transaction) && Date.parse(endedAt ?? '') >= Date.parse(until ?? '');
}

export interface Named {
  /** The first of `ID`, `ID~2`, … that is not used up. */
  externalId: string;
  /** The transaction that has it already. */
  standing: Transaction | undefined;
}

/** Passes over each whose transaction is used up. @throws CallError where the service cannot say */
export async function freeId(
  find: PaymentFinder,
  externalId: string,
  isUsedUp: (found: Transaction) => boolean,
): Promise<Named> {
  for (let id = externalId; ; id = idAfter(id)) {
    const standing = await find(id);
    if (standing === undefined || !isUsedUp(standing)) return { externalId: id, standing };
  }
}
