/** Writes that make and pay a transaction, as methods: each with the checks that stand before money (decision 0074). */

import { debitOf } from '../../client/bound.ts';
import { readTransaction } from '../../client/debit-plan.ts';
import { RequestError } from '../../client/errors.ts';
import { isFunded } from '../../client/funded.ts';
import { aboveWords, isAbove, readLimit } from '../../client/limit.ts';
import { createDebits } from '../../contract/operations/accounts.ts';
import { createAndFundTransaction, createTransaction } from '../../contract/operations/transactions.ts';
import { OptionError } from '../../core/check-options.ts';
import { askedDecimals } from '../../core/currency.ts';
import { AmountError, eq, parseAmount } from '../../core/money.ts';
import type * as Public from '../client-types.ts';
import { checkAccountOptions, checkFundingOptions, checkPaymentOptions } from './check-options.ts';
import { refuseWrongPayment } from './details.ts';
import { CheckError } from './errors.ts';
import { leftUnknown, openDebit } from './left-open.ts';
import { roundingOf } from './money.ts';
import { notSent } from './outcome.ts';
import { type Scope, termsOf } from './scope.ts';
import { type Payer, payWithin } from './within.ts';

type Of<Group extends keyof Public.PartnerClient> = Public.PartnerClient[Group];

type CreateOperation = typeof createTransaction | typeof createAndFundTransaction;

export interface PaymentWrites {
  createTransaction: Of<'transactions'>['create'];
  createAndFundTransaction: Of<'transactions'>['createAndFund'];
  createDebit: Of<'debits'>['create'];
}

export function paymentWrites(payer: Payer): PaymentWrites {
  return {
    createTransaction(transaction, options = {}) {
      return create(payer, transaction, { fund: false, options });
    },
    createAndFundTransaction(transaction, options = {}) {
      return create(payer, transaction, { fund: true, options });
    },
    async createDebit(given, options = {}) {
      checkFundingOptions(options);
      const { maxInput, ...money } = options;
      const { scope, write } = payer;
      // The write itself refuses a debit that names no transaction.
      const found = given?.to_id
        ? await readTransaction(scope.client(termsOf(money)), given.to_id)
        : undefined;
      const isBound = maxInput !== undefined && found !== undefined;
      const bound = isBound ? await boundDebit(scope, found, { debit: given, maxInput }) : { debit: given };
      if ('ended' in bound) return bound.ended;
      const { debit } = bound;
      const summary = 'fund a transaction';
      return write({ asked: { plan: 'debit', debit }, subject: debit?.to_id, summary, isBound }, money);
    },
  };
}

async function create(
  payer: Payer,
  transaction: Public.NamedTransaction,
  { fund, options }: { fund: boolean; options: Public.PaymentOptions },
): Promise<Public.Outcome<Public.Transaction>> {
  // A limit binds only what is paid: where nothing is, it is no option.
  if (fund) checkPaymentOptions(options);
  else checkAccountOptions(options);
  const { maxInput, accountsAsWritten, ...money } = options;
  const operation = fund ? createAndFundTransaction : createTransaction;
  refuseNameless(operation.id, transaction);
  refuseMisfit(operation, transaction);
  await refuseWrongPayment(operation.id, transaction, { accountsAsWritten, ...payer.scope.account });
  const { external_id: externalId } = transaction;
  const asked = { plan: 'create', transaction, fund } as const;
  if (maxInput !== undefined) {
    const limit = limitOf(maxInput, transaction.input_currency);
    const paid = await payWithin(payer, { payment: transaction, limit, money, terms: termsOf(money) });
    return { ...paid, ...roundingOf(asked) };
  }
  const summary = `${fund ? 'pay' : 'create'} ${amountsOf(transaction)}`;
  return payer.write({ asked, externalId, summary }, money);
}

/** By the contract, and then as the command line reads what a program wrote. @throws RequestError; nothing was sent */
function refuseMisfit(operation: CreateOperation, transaction: Public.NamedTransaction): void {
  const checked = operation.body?.safeParse({ transaction });
  const problems = checked?.error
    ? checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    : transaction.recipients.flatMap(({ requested_amount: amount, requested_currency: currency }, index) =>
        amountProblems(amount, currency).map((message) => ({
          path: `transaction.recipients.${index}.requested_amount`,
          message,
        })),
      );
  if (problems.length > 0) throw new RequestError(operation.id, problems);
}

function amountProblems(amount: string, currency: string): string[] {
  try {
    parseAmount(amount, askedDecimals(currency), currency, 'written');
    return [];
  } catch (error) {
    if (error instanceof AmountError) return [error.message];
    throw error;
  }
}

/** @throws RequestError; nothing was sent */
function refuseNameless(operation: string, transaction: Public.NamedTransaction): void {
  const { external_id: externalId } = (transaction ?? {}) as { external_id?: unknown };
  if (typeof externalId === 'string' && externalId.trim() !== '') return;
  const message = 'is missing: it is the name by which the payment is found again, and never made twice';
  throw new RequestError(operation, [{ path: 'external_id', message }]);
}

const SHOWN = 3;

/** For the journal: amounts, without names. */
function amountsOf({ recipients }: Public.NamedTransaction): string {
  const all = Array.isArray(recipients) ? recipients : [];
  const amounts = all.slice(0, SHOWN).map((one) => `${one?.requested_amount} ${one?.requested_currency}`);
  const more = all.length > SHOWN ? [`${all.length - SHOWN} more`] : [];
  return [...amounts, ...more].join(' + ');
}

/**
 * A debit under a limit: of exactly what the transaction costs, which the service holds it to.
 * @throws OptionError
 */
function limitOf(maxInput: string, currency: string): string {
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
 * @throws RequestError and OptionError: nothing was sent
 */
async function boundDebit(
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
    return { ended: notSent(new CheckError('above_max_input', createDebits.id, aboveWords(found, limit))) };
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
