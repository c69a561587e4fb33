import { keyLast4 } from '../config/connection.ts';
import type { Profile } from '../config/profiles.ts';
import type { View } from '../view.ts';

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
    { name: 'default', priority: 1, get: (row) => (row.isDefault ? 'yes' : '') },
  ],
};
