/** Every operation of the catalogue has its place here, or this does not compile. */
import type { OperationId } from '../../contract/operations/index.ts';
import { getAccount, listAccounts, listPartnerBalance } from './accounts.ts';
import { createDebits } from './debits.ts';
import { createDocument, getDocument, listDocuments } from './documents.ts';
import { forcePayin, forcePayout } from './forced.ts';
import type { Handler } from './handler.ts';
import {
  listCurrencies,
  listInputCurrencies,
  listOutputCurrencies,
  listPayinPaymentMethods,
  listPayoutPaymentMethods,
} from './info.ts';
import { getApiLog, getWebhookLog, listApiLogs, listWebhookLogs } from './logs.ts';
import { cancelPayinMethod, editPayinMethod, getPayinMethod, retryPayinMethod } from './payin-methods.ts';
import {
  createPayoutMethod,
  disablePayoutMethod,
  editPayoutMethod,
  getMandate,
  getPayoutMethod,
  listPayoutMethods,
} from './payout-methods.ts';
import { cancelRecipient, editRecipient, listProofs, listRecipients } from './recipients.ts';
import { createSender, disableSender, editSender, getSender, listSenders } from './senders.ts';
import {
  calculateTransaction,
  createAndFund,
  createTransaction,
  getTransaction,
  listTransactions,
  validateTransaction,
} from './transactions.ts';
import { createValidation } from './validations.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhookEvents, listWebhooks } from './webhooks.ts';

export const handlers: Readonly<Record<OperationId, Handler>> = {
  'accounts.list': listAccounts,
  'accounts.get': getAccount,
  'debits.create': createDebits,
  'account_validations.create': createValidation,
  'api_logs.list': listApiLogs,
  'api_logs.get': getApiLog,
  'partner_balance.list': listPartnerBalance,
  'currencies.list': listCurrencies,
  'currencies.in': listInputCurrencies,
  'currencies.out': listOutputCurrencies,
  'documents.list': listDocuments,
  'documents.create': createDocument,
  'documents.get': getDocument,
  'payment_methods.in': listPayinPaymentMethods,
  'payment_methods.out': listPayoutPaymentMethods,
  'webhook_logs.list': listWebhookLogs,
  'webhook_logs.get': getWebhookLog,
  'mandates.get': getMandate,
  'payin_methods.get': getPayinMethod,
  'payin_methods.cancel': cancelPayinMethod,
  'payin_methods.edit': editPayinMethod,
  'payin_methods.retry': retryPayinMethod,
  'payout_methods.list': listPayoutMethods,
  'payout_methods.create': createPayoutMethod,
  'payout_methods.get': getPayoutMethod,
  'payout_methods.disable': disablePayoutMethod,
  'payout_methods.edit': editPayoutMethod,
  'recipients.list': listRecipients,
  'recipients.cancel': cancelRecipient,
  'recipients.edit': editRecipient,
  'recipients.proofs': listProofs,
  'senders.list': listSenders,
  'senders.create': createSender,
  'senders.get': getSender,
  'senders.disable': disableSender,
  'senders.edit': editSender,
  'transactions.list': listTransactions,
  'transactions.create': createTransaction,
  'transactions.calculate': calculateTransaction,
  'transactions.validate': validateTransaction,
  'transactions.create_and_fund': createAndFund,
  'transactions.get': getTransaction,
  'transactions.payin': forcePayin,
  'transactions.payout': forcePayout,
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.get': getWebhook,
  'webhooks.delete': deleteWebhook,
  'webhooks.events': listWebhookEvents,
};
