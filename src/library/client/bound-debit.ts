/** A debit under a limit: of exactly what the transaction costs, which the service holds it to. */
import { debitOf } from '../../client/bound.ts';
import { RequestError } from '../../client/errors.ts';
import { isFunded } from '../../client/funded.ts';
import { aboveWords, isAbove, readLimit } from '../../client/limit.ts';
import { createDebits } from '../../contract/operations/accounts.ts';
import { OptionError } from '../../core/check-options.ts';
import { AmountError, eq } from '../../core/money.ts';
import type * as Public from '../client-types.ts';
import { CheckError } from './check-error.ts';
import { leftUnknown, openDebit } from './left-open.ts';
import type { Scope } from './scope.ts';

/** @throws OptionError */
export function limitOf(maxInput: string, currency: string): string {
  try {
    return readLimit(maxInput, currency, 'written');
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new OptionError('invalid', 'maxInput', `maxInput: ${error.message}`, { cause: error });
  }
}

/**
 * Binds a debit to exactly what the transaction costs. A transaction that is funded already is compared with no limit:
 * the debit is answered as what it is.
 * @throws CheckError, RequestError and OptionError: nothing was sent
 */
export async function boundDebit(
  scope: Scope,
  found: Public.Transaction,
  { debit, maxInput }: { debit: Public.DebitWrite; maxInput: string },
): Promise<{ debit: Public.DebitWrite } | { ended: Public.Outcome<Public.Transaction> }> {
  const limit = limitOf(maxInput, found.input_currency ?? '');
  const exact = debitOf(found);
  if (isFunded(found)) return { debit: { ...debit, ...exact } };
  if (isAbove(found, limit)) {
    const left = await openDebit(scope, found.id);
    if (left !== undefined) return { ended: leftUnknown(left) };
    throw new CheckError('above_max_input', createDebits.id, aboveWords(found, limit));
  }
  refuseOther(debit, exact);
  return { debit: { ...debit, ...exact } };
}

/** @throws RequestError where the debit names what the transaction does not cost */
function refuseOther(debit: Public.DebitWrite, { amount = '', currency }: Public.DebitWrite): void {
  const message = `is not what the transaction costs, ${amount} ${currency}`;
  if (debit.amount !== undefined && !eq(debit.amount, amount))
    throw new RequestError(createDebits.id, [{ path: 'amount', message }]);
  if (debit.currency !== undefined && debit.currency !== currency)
    throw new RequestError(createDebits.id, [{ path: 'currency', message }]);
}
