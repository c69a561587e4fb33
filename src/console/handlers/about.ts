import { keyLast4 } from '../../core/account.ts';
import { hasControls } from '../../sandbox/cli/control.ts';
import type { PageCall } from '../call.ts';
import type { About } from '../wire.ts';

/** Tells who this page is for, and what it may do. Asks the service for nothing. */
export async function about(call: PageCall): Promise<About> {
  const { account, desk, readOnly, text } = call;
  return {
    profile: account.name,
    isProduction: account.environment === 'production',
    key: `…${keyLast4(account.credentials.key)}`,
    canWrite: readOnly === undefined,
    whyNot: readOnly === undefined ? null : text(readOnly),
    reveals: call.showing.mask === 'none',
    zone: call.zone,
    hasControls: await hasControls(desk),
    version: call.version,
  };
}
