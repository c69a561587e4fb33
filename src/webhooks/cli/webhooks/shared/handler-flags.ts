/** URLs that deliveries made by hand are signed for and sent to. */

import { parseDuration } from '../../../../core/clock.ts';
import { isLoopback } from '../../../../core/hosts.ts';
import { usage } from '../../../../core/problem.ts';
import { flags, type Input, type TextFlag } from '../../../../frame/flags/flag.ts';

/** Returns a URL as it was typed: the signature covers its text. @throws Problem (usage) */
export function readHttpUrl(url: string | undefined, name: string): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw usage(`--${name} ${url} is not a URL`, 'such as http://127.0.0.1:3000/hooks');
}

/** @throws Problem (usage) where it is missing */
export function readTarget(input: Input<{ to: TextFlag }>): string {
  const to = readHttpUrl(input.flags.to, 'to');
  if (to === undefined)
    throw usage('--to is missing', 'the URL of your handler, such as http://127.0.0.1:3000/hooks');
  return to;
}

/** Returns the words that a context line has for a URL. */
export function whereTo(url: string): string {
  const { host, hostname } = new URL(url);
  return isLoopback(hostname) ? `${host}, on this machine` : `${host}, which is not this machine`;
}

/** How long the service waits is not documented; the sandbox assumes this. */
const SERVICE_WAITS = '10s';

/** How long a handler is given: the service gives ten seconds. */
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
