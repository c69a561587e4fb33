import { keyLast4 } from '../../core/account.ts';
import type { Connection } from '../../profiles/connection.ts';

/**
 * Returns the names of the account. The three variables have no name of their own: there only the key tells
 * which account it is.
 */
export function liveNames({ source, name, credentials }: Connection): string[] {
  const key = `key:${keyLast4(credentials.key)}`;
  return source === 'environment' ? [key] : [name, key];
}
