import type { Corridor, CorridorField } from '../corridor.ts';
import {
  bankAccount,
  branchSelect,
  city,
  companyName,
  firstName,
  identityCardId,
  lastName,
  middleName,
  olderDetails,
  postalCode,
  registrationNumber,
  street,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...street, required: true },
  { ...city, required: true },
  postalCode,
  bankAccount,
  branchSelect('ugx_branches'),
  transferReason(true),
];

export const corridor: Corridor = {
  type: 'UGX::Bank',
  currency: 'UGX',
  kind: 'Bank',
  status: 'beta',
  countries: ['UG'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account, { ...identityCardId, required: true }],
    business: [companyName, ...account, { ...registrationNumber, required: true }],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: ['The branch names the bank: no bank code is sent.'],
};
