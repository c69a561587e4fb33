import type { Corridor } from '../corridor.ts';
import { payoutProviders } from '../providers.ts';
import { firstName, lastName, mobileProvider, olderDetails, phone } from './fields.ts';

export const corridor: Corridor = {
  type: 'XAF::Mobile',
  currency: 'XAF',
  kind: 'Mobile',
  status: 'active',
  countries: ['CM', 'GA'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      {
        name: 'country',
        label: 'Country',
        required: true,
        control: 'select',
        options: { CM: 'Cameroon', GA: 'Gabon' },
      },
      mobileProvider({ airtel: 'Airtel', moov: 'Moov', mtn: 'MTN', orange: 'Orange' }, payoutProviders.XAF),
      phone,
    ],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  accountCheck: 'telco_or_status',
  alsoAccepted: olderDetails,
  notes: ['In Cameroon a transaction can check the network (Orange) or the standing (MTN) of the number.'],
};
