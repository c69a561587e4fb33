import { list } from '../resources/common.ts';
import { currency, currencyExchange, paymentMethod } from '../resources/info.ts';
import { type QueryParameter, read } from './operation.ts';

const bySender: readonly QueryParameter[] = [{ name: 'sender_id', kind: 'uuid' }];

export const listCurrencies = read({
  id: 'currencies.list',
  wireId: 'info-currencies',
  path: '/info/currencies',
  summary: 'Currencies usable in requests',
  answer: list(currency),
});

export const listInputCurrencies = read({
  id: 'currencies.in',
  wireId: 'info-currencies-in',
  path: '/info/currencies/in',
  summary: 'Input currencies with rates to each output currency',
  query: bySender,
  answer: list(currencyExchange),
});

export const listOutputCurrencies = read({
  id: 'currencies.out',
  wireId: 'info-currencies-out',
  path: '/info/currencies/out',
  summary: 'Output currencies with rates against each input currency',
  query: bySender,
  answer: list(currencyExchange),
});

export const listPayinPaymentMethods = read({
  id: 'payment_methods.in',
  wireId: 'payment-methods-in',
  path: '/info/payment_methods/in',
  summary: 'Possible payin methods',
  answer: list(paymentMethod),
});

export const listPayoutPaymentMethods = read({
  id: 'payment_methods.out',
  wireId: 'payment-methods-out',
  path: '/info/payment_methods/out',
  summary: 'Possible payout methods',
  answer: list(paymentMethod),
});
