/** A rotation: the key of this client took the place of another. */
import { joinKeys } from '../../client/join-keys.ts';
import { OptionError } from '../../core/check-options.ts';
import type * as Public from '../client-types.ts';
import { clock } from './machine.ts';
import type { Scope } from './scope.ts';

/** @throws OptionError, CallError: nothing was written down */
export async function joinKey(
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
