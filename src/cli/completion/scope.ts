/** Whose ids are offered: those of the connection that the command would use. No secret is read for it. */

import { checkBaseUrl } from '../../contract/base-url.ts';
import type { Env } from '../../core/env.ts';
import { namedProfile } from '../../profiles/connection.ts';

/** As ids are remembered (context.ts). @throws where there is no connection */
export function scopeOf(env: Env, asked: string | undefined): string {
  const { name, baseUrl } = accountOf(env, asked);
  return `${name} ${baseUrl}`;
}

/** @throws where there is no connection */
export function accountOf(env: Env, asked: string | undefined): { name: string; baseUrl: string } {
  const named = namedProfile(env, asked);
  if (asked !== undefined && named === undefined) throw new Error(`no profile ${asked}`);
  const baseUrl = named?.profile.baseUrl ?? env.REMIT_BASE_URL ?? '';
  return { name: named?.name ?? 'environment', baseUrl: checkBaseUrl(baseUrl, { insecure: true }) };
}
