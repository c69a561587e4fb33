import { listOf } from '../resources/common.ts';
import { payinMethodRequest } from '../resources/payment-method.ts';
import {
  transaction,
  transactionAnswer,
  transactionRequest,
  validateRequest,
} from '../resources/transaction.ts';
import { operation, page, readOperation } from './operation.ts';

const answer = transactionAnswer;

export const listTransactions = readOperation({
  id: 'transactions.list',
  wireId: 'get-transactions',
  path: '/transactions',
  summary: 'Transactions, or the one with an external id',
  query: [
    ...page,
    { name: 'external_id', kind: 'text' },
    { name: 'sender_id', kind: 'uuid' },
    { name: 'transactions_type', kind: 'text', values: ['automated', 'manual'] },
  ],
  answer: listOf(transaction),
  failures: [400],
  paging: 'envelope',
});

/** Moves no balance, yet it is half a payment and may start a collection: it counts as money (decision 0003). */
export const createTransaction = operation({
  id: 'transactions.create',
  wireId: 'post-transactions',
  method: 'POST',
  path: '/transactions',
  summary: 'Create a transaction, to be funded within an hour',
  body: transactionRequest,
  answer,
  status: 201,
  failures: [400, 422],
  effect: 'money',
  settle: 'external_id',
});

export const calculateTransaction = operation({
  id: 'transactions.calculate',
  wireId: 'calculate-transactions',
  method: 'POST',
  path: '/transactions/calculate',
  summary: 'Amounts and rate of a transaction, without creating it',
  body: transactionRequest,
  answer,
  failures: [422],
  effect: 'read',
  settle: 'repeat',
});

/** May start the signing of a mandate (docs/wire.md 10): a write. */
export const validateTransaction = operation({
  id: 'transactions.validate',
  wireId: 'validate-transactions',
  method: 'POST',
  path: '/transactions/validate',
  summary: 'Check a transaction and the flows open to it, without creating it',
  body: validateRequest,
  answer,
  failures: [422],
  effect: 'write',
  settle: 'repeat',
});

export const createAndFundTransaction = operation({
  id: 'transactions.create_and_fund',
  wireId: 'create-and-fund-transaction',
  method: 'POST',
  path: '/transactions/create_and_fund',
  summary: 'Create a transaction and fund it from the balance at once',
  body: transactionRequest,
  answer,
  status: 201,
  failures: [400, 422],
  effect: 'money',
  settle: 'external_id',
  slow: true,
});

export const getTransaction = readOperation({
  id: 'transactions.get',
  wireId: 'get-transaction',
  path: '/transactions/{transaction_id}',
  summary: 'One transaction with its recipients',
  answer,
  failures: [400, 404],
});

export const forcePayin = operation({
  id: 'transactions.payin',
  wireId: 'payin-transaction',
  method: 'POST',
  path: '/transactions/{transaction_id}/payin',
  summary: 'Force a collection to succeed',
  body: payinMethodRequest,
  answer,
  effect: 'money',
  settle: 'transaction',
  sandboxOnly: true,
});

export const forcePayout = operation({
  id: 'transactions.payout',
  wireId: 'payout-transaction',
  method: 'POST',
  path: '/transactions/{transaction_id}/payout',
  summary: 'Force the payouts of a funded transaction to succeed',
  answer,
  effect: 'money',
  settle: 'transaction',
  sandboxOnly: true,
});
