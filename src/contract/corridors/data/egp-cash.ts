import type { Corridor } from '../corridor.ts';
import { egyptianPhone, senderTowardsEgypt } from './egypt.ts';
import { email, firstName, lastName, middleName, street, transferReason } from './fields.ts';

export const corridor: Corridor = {
  type: 'EGP::Cash',
  currency: 'EGP',
  kind: 'Cash',
  status: 'beta',
  countries: ['EG'],
  cash: true,
  mandate: false,
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
  simplifiedSenders: true,
  alsoAccepted: [],
  notes: ['Only persons are paid; persons and businesses may send.'],
};
