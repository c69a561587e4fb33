import type { Corridor } from '../corridor.ts';
import { companyName, firstName, lastName, olderDetails } from './fields.ts';

/** No country and no bank: whoever holds the key of the address is paid. */
export const corridor: Corridor = {
  type: 'BTC',
  currency: 'BTC',
  kind: 'Crypto',
  status: 'other',
  countries: [],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      { ...companyName, label: 'Full name' },
      { name: 'address', label: 'Wallet address', required: true, control: 'input' },
    ],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: [],
};
