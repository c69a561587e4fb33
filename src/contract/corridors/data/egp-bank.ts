import type { Corridor, CorridorField } from '../corridor.ts';
import { egyptianPhone, senderTowardsEgypt } from './egypt.ts';
import {
  bankAccount,
  bankCode,
  companyName,
  firstName,
  lastName,
  middleName,
  olderDetails,
  street,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...street, required: true },
  { ...egyptianPhone, required: false },
  bankCode('egp_banks'),
  bankAccount,
  transferReason(true),
];

export const corridor: Corridor = {
  type: 'EGP::Bank',
  currency: 'EGP',
  kind: 'Bank',
  status: 'beta',
  countries: ['EG'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  senderKinds: { business: ['person'] },
  senderRequirements: senderTowardsEgypt,
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: [
    'A person can be paid by a person or a business; a business only by a person.',
    'The name in full, as the bank has it, makes the screening faster.',
  ],
};
