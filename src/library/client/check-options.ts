/**
 * What a partner's code gives is checked before anything is opened: a time-out that is no number would never end, and an option that is
 * misspelt would be believed. The compiler asks for a check of each option.
 */
import type * as Public from '../client-types.ts';

/** What is wrong with a value; undefined where nothing is. */
type Check = (value: unknown) => string | undefined;

const must =
  (words: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? undefined : `must be ${words}`;

const text = must('a text', (value) => typeof value === 'string');
const call = must('a function', (value) => typeof value === 'function');
const object = must('an object', (value) => typeof value === 'object' && value !== null);
const isWhole = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least;
const milliseconds = must(
  'a number of milliseconds above 0',
  (value) => isWhole(value, 1) && Number(value) <= 2 ** 31 - 1,
);
const retries = must('0 or a whole number above it', (value) => isWhole(value, 0));
const oneOf = (...words: string[]): Check =>
  must(words.join(' or '), (value) => words.includes(value as string));

const OF_CLIENT: Readonly<Record<keyof Public.PartnerClientOptions, Check>> = {
  baseUrl: text,
  key: text,
  secret: text,
  intents: object,
  scheme: oneOf('signature', 'secret'),
  environment: oneOf('sandbox', 'production'),
  name: text,
  host: text,
  partnerPath: text,
  timeoutMs: milliseconds,
  connectTimeoutMs: milliseconds,
  retries,
  nonce: call,
  headers: call,
  logger: object,
  onError: call,
  onExchange: call,
  ca: text,
  proxy: object,
  connections: must('a whole number above 0', (value) => isWhole(value, 1)),
};

const OF_CALL: Readonly<Record<keyof Public.CallOptions, Check>> = {
  signal: object,
  timeoutMs: milliseconds,
  retries,
  nonce: call,
  headers: object,
};

const flag = must('true or false', (value) => typeof value === 'boolean');

const OF_MONEY: Readonly<Record<keyof Public.MoneyOptions, Check>> = {
  ...OF_CALL,
  settle: flag,
  newPayment: flag,
};

const OF_SETTLING: Readonly<Record<keyof Public.SettleOptions, Check>> = {
  ...OF_CALL,
  look: flag,
};

/** @throws TypeError */
function check(what: string, table: Readonly<Record<string, Check>>, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(table, name))
      throw new TypeError(`${name} is no option of ${what}: it takes ${Object.keys(table).join(', ')}`);
    const wrong = value === undefined ? undefined : table[name]?.(value);
    if (wrong !== undefined) throw new TypeError(`${name} ${wrong}`);
  }
}

/** @throws TypeError */
export const checkClientOptions = (options: Public.PartnerClientOptions): void =>
  check('a client', OF_CLIENT, options);
/** @throws TypeError */
export const checkCallOptions = (options: Public.CallOptions = {}): void => check('a call', OF_CALL, options);
/** @throws TypeError */
export const checkMoneyOptions = (options: Public.MoneyOptions): void =>
  check('a call that moves money', OF_MONEY, options);
/** @throws TypeError */
export const checkSettleOptions = (options: Public.SettleOptions): void =>
  check('settling', OF_SETTLING, options);
