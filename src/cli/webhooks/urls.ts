/** URLs that deliveries made by hand are signed for and sent to. */
import { isLoopback } from '../../core/hosts.ts';
import { usage } from '../../core/problem.ts';
import type { Input, TextFlag } from '../flags/flag.ts';

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
