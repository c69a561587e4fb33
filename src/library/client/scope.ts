/**
 * The things that all operations of one client share: the account, its journal, and a client for the terms of one
 * call.
 */

import type { Client } from '../../client/client.ts';
import type { Intents } from '../../client/store/port.ts';
import type { CallTerms } from '../../client/terms.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import type { Key } from '../../core/account.ts';
import type * as Public from '../client-types.ts';
import { checkMoneyOptions } from './check-options.ts';

export interface ClientAccount extends Key {
  baseUrl: string;
  environment: string;
  /** In the journal. */
  profile: string;
  host: string;
  pid: number;
}

export interface Scope {
  account: ClientAccount;
  intents: Intents;
  /** The client, for a call of these terms. */
  client(options?: Public.CallOptions): Client;
  /** True where no request at all is to be sent twice. */
  once(options?: Public.CallOptions): boolean;
  log(line: string): void;
  partnerPath: string;
}

/** How the calls of a write are made: without what it says of earlier writes of the same. @throws OptionError */
export function termsOf(options: Public.MoneyOptions = {}): Public.CallOptions {
  checkMoneyOptions(options);
  const { settle: _, newPayment: __, ...terms } = options;
  return terms;
}

/** The same client, each call of which is made on these terms. */
export function onTerms(client: Client, options: Public.CallOptions): Client {
  const terms = options as CallTerms;
  return { ...client, call: (operation, args = {}) => client.call(operation, { ...terms, ...args }) };
}

/** Each answer of a single record has it as its `object`. */
export async function readRecord<T>(
  { client }: Scope,
  operation: Operation<never, { object: T }>,
  path: Readonly<Record<string, string>>,
  options?: Public.CallOptions,
): Promise<T> {
  return (await client(options).call(operation, { path })).object;
}
