/**
 * The path of the partner balance. The description calls its first segment a stand-in, so a service may have another: it is a
 * setting of the sandbox and of a profile.
 */
export const PARTNER_PATH = 'partner';

/** One segment that needs no escape, and is none of the service's own. */
export function isPathSegment(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(value) && !TAKEN.includes(value);
}

/** First segments of other operations. */
const TAKEN: readonly string[] = [
  ...[
    'accounts',
    'account_validations',
    'api_logs',
    'documents',
    'info',
    'logs',
    'mandates',
    'payin_methods',
  ],
  ...['payout_methods', 'recipients', 'senders', 'transactions', 'webhooks'],
];

export function partnerBalancePath(segment: string): string {
  return `/${segment}/balance`;
}
