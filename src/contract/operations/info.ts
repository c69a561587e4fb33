import { listOf } from '../resources/common.ts';
import { currency, currencyExchange, paymentMethod } from '../resources/info.ts';
import { type QueryParameter, readOperation } from './operation.ts';

const bySender: readonly QueryParameter[] = [{ name: 'sender_id', kind: 'uuid' }];

export const listCurrencies = readOperation({
  id: 'currencies.list',
  wireId: 'info-currencies',
  path: '/info/currencies',
  summary: 'Currencies usable in requests',
  answer: listOf(currency),
});

export const listInputCurrencies = readOperation({
  id: 'currencies.in',
  wireId: 'info-currencies-in',
  path: '/info/currencies/in',
  summary: 'Input currencies with rates to each output currency',
  query: bySender,
  answer: listOf(currencyExchange),
});

export const listOutputCurrencies = readOperation({
  id: 'currencies.out',
  wireId: 'info-currencies-out',
  path: '/info/currencies/out',
  summary: 'Output currencies with rates against each input currency',
  query: bySender,
  answer: listOf(currencyExchange),
});

export const listPayinPaymentMethods = readOperation({
  id: 'payment_methods.in',
  wireId: 'payment-methods-in',
  path: '/info/payment_methods/in',
  summary: 'Possible payin methods',
  answer: listOf(paymentMethod),
});

export const listPayoutPaymentMethods = readOperation({
  id: 'payment_methods.out',
  wireId: 'payment-methods-out',
  path: '/info/payment_methods/out',
  summary: 'Possible payout methods',
  answer: listOf(paymentMethod),
});
