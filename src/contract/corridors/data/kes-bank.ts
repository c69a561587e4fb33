import type { CorridorField } from '../corridor.ts';
import {
  numberedAccount,
  bankCode,
  city,
  companyName,
  corridorOf,
  firstName,
  lastName,
  middleName,
  street,
  transferReason,
} from './fields.ts';
import { identityDocument, relationship, senderTowardsKenya } from './shared.ts';

const account: readonly CorridorField[] = [
  { ...street, required: true },
  city,
  bankCode('kes_banks'),
  numberedAccount(6, 17),
];

export const corridor = corridorOf({
  type: 'KES::Bank',
  status: 'beta',
  countries: ['KE'],
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      ...account,
      ...identityDocument,
      transferReason(false),
      relationship,
    ],
    business: [companyName, ...account, relationship],
  },
  senderRequirements: senderTowardsKenya,
});
