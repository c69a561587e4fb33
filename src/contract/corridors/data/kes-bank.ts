import type { Corridor, CorridorField } from '../corridor.ts';
import {
  bankAccount,
  bankCode,
  city,
  companyName,
  firstName,
  lastName,
  middleName,
  olderDetails,
  street,
  transferReason,
} from './fields.ts';
import { identityDocument, relationship, senderTowardsKenya } from './kenya.ts';

const account: readonly CorridorField[] = [
  { ...street, required: true },
  city,
  bankCode('kes_banks'),
  bankAccount,
];

export const corridor: Corridor = {
  type: 'KES::Bank',
  currency: 'KES',
  kind: 'Bank',
  status: 'beta',
  countries: ['KE'],
  cash: false,
  mandate: false,
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
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: [],
};
