/** How long a handler is given: the service gives ten seconds. */
import { parseDuration } from '../../core/clock.ts';
import { usage } from '../../core/problem.ts';
import { flags, type Input } from '../flags/flag.ts';

/** How long the service waits is not documented; the sandbox assumes this. */
const SERVICE_WAITS = '10s';

export const waitFlag = flags({
  timeout: { value: 'duration', summary: 'wait so long for an answer: 10s, as the service does' },
});

/** Milliseconds. @throws Problem (usage) */
export function readWaitMs(input: Input<typeof waitFlag>): number {
  const text = input.flags.timeout ?? SERVICE_WAITS;
  const ms = parseDuration(text);
  if (ms === null || ms < 1 || ms > 600_000)
    throw usage(`--timeout ${text} is not a duration up to 10m`, 'such as 10s or 500ms');
  return ms;
}
