import type { CorridorField } from '../corridor.ts';
import { egyptianPhone, senderTowardsEgypt } from './shared.ts';
import {
  bankAccount,
  bankCode,
  companyName,
  corridorOf,
  firstName,
  lastName,
  middleName,
  street,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...street, required: true },
  { ...egyptianPhone, required: false },
  bankCode('egp_banks'),
  { ...bankAccount, guard: 'digits_or_iban', digits: [5, 20] },
  transferReason(true),
];

export const corridor = corridorOf({
  type: 'EGP::Bank',
  status: 'beta',
  countries: ['EG'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  senderKinds: { business: ['person'] },
  senderRequirements: senderTowardsEgypt,
  notes: [
    'A person can be paid by a person or a business; a business only by a person.',
    'The name in full, as the bank has it, makes the screening faster.',
  ],
});
