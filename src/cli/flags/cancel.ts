/** The flags that both cancels take. */
import type { CancelOptions } from '../../desk/payments/cancel.ts';
import { flags, type Input } from './flag.ts';
import { readWait, waitFlags } from './wait.ts';

export const cancelFlags = flags({
  request: { summary: 'also request a cancel where the payout is already with the provider' },
  ...waitFlags('each has its ending'),
});
export const readCancel = (input: Input<typeof cancelFlags>): CancelOptions => ({
  request: input.flags.request,
  waitMs: readWait(input),
});
