import type { Corridor } from '../corridor.ts';
import { firstName, lastName, middleName, mobileProvider, olderDetails, phone, transferReason } from './fields.ts';

export const corridor: Corridor = {
  type: 'UGX::Mobile',
  currency: 'UGX',
  kind: 'Mobile',
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
      { field: 'identification_type', values: ['DL', 'ID', 'OT', 'PP'] },
      { field: 'identification_number' },
      { field: 'nationality', format: '^[A-Z]{2}$' },
      { field: 'phone_number' },
      { field: 'country' },
    ],
  },
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: ['The provider may compare the name with the holder of the wallet.'],
};
