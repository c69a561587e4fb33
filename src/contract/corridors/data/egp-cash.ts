import { egyptianPhone, senderTowardsEgypt } from './shared.ts';
import { corridorOf, email, firstName, lastName, middleName, street, transferReason } from './fields.ts';

export const corridor = corridorOf({
  type: 'EGP::Cash',
  status: 'beta',
  countries: ['EG'],
  cash: true,
  recipientKinds: {
    person: [
      firstName,
      { ...middleName, required: true },
      lastName,
      egyptianPhone,
      { ...street, required: true },
      transferReason(true),
      email,
      {
        name: 'reference',
        label: 'Reference',
        required: false,
        control: 'input',
        format: '^[0-9]{10}$',
        note: 'your own, exactly ten digits and never used before',
      },
    ],
  },
  senderRequirements: senderTowardsEgypt,
  alsoAccepted: [],
  notes: ['Only persons are paid; persons and businesses may send.'],
});
