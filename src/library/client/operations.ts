/** The operations of the service as methods, named as in its catalogue. */

import { RequestError } from '../../client/errors.ts';
import { everyPage, firstSight, type ListAnswer, onePage } from '../../client/pages.ts';
import { checkFilters, type Query } from '../../client/url.ts';
import { createAccountValidation } from '../../contract/operations/account-validations.ts';
import { getAccount, listAccounts, listPartnerBalances } from '../../contract/operations/accounts.ts';
import { getDocument, getMandate, listDocuments } from '../../contract/operations/documents.ts';
import {
  listCurrencies,
  listInputCurrencies,
  listOutputCurrencies,
  listPayinPaymentMethods,
  listPayoutPaymentMethods,
} from '../../contract/operations/info.ts';
import { getApiLog, getWebhookLog, listApiLogs, listWebhookLogs } from '../../contract/operations/logs.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import { partnerBalancePath } from '../../contract/operations/partner-path.ts';
import { getPayinMethod } from '../../contract/operations/payin-methods.ts';
import { getPayoutMethod, listPayoutMethods } from '../../contract/operations/payout-methods.ts';
import { listProofsOfPayment, listRecipients } from '../../contract/operations/recipients.ts';
import { getSender, listSenders } from '../../contract/operations/senders.ts';
import {
  calculateTransaction,
  getTransaction,
  listTransactions,
} from '../../contract/operations/transactions.ts';
import { getWebhook, listWebhookEvents, listWebhooks } from '../../contract/operations/webhooks.ts';
import type * as Public from '../client-types.ts';
import type { Later } from './later.ts';
import { readRecord, type Scope } from './scope.ts';

type Operations = Omit<Public.PartnerClient, 'baseUrl' | 'unsettled' | 'settle' | 'joinKey' | 'close'>;

export const operationsOf = (scope: Scope, later: Later): Operations => ({
  ...information(scope),
  ...records(scope, later),
  ...payments(scope, later),
});

function information(scope: Scope) {
  const { client } = scope;
  return {
    accounts: {
      list: (options) => readRecord(scope, listAccounts, {}, options),
      get: (currency, options) => readRecord(scope, getAccount, { currency }, options),
    },
    accountValidations: {
      async create(body, options) {
        const { object, meta } = await client(options).call(createAccountValidation, { body });
        return { result: object ?? null, error: meta?.error ?? null };
      },
    },
    apiLogs: {
      list: (query, options) => listing(scope, listApiLogs, query, options),
      get: (id, options) => readRecord(scope, getApiLog, { api_log_id: id }, options),
    },
    webhookLogs: {
      list: (query, options) => listing(scope, listWebhookLogs, query, options),
      get: (id, options) => readRecord(scope, getWebhookLog, { webhook_log_id: id }, options),
    },
    partnerBalance: {
      list: (options) => {
        const operation = { ...listPartnerBalances, path: partnerBalancePath(scope.partnerPath) };
        return readRecord(scope, operation, {}, options);
      },
    },
    currencies: {
      list: (options) => readRecord(scope, listCurrencies, {}, options),
      in: async (query = {}, options) =>
        (await client(options).call(listInputCurrencies, { query: { ...query } })).object,
      out: async (query = {}, options) =>
        (await client(options).call(listOutputCurrencies, { query: { ...query } })).object,
    },
    paymentMethods: {
      in: (options) => readRecord(scope, listPayinPaymentMethods, {}, options),
      out: (options) => readRecord(scope, listPayoutPaymentMethods, {}, options),
    },
    mandates: { get: (id, options) => readRecord(scope, getMandate, { mandate_id: id }, options) },
  } satisfies Partial<Operations>;
}

function records(scope: Scope, later: Later) {
  return {
    documents: {
      list: (query, options) => listing(scope, listDocuments, query, options),
      create: later('createDocument'),
      get: (id, options) => readRecord(scope, getDocument, { document_id: id }, options),
    },
    payoutMethods: {
      list: (query, options) => listing(scope, listPayoutMethods, query, options),
      create: later('createPayoutMethod'),
      get: (id, options) => readRecord(scope, getPayoutMethod, { payout_method_id: id }, options),
      disable: later('disablePayoutMethod'),
      edit: later('editPayoutMethod'),
    },
    senders: {
      list: (query, options) => listing(scope, listSenders, query, options),
      create: later('createSender'),
      get: (id, options) => readRecord(scope, getSender, { sender_id: id }, options),
      disable: later('disableSender'),
      edit: later('editSender'),
    },
    webhooks: {
      list: (query, options) => listing(scope, listWebhooks, query, options),
      create: later('createWebhook'),
      get: (id, options) => readRecord(scope, getWebhook, { webhook_id: id }, options),
      delete: later('deleteWebhook'),
      events: (options) => readRecord(scope, listWebhookEvents, {}, options),
    },
  } satisfies Partial<Operations>;
}

function payments(scope: Scope, later: Later) {
  const { client, account } = scope;
  return {
    debits: { create: later('createDebit') },
    payinMethods: {
      get: (id, options) => readRecord(scope, getPayinMethod, { payin_method_id: id }, options),
      cancel: later('cancelPayinMethod'),
      edit: later('editPayinMethod'),
      retry: later('retryPayinMethod'),
    },
    recipients: {
      list: (query, options) => listing(scope, listRecipients, query, options),
      cancel: later('cancelRecipient'),
      edit: later('editRecipient'),
      proofs: (id, options) => readRecord(scope, listProofsOfPayment, { recipient_id: id }, options),
    },
    transactions: {
      list: (query, options) => listing(scope, listTransactions, query, options),
      create: later('createTransaction'),
      calculate: async (transaction, options) =>
        (await client(options).call(calculateTransaction, { body: { transaction } })).object,
      validate: later('validateTransaction'),
      createAndFund: later('createAndFundTransaction'),
      get: (id, options) => readRecord(scope, getTransaction, { transaction_id: id }, options),
      payin: async (id, method, options) => {
        refuseOutsideSandbox(account, 'transactions.payin');
        return later('forcePayin')(id, method, options);
      },
      payout: async (id, options) => {
        refuseOutsideSandbox(account, 'transactions.payout');
        return later('forcePayout')(id, options);
      },
    },
  } satisfies Partial<Operations>;
}

/** @throws RequestError; nothing was sent */
function refuseOutsideSandbox({ environment }: Scope['account'], operation: string): void {
  if (environment === 'sandbox') return;
  throw new RequestError(operation, [{ path: 'environment', message: 'is not a sandbox' }]);
}

/**
 * A list as an iterator and as pages. A page has a hundred records by default: the service's
 * calls are counted.
 */
const PER = 100;

function listing<Item>(
  { client }: Scope,
  operation: Operation<never, ListAnswer<Item>>,
  asked: object = {},
  options?: Public.CallOptions,
): Public.Listing<Item> {
  const query = { per: PER, ...asked } as Query;
  checkFilters(operation, query);

  /** Leaves out a record that comes again: one that is made meanwhile pushes the rest to later pages. */
  async function* pages(): AsyncGenerator<Public.Page<Item>, void, undefined> {
    const isNew = firstSight<Item>();
    for await (const page of everyPage(client(options), operation, { query }))
      yield { ...page, items: page.items.filter(isNew) };
  }

  return {
    pages,
    page: (number) => onePage(client(options), operation, { query: { ...query, page: number } }),
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
