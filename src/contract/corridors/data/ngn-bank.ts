import type { CorridorField } from '../corridor.ts';
import {
  bankAccount,
  bankCode,
  companyName,
  corridorOf,
  email,
  firstName,
  lastName,
  middleName,
} from './fields.ts';

const account: readonly CorridorField[] = [
  bankCode('ngn_banks'),
  { ...bankAccount, check: 'digits', digits: [10, 10], note: 'ten digits, such as 0123456789' },
  {
    name: 'bank_account_type',
    label: 'Account type',
    required: false,
    control: 'select',
    options: { '10': 'Savings', '20': 'Current' },
  },
  { name: 'street', label: 'Street', required: false, control: 'input', note: 'some accounts are asked for it' },
  email,
];

export const corridor = corridorOf({
  type: 'NGN::Bank',
  status: 'active',
  countries: ['NG'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  accountCheck: 'name',
  notes: [
    'The account holder name can be checked before a transaction and inside it.',
    'Accounts of the former Diamond Bank are reached through the code of Access Bank.',
    'The service may ask for the street of sender and recipient.',
  ],
});
