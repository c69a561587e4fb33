/** Where webhooks may go. */
import { isLoopback } from '../../core/hosts.ts';

/** @assumes webhook-hosts */
export function isAllowedHost(hostname: string, deliverTo: readonly string[]): boolean {
  return isLoopback(hostname) || deliverTo.some((host) => host.toLowerCase() === hostname.toLowerCase());
}
