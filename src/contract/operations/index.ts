/** Every operation of the service under our name for it. The sandbox's handler map is keyed by these names. */
import * as validations from './account-validations.ts';
import * as accounts from './accounts.ts';
import * as documents from './documents.ts';
import * as info from './info.ts';
import * as logs from './logs.ts';
import type { Operation } from './operation.ts';
import * as payinMethods from './payin-methods.ts';
import * as payoutMethods from './payout-methods.ts';
import * as recipients from './recipients.ts';
import * as senders from './senders.ts';
import * as transactions from './transactions.ts';
import * as webhooks from './webhooks.ts';

export const catalogue = {
  'accounts.list': accounts.listAccounts,
  'accounts.get': accounts.getAccount,
  'debits.create': accounts.createDebits,
  'account_validations.create': validations.createAccountValidation,
  'api_logs.list': logs.listApiLogs,
  'api_logs.get': logs.getApiLog,
  'partner_balance.list': accounts.listPartnerBalances,
  'currencies.list': info.listCurrencies,
  'currencies.in': info.listInputCurrencies,
  'currencies.out': info.listOutputCurrencies,
  'documents.list': documents.listDocuments,
  'documents.create': documents.createDocument,
  'documents.get': documents.getDocument,
  'payment_methods.in': info.listPayinPaymentMethods,
  'payment_methods.out': info.listPayoutPaymentMethods,
  'webhook_logs.list': logs.listWebhookLogs,
  'webhook_logs.get': logs.getWebhookLog,
  'mandates.get': documents.getMandate,
  'payin_methods.get': payinMethods.getPayinMethod,
  'payin_methods.cancel': payinMethods.cancelPayinMethod,
  'payin_methods.edit': payinMethods.editPayinMethod,
  'payin_methods.retry': payinMethods.retryPayinMethod,
  'payout_methods.list': payoutMethods.listPayoutMethods,
  'payout_methods.create': payoutMethods.createPayoutMethod,
  'payout_methods.get': payoutMethods.getPayoutMethod,
  'payout_methods.disable': payoutMethods.disablePayoutMethod,
  'payout_methods.edit': payoutMethods.editPayoutMethod,
  'recipients.list': recipients.listRecipients,
  'recipients.cancel': recipients.cancelRecipient,
  'recipients.edit': recipients.editRecipient,
  'recipients.proofs': recipients.listProofsOfPayment,
  'senders.list': senders.listSenders,
  'senders.create': senders.createSender,
  'senders.get': senders.getSender,
  'senders.disable': senders.disableSender,
  'senders.edit': senders.editSender,
  'transactions.list': transactions.listTransactions,
  'transactions.create': transactions.createTransaction,
  'transactions.calculate': transactions.calculateTransaction,
  'transactions.validate': transactions.validateTransaction,
  'transactions.create_and_fund': transactions.createAndFundTransaction,
  'transactions.get': transactions.getTransaction,
  'transactions.payin': transactions.forcePayin,
  'transactions.payout': transactions.forcePayout,
  'webhooks.list': webhooks.listWebhooks,
  'webhooks.create': webhooks.createWebhook,
  'webhooks.get': webhooks.getWebhook,
  'webhooks.delete': webhooks.deleteWebhook,
  'webhooks.events': webhooks.listWebhookEvents,
} as const;

export type OperationId = keyof typeof catalogue;

export const operationIds = Object.keys(catalogue) as OperationId[];

/** The row by our name or by the wire's. */
export function findOperation(name: string): Operation | undefined {
  const rows = Object.values(catalogue) as unknown as Operation[];
  return rows.find((row) => row.id === name || row.wireId === name);
}
