/** The flags that both cancels take. */
import type { CancelOptions } from '../../desk/payments/cancel.ts';
import { type Flag, flagOn, type Input } from './flag.ts';
import { readWait, waitFlags } from './wait.ts';

export const cancelFlags: readonly Flag[] = [
  { flags: '--request', summary: 'also request a cancel where the payout is already with the provider' },
  ...waitFlags('each has its ending'),
];
export const readCancel = (input: Input): CancelOptions => ({
  request: flagOn(input, 'request'),
  waitMs: readWait(input),
});
