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

const usualDigits: Record<string, readonly number[]> = {
  '020100': [13],
  '030100': [10, 13],
  '040100': [13],
  '050100': [13],
  '060100': [13, 14],
  '080100': [16],
  '110100': [13],
  '120100': [10],
  '130100': [13, 16],
  '140100': [13],
  '170100': [13],
  '180100': [13],
  '190100': [13],
  '200100': [13],
  '210100': [11],
  '230100': [13],
  '240100': [13],
  '280100': [13],
  '330100': [11],
};

const account: readonly CorridorField[] = [
  { ...bankCode('ghs_banks'), format: '^[0-9]{6}$', note: 'six digits' },
  { ...numberedAccount(8, 17), usualDigits: { field: 'bank_code', values: usualDigits } },
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
