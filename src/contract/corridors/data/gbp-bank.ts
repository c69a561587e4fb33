import type { CorridorField } from '../corridor.ts';
import {
  numberedAccount,
  bankName,
  bic,
  companyName,
  corridorOf,
  firstName,
  iban,
  lastName,
  middleName,
  narration,
  sortCode,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...numberedAccount(6, 10), required: false, note: 'with the sort code, or the IBAN instead' },
  { ...sortCode, note: 'with the account number' },
  { ...iban(false), note: 'instead of account number and sort code, with its check digits' },
  { ...bic, note: 'only with an IBAN' },
  bankName,
  narration(30),
];
const local = ['bank_account', 'sort_code'];
const international = ['iban'];

export const corridor = corridorOf({
  type: 'GBP::Bank',
  status: 'active',
  countries: ['GB'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  requireOneOf: [local, international],
  variants: { account: local, iban: international },
  timing: 'Faster Payments: up to 2 hours; SEPA: 1 to 2 business days; Swift: 2 to 5 business days',
});
