import type { CorridorField } from '../corridor.ts';
import {
  bankAccount,
  bankCode,
  bankCountry,
  bankName,
  companyName,
  corridorOf,
  firstName,
  lastName,
  middleName,
  sortCode,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  {
    name: 'iban',
    routes: true,
    label: 'IBAN',
    required: true,
    control: 'input',
    format: '^[A-Z]{2}[0-9]{25}$',
    check: 'iban',
    note: 'two letters and 25 digits, the first two of them check digits',
  },
  transferReason(true),
  { ...bankCode('xaf_banks'), required: false, note: 'digits five to nine of the IBAN' },
  bankName,
  bankCountry({ CG: 'Congo', CM: 'Cameroon', GA: 'Gabon', GQ: 'Equatorial Guinea', TD: 'Chad' }),
  { ...bankAccount, required: false },
  sortCode,
];

export const corridor = corridorOf({
  type: 'XAF::Bank',
  status: 'beta',
  countries: ['CG', 'CM', 'GA', 'GQ', 'TD'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
});
