import type { Corridor } from '../corridor.ts';
import { firstName, gender, lastName, mobileProvider, phone, transferReason } from './fields.ts';

export const corridor: Corridor = {
  type: 'GHS::Mobile',
  currency: 'GHS',
  kind: 'Mobile',
  status: 'active',
  countries: ['GH'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      phone,
      {
        ...mobileProvider({ airteltigo: 'AirtelTigo', mtn: 'MTN', vodafone: 'Vodafone' }),
        alsoAccepted: ['airtel', 'tigo'],
        note: 'Airtel and Tigo are one network now; all three spellings are read',
      },
      transferReason(true),
      gender,
    ],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  accountCheck: 'name',
  alsoAccepted: [],
  notes: [
    'The account holder name can be checked before a transaction and inside it; a check serves airtel, tigo and mtn.',
  ],
};
