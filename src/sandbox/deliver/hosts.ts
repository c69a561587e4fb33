/** Hosts that mean this machine. */

export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

export function isAllowedHost(hostname: string, deliverTo: readonly string[]): boolean {
  return isLoopback(hostname) || deliverTo.some((host) => host.toLowerCase() === hostname.toLowerCase());
}
