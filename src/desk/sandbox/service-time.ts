/** What time it is for the service: a sandbox on this machine has a clock of its own, everybody else has ours. */

import type { Context } from '../../cli/context.ts';
import { readControlToken } from '../../profiles/control-token.ts';

/** Milliseconds since 1970. Ages and deadlines are reckoned by it; a sandbox that does not say falls back to our clock. */
export async function serviceNow(context: Context): Promise<number> {
  const ours = context.world.clock.now();
  const { baseUrl } = await context.connection();
  if (readControlToken(context.world.env, baseUrl) === undefined) return ours;
  try {
    const { control } = await import('./control.ts');
    const { now } = await control<{ now?: string }>(context, 'sandbox.clock.show');
    const theirs = Date.parse(now ?? '');
    return Number.isNaN(theirs) ? ours : theirs;
  } catch {
    return ours;
  }
}
