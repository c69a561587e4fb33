import { keyLast4 } from '../config/connection.ts';
import type { ProfileLimits } from '../config/limits.ts';
import type { Profile } from '../config/profiles.ts';
import type { View } from '../view.ts';
import { money } from './amount.ts';

export interface ShownProfile extends Omit<Profile, 'sandbox'> {
  name: string;
  isDefault: boolean;
}

export const profileView: View<ShownProfile> = {
  kind: 'profile',
  empty: 'no profiles yet: remit login, or remit sandbox start',
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'environment', get: (row) => row.environment },
    { name: 'base_url', get: (row) => row.baseUrl },
    { name: 'key', get: (row) => `…${keyLast4(row.key)}` },
    { name: 'secret_in', priority: 2, get: (row) => row.secretIn },
    { name: 'limits', priority: 1, get: limitsText },
    { name: 'default', priority: 1, get: (row) => (row.isDefault ? 'yes' : '') },
  ],
};

/** `read-only; at most 5000.00 EUR, 4000.00 GBP`. */
export function limitsText({ read_only: readOnly, max_amount: most }: ProfileLimits): string {
  const amounts = Object.entries(most ?? {}).map(([currency, amount]) => money(amount, currency));
  return [readOnly ? 'read-only' : '', amounts.length > 0 ? `at most ${amounts.join(', ')}` : '']
    .filter(Boolean)
    .join('; ');
}
