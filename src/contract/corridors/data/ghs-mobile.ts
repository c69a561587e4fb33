import { corridorOf, firstName, gender, lastName, mobileProvider, mobileIn, transferReason } from './fields.ts';

export const corridor = corridorOf({
  type: 'GHS::Mobile',
  status: 'active',
  countries: ['GH'],
  recipientKinds: {
    person: [
      firstName,
      lastName,
      mobileIn('GH'),
      {
        ...mobileProvider({ airteltigo: 'AirtelTigo', mtn: 'MTN', vodafone: 'Vodafone' }),
        alsoAccepted: ['airtel', 'tigo'],
        note: 'Airtel and Tigo are one network now; all three spellings are read',
      },
      transferReason(true),
      gender,
    ],
  },
  accountCheck: 'name',
  alsoAccepted: [],
  notes: [
    'The account holder name can be checked before a transaction and inside it; a check serves airtel, tigo and mtn.',
  ],
});
