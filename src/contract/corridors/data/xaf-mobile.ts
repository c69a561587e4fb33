import { payoutProviders } from './shared.ts';
import { corridorOf, firstName, lastName, mobileIn, mobileProvider } from './fields.ts';

export const corridor = corridorOf({
  type: 'XAF::Mobile',
  status: 'active',
  countries: ['CM', 'GA'],
  recipientKinds: {
    person: [
      firstName,
      lastName,
      {
        name: 'country',
        routes: true,
        label: 'Country',
        required: true,
        control: 'select',
        options: { CM: 'Cameroon', GA: 'Gabon' },
      },
      mobileProvider({ airtel: 'Airtel', moov: 'Moov', mtn: 'MTN', orange: 'Orange' }, payoutProviders.XAF),
      mobileIn('CM', 'GA'),
    ],
  },
  accountCheck: 'telco_or_status',
  notes: ['In Cameroon a transaction can check the network (Orange) or the standing (MTN) of the number.'],
});
