import type { CorridorField } from '../corridor.ts';
import {
  numberedAccount,
  bankCode,
  companyName,
  corridorOf,
  firstName,
  gender,
  lastName,
  middleName,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...bankCode('ghs_banks'), format: '^[0-9]{6}$', note: 'six digits' },
  numberedAccount(8, 17),
  transferReason(true),
  gender,
];

export const corridor = corridorOf({
  type: 'GHS::Bank',
  status: 'active',
  countries: ['GH'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  accountCheck: 'name',
  notes: [
    'A bank code is the first three digits of a branch or sort code, followed by 100.',
    'The account holder name can be checked before a transaction and inside it.',
    'Most banks have a usual number of digits in an account; it is not enforced.',
  ],
});
