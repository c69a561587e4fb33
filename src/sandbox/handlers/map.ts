/** Every operation of the catalogue has its place here, or this does not compile. */
import type { OperationId } from '../../contract/operations/index.ts';
import { getAccount, listAccounts } from './accounts.ts';
import { createDebits } from './debits.ts';
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
import { cancelRecipient, editRecipient, listRecipients } from './recipients.ts';
import { createSender, disableSender, editSender, getSender, listSenders } from './senders.ts';
import {
  calculateTransaction,
  createAndFund,
  createTransaction,
  getTransaction,
  listTransactions,
} from './transactions.ts';
import { createValidation } from './validations.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhookEvents, listWebhooks } from './webhooks.ts';

/** Answers 501 with the operation's name. */
export const notServed = Symbol('not served');

export const handlers: Readonly<Record<OperationId, Handler | typeof notServed>> = {
  'accounts.list': listAccounts,
  'accounts.get': getAccount,
  'debits.create': createDebits,
  'account_validations.create': createValidation,
  'api_logs.list': listApiLogs,
  'api_logs.get': getApiLog,
  'partner_balance.list': notServed,
  'currencies.list': listCurrencies,
  'currencies.in': listInputCurrencies,
  'currencies.out': listOutputCurrencies,
  'documents.list': notServed,
  'documents.create': notServed,
  'documents.get': notServed,
  'payment_methods.in': listPayinPaymentMethods,
  'payment_methods.out': listPayoutPaymentMethods,
  'webhook_logs.list': listWebhookLogs,
  'webhook_logs.get': getWebhookLog,
  'mandates.get': notServed,
  'payin_methods.get': notServed,
  'payin_methods.cancel': notServed,
  'payin_methods.edit': notServed,
  'payin_methods.retry': notServed,
  'payout_methods.list': notServed,
  'payout_methods.create': notServed,
  'payout_methods.get': notServed,
  'payout_methods.disable': notServed,
  'payout_methods.edit': notServed,
  'recipients.list': listRecipients,
  'recipients.cancel': cancelRecipient,
  'recipients.edit': editRecipient,
  'recipients.proofs': notServed,
  'senders.list': listSenders,
  'senders.create': createSender,
  'senders.get': getSender,
  'senders.disable': disableSender,
  'senders.edit': editSender,
  'transactions.list': listTransactions,
  'transactions.create': createTransaction,
  'transactions.calculate': calculateTransaction,
  'transactions.validate': notServed,
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
