import { accountList, accountSingle, debitList, debitRequest, partnerBalance } from '../resources/account.ts';
import { listOf } from '../resources/common.ts';
import { operation, readOperation } from './operation.ts';

export const listAccounts = readOperation({
  id: 'accounts.list',
  wireId: 'get-accounts',
  path: '/accounts',
  summary: 'Balances, one per currency',
  answer: accountList,
});

export const getAccount = readOperation({
  id: 'accounts.get',
  wireId: 'get-account',
  path: '/accounts/{currency}',
  summary: 'The balance in one currency',
  answer: accountSingle,
  failures: [404],
});

export const createDebits = operation({
  id: 'debits.create',
  wireId: 'post-accounts-debits',
  method: 'POST',
  path: '/accounts/debits',
  summary: 'Fund one or more transactions from a balance',
  body: debitRequest,
  answer: debitList,
  status: 201,
  failures: [422],
  effect: 'money',
  settle: 'transaction',
});

export const listPartnerBalances = readOperation({
  id: 'partner_balance.list',
  wireId: 'get-balance',
  path: '/partner/balance',
  summary: 'Balances held at a provider',
  answer: listOf(partnerBalance),
});
