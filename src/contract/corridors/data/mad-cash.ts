import { corridorOf, firstName, identityCardId, lastName, olderDetails, phone } from './fields.ts';

export const corridor = corridorOf({
  type: 'MAD::Cash',
  status: 'active',
  countries: ['MA'],
  cash: true,
  recipientKinds: {
    person: [
      firstName,
      lastName,
      phone,
      { name: 'reason', label: 'Reason', required: false, control: 'input', default: 'Remittance payment' },
      {
        name: 'identity_card_type',
        label: 'Identity document type',
        required: false,
        control: 'select',
        options: { NI: 'National ID', PP: 'Passport' },
        alsoAccepted: ['ID'],
      },
      identityCardId,
      {
        name: 'reference',
        label: 'Reference',
        required: false,
        control: 'input',
        note: 'your own pickup reference, where that was agreed',
      },
    ],
  },
  senderRequirements: {
    person: [{ field: 'identification_type', values: ['ID', 'OT', 'PP'] }, { field: 'identification_number' }],
  },
  simplifiedSenders: false,
  alsoAccepted: [
    ...olderDetails,
    'sender_city_of_birth',
    'sender_country_of_birth',
    'sender_gender',
    'sender_identity_card_id',
    'sender_identity_card_type',
  ],
  notes: [
    'Senders with the simplified identification rules (WTR2) cannot use it.',
    'The pickup code comes with recipient.pending, in the recipient metadata under payment_reference.',
  ],
});
