import { payoutProviders } from './shared.ts';
import { corridorOf, firstName, lastName, mobileProvider, mobileIn, transferReason } from './fields.ts';

export const corridor = corridorOf({
  type: 'XOF::Mobile',
  status: 'active',
  countries: ['BF', 'BJ', 'CI', 'SN', 'TG'],
  recipientKinds: {
    person: [
      firstName,
      lastName,
      {
        name: 'country',
        routes: true,
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
      { ...mobileIn('BF', 'BJ', 'CI', 'SN', 'TG'), presumes: 'SN' },
      transferReason(false),
    ],
  },
  senderRequirements: {
    person: [{ field: 'phone_number', when: { country: 'TG' } }],
    business: [{ field: 'phone_number', when: { country: 'TG' } }],
  },
  accountCheck: 'telco_or_status',
  notes: [
    'Amounts to Orange in Ivory Coast should be multiples of 5.',
    'Ivory Coast is still called beta.',
    'Inside a transaction the network of the number can be checked.',
  ],
});
