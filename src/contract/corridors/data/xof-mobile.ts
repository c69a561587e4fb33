import type { Corridor } from '../corridor.ts';
import { payoutProviders } from '../providers.ts';
import { firstName, lastName, mobileProvider, olderDetails, phone, transferReason } from './fields.ts';

export const corridor: Corridor = {
  type: 'XOF::Mobile',
  currency: 'XOF',
  kind: 'Mobile',
  status: 'active',
  countries: ['BF', 'BJ', 'CI', 'SN', 'TG'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      {
        name: 'country',
        label: 'Country',
        required: false,
        control: 'select',
        options: { BF: 'Burkina Faso', BJ: 'Benin', CI: 'Ivory Coast', SN: 'Senegal', TG: 'Togo' },
        default: 'SN',
      },
      mobileProvider(
        {
          expresso: 'Expresso',
          free: 'Free',
          moov: 'Moov',
          mtn: 'MTN',
          orange: 'Orange',
          tmoney: 'T-Money',
          wave: 'Wave',
        },
        payoutProviders.XOF,
      ),
      phone,
      transferReason(false),
    ],
  },
  senderRequirements: {
    person: [{ field: 'phone_number', when: { country: 'TG' } }],
    business: [{ field: 'phone_number', when: { country: 'TG' } }],
  },
  simplifiedSenders: true,
  accountCheck: 'telco_or_status',
  alsoAccepted: olderDetails,
  notes: [
    'Amounts to Orange in Ivory Coast should be multiples of 5.',
    'Ivory Coast is still called beta.',
    'Inside a transaction the network of the number can be checked.',
  ],
};
