/** Checks the options of the client and of its calls, before anything is opened. */

import { RequestError } from '../../client/errors.ts';
import {
  aCount,
  aFlag,
  aFunction,
  anObject,
  aText,
  aWordOf,
  type Checks,
  checkOptions,
  isWhole,
  must,
  OptionError,
} from '../../core/check-options.ts';
import type * as Public from '../client-types.ts';

const milliseconds = must(
  'a number of milliseconds above 0',
  (value) => isWhole(value, 1) && Number(value) <= 2 ** 31 - 1,
);
const retries = must('0 or a whole number above it', (value) => isWhole(value, 0));

const OF_CLIENT: Checks<Public.PartnerClientOptions> = {
  baseUrl: aText,
  key: aText,
  secret: aText,
  intents: anObject,
  scheme: aWordOf('signature', 'secret'),
  environment: aWordOf('sandbox', 'production'),
  insecure: aFlag,
  name: aText,
  host: aText,
  partnerPath: aText,
  timeoutMs: milliseconds,
  connectTimeoutMs: milliseconds,
  retries,
  nonce: aFunction,
  headers: aFunction,
  logger: anObject,
  onError: aFunction,
  onExchange: aFunction,
  tracer: anObject,
  traceparent: aFlag,
  ca: aText,
  proxy: anObject,
  connections: aCount,
  fetch: aFunction,
};

const OF_CALL: Checks<Public.CallOptions> = {
  signal: anObject,
  timeoutMs: milliseconds,
  retries,
  nonce: aFunction,
  headers: anObject,
};

const OF_MONEY: Checks<Public.MoneyOptions> = {
  ...OF_CALL,
  settle: aFlag,
  newPayment: aFlag,
};

const OF_ACCOUNTS: Checks<Public.AccountOptions> = { ...OF_MONEY, accountsAsWritten: aFlag };
const OF_PAYMENT: Checks<Public.PaymentOptions> = { ...OF_ACCOUNTS, maxInput: aText };
const OF_FUNDING: Checks<Public.FundingOptions> = { ...OF_MONEY, maxInput: aText };
const OF_STORING: Checks<Public.StoringOptions> = { ...OF_CALL, accountsAsWritten: aFlag };

const OF_SETTLING: Checks<Public.SettleOptions> = {
  ...OF_CALL,
  look: aFlag,
};

const OF_CONNECTIONS = ['ca', 'proxy', 'connections', 'connectTimeoutMs'] as const;

/** @throws OptionError */
export function checkClientOptions(options: Public.PartnerClientOptions): void {
  checkOptions('a client', OF_CLIENT, options);
  const ofOurs = OF_CONNECTIONS.find((name) => options.fetch && options[name] !== undefined);
  if (ofOurs !== undefined)
    throw new OptionError('invalid', ofOurs, `${ofOurs} is of our own connections: your fetch opens others`);
}
/** @throws OptionError */
export const checkCallOptions = (options: Public.CallOptions = {}): void =>
  checkOptions('a call', OF_CALL, options);
/** @throws OptionError */
export const checkMoneyOptions = (options: Public.MoneyOptions): void =>
  checkOptions('a call that moves money', OF_MONEY, options);
/** Their options beside those of every write of money; a limit is taken only where it binds. @throws OptionError */
export const checkAccountOptions = (options: Public.AccountOptions): void =>
  checkOptions('a call that moves money', OF_ACCOUNTS, options);
/** @throws OptionError */
export function accountOptions(options: Public.AccountOptions = {}): Public.AccountOptions {
  checkAccountOptions(options);
  return options;
}
/** @throws OptionError */
export const checkPaymentOptions = (options: Public.PaymentOptions): void =>
  checkOptions('a call that moves money', OF_PAYMENT, options);
/** @throws OptionError */
export const checkFundingOptions = (options: Public.FundingOptions): void =>
  checkOptions('a call that moves money', OF_FUNDING, options);
/** @throws OptionError */
export const checkStoringOptions = (options: Public.StoringOptions): void =>
  checkOptions('a call', OF_STORING, options);
/** @throws OptionError */
export const checkSettleOptions = (options: Public.SettleOptions): void =>
  checkOptions('settling', OF_SETTLING, options);

/**
 * Reads the members that an edit is about to change: sending it again must not undo a correction that came
 * after it. The members that the changes name, as they read now.
 */
export function currentValues(found: object, changes: object): Record<string, unknown> {
  const members = found as Record<string, unknown>;
  return Object.fromEntries(Object.keys(changes).map((name) => [name, members[name]]));
}

/** @throws RequestError; nothing was sent */
export function refuseEmptyEdit(operation: string, changes: object | null | undefined): void {
  if (Object.keys(changes ?? {}).length > 0) return;
  throw new RequestError(operation, [{ path: '', message: 'changes nothing' }]);
}
