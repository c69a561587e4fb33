import { corridorOf, firstName, lastName, phone } from './fields.ts';

export const corridor = corridorOf({
  type: 'XOF::Cash',
  status: 'active',
  countries: ['CI', 'SN'],
  cash: true,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      { ...phone, presumes: 'SN' },
      {
        name: 'country',
        routes: true,
        label: 'Country',
        required: false,
        control: 'select',
        options: { CI: 'Ivory Coast', SN: 'Senegal' },
        default: 'SN',
      },
      {
        name: 'cash_provider',
        routes: true,
        label: 'Cash provider',
        required: true,
        control: 'select',
        options: { wizall: 'Wizall' },
      },
    ],
  },
  senderRequirements: {
    person: [{ field: 'identification_type', values: ['ID', 'PP'] }, { field: 'identification_number' }],
  },
  simplifiedSenders: false,
  notes: [
    'Senders with the simplified identification rules (WTR2) cannot use it.',
    'The pickup code comes with recipient.pending, in the recipient metadata under payment_reference.',
    'Mali and the provider Wari were withdrawn.',
  ],
});
