/**
 * Everything that writes, and finds out what became of a write, as one part: the first call that needs it loads it (`later.ts`, decision 0048).
 * It is whole before anything is written down or sent. Behind an intent nothing is loaded any more but the reader of long numbers
 * (`client/json.ts`): an answer that cannot be read leaves the outcome unknown.
 */
import { joinKeys } from '../../client/join-keys.ts';
import { OptionError } from '../../core/check-options.ts';
import { sleep } from '../../core/clock.ts';
import type * as Public from '../client-types.ts';
import { clock, machine } from './machine.ts';
import { moneyWriter } from './money.ts';
import { type MoneyWrites, moneyWrites } from './money-writes.ts';
import { type PlainWrites, plainWrites } from './plain-writes.ts';
import type { Scope } from './scope.ts';
import { settlingOf } from './settling.ts';
import { UnderWay } from './under-way.ts';

export type Writes = MoneyWrites &
  PlainWrites &
  Pick<Public.PartnerClient, 'unsettled' | 'settle' | 'joinKey'>;

export function writesOf(scope: Scope, key: string): Writes {
  const underWay = new UnderWay({ ...machine(), host: scope.account.host, now: clock.now, sleep });
  const { settleCreation: settle, ...settling } = settlingOf(scope, underWay);
  return {
    ...moneyWrites({ scope, write: moneyWriter(scope, underWay, settle), settle }),
    ...plainWrites(scope),
    ...settling,
    joinKey: (oldKey, terms) => joinKey(scope, { oldKey, key }, terms),
  };
}

/**
 * A rotation: the key of this client took the place of another.
 * @throws OptionError, CallError: nothing was written down
 */
async function joinKey(
  scope: Scope,
  { oldKey, key }: { oldKey: string; key: string },
  options?: Public.CallOptions,
): Promise<'proven' | 'unproven'> {
  if (typeof oldKey !== 'string' || oldKey.trim() === '')
    throw new OptionError('missing', 'oldKey', 'oldKey is missing');
  if (oldKey === key) throw new OptionError('invalid', 'oldKey', 'oldKey is the key of this client');
  const { account, intents } = scope;
  const keys = { baseUrl: account.baseUrl, before: oldKey, key, at: clock.now() };
  const joined = await joinKeys(scope.client(options), intents, keys);
  if (joined.kind !== 'other_account') return joined.kind;
  throw new OptionError(
    'invalid',
    'oldKey',
    `the key of this client is of another account: it does not find transaction ${joined.transactionId}, which the old key made`,
  );
}
