/** `--wait` and `--timeout`: how long a command waits for an end. */

import { parseDuration } from '../../../core/clock.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input, type TextFlag } from '../../../frame/flags/flag.ts';
import type { CancelOptions } from '../../cancel.ts';

const DEFAULT_WAIT_MS = 60_000;

export const waitFlags = (until: string) =>
  flags({
    wait: { summary: `wait until ${until}, a minute at most` },
    timeout: { value: 'duration', summary: 'wait this long at most, such as 90s or 5m' },
  });

/** Milliseconds to wait at most, undefined for no wait. @throws Problem (usage) */
export function readWait(input: Input<ReturnType<typeof waitFlags>>): number | undefined {
  return readTimeout(input) ?? (input.flags.wait ? DEFAULT_WAIT_MS : undefined);
}

export function readTimeout(input: Input<{ timeout: TextFlag }>): number | undefined {
  const given = input.flags.timeout;
  if (given === undefined) return undefined;
  const ms = parseDuration(given);
  if (ms === null) throw usage(`"${given}" is not a duration`, 'such as --timeout 90s or --timeout 5m');
  return ms;
}

/** The flags that both cancels take. */
export const cancelFlags = flags({
  request: { summary: 'also request a cancel where the payout is already with the provider' },
  ...waitFlags('each has its ending'),
});
export const readCancel = (input: Input<typeof cancelFlags>): CancelOptions => ({
  request: input.flags.request,
  waitMs: readWait(input),
});
