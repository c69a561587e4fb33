/**
 * How a write is approved without a prompt: in production by `--yes`, with `--live` naming what it would run on; on a sandbox by
 * `--yes` alone, or without a user to ask.
 */

import { keyLast4 } from '../../../core/account.ts';
import { usage } from '../../../core/problem.ts';
import type { Globals } from '../../../frame/flags/globals.ts';
import type { Connection } from '../../../profiles/connection.ts';
import type { Stance } from '../../gate.ts';

/** @throws Problem (usage) where `--live` names something else */
export function stanceOf(
  { globals, interactive }: { globals: Pick<Globals, 'live' | 'yes'>; interactive: boolean },
  account: Connection,
): Stance {
  if (account.environment !== 'production')
    return interactive && !globals.yes ? { kind: 'asks' } : { kind: 'approved' };
  if (globals.live !== undefined && !liveNames(account).includes(globals.live)) {
    throw usage(
      `--live=${globals.live} does not name what this would run on: ${account.name}, key ending ${keyLast4(account.credentials.key)}`,
      `check --profile and the environment before anything else; if it is meant: ${liveNames(account)
        .map((name) => `--live=${name}`)
        .join(', or ')}`,
    );
  }
  if (globals.live !== undefined && globals.yes) return { kind: 'approved' };
  if (interactive) return { kind: 'asks' };
  const missing = [
    globals.yes ? '' : '--yes',
    globals.live === undefined ? `--live=${liveNames(account)[0]}` : '',
  ].filter(Boolean);
  return { kind: 'nobody', missing: `if it is meant: add ${missing.join(' ')}` };
}

/**
 * Returns the names of the account. The three variables have no name of their own: there only the key tells
 * which account it is.
 */
export function liveNames({ source, name, credentials }: Connection): string[] {
  const key = `key:${keyLast4(credentials.key)}`;
  return source === 'environment' ? [key] : [name, key];
}
