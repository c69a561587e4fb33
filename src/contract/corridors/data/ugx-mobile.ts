import {
  corridorOf,
  firstName,
  lastName,
  middleName,
  mobileProvider,
  mobileIn,
  senderDocument,
  transferReason,
} from './fields.ts';

export const corridor = corridorOf({
  type: 'UGX::Mobile',
  status: 'active',
  countries: ['UG'],
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      mobileIn('UG'),
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
  notes: ['The provider may compare the name with the holder of the wallet.'],
});
