import type { Corridor } from '../corridor.ts';
import {
  firstName,
  lastName,
  middleName,
  mobileProvider,
  olderDetails,
  phone,
  senderDocument,
  transferReason,
} from './fields.ts';

export const corridor: Corridor = {
  type: 'UGX::Mobile',
  currency: 'UGX',
  kind: 'Mobile',
  status: 'active',
  countries: ['UG'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      phone,
      mobileProvider({ airtel: 'Airtel', mtn: 'MTN' }),
      transferReason(true),
    ],
  },
  senderRequirements: {
    person: [
      ...senderDocument,
      { field: 'nationality', format: '^[A-Z]{2}$' },
      { field: 'phone_number' },
      { field: 'country' },
    ],
  },
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: ['The provider may compare the name with the holder of the wallet.'],
};
