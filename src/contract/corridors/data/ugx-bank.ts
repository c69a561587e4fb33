import type { CorridorField } from '../corridor.ts';
import {
  numberedAccount,
  branchSelect,
  city,
  companyName,
  corridorOf,
  firstName,
  identityCardId,
  lastName,
  middleName,
  postalCode,
  registrationNumber,
  street,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...street, required: true },
  { ...city, required: true },
  postalCode,
  numberedAccount(6, 17),
  branchSelect('ugx_branches'),
  transferReason(true),
];

export const corridor = corridorOf({
  type: 'UGX::Bank',
  status: 'beta',
  countries: ['UG'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account, { ...identityCardId, required: true }],
    business: [companyName, ...account, { ...registrationNumber, required: true }],
  },
  notes: ['The branch names the bank: no bank code is sent.'],
});
