import type { CorridorField } from '../corridor.ts';
import {
  bankCode,
  bankCountry,
  bankName,
  companyName,
  corridorOf,
  firstName,
  lastName,
  middleName,
  narration,
  senderAddress,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  {
    name: 'iban',
    routes: true,
    label: 'IBAN',
    required: true,
    control: 'input',
    format: '^[A-Z]{2}[0-9]{22}$',
    check: 'bban',
    note: 'as a BBAN, without the check digits of an IBAN: two letters and 22 digits, the last two of them the key',
  },
  transferReason(true),
  narration(15),
  { ...bankCode('xof_banks'), required: false, note: 'the first five characters of the IBAN' },
  bankName,
  bankCountry({ BF: 'Burkina Faso', BJ: 'Benin', CI: 'Ivory Coast', SN: 'Senegal', TG: 'Togo' }),
];

export const corridor = corridorOf({
  type: 'XOF::Bank',
  status: 'beta',
  countries: ['BF', 'BJ', 'CI', 'SN', 'TG'],
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  senderRequirements: { person: senderAddress, business: senderAddress },
  notes: ['The account holder name can be checked before a transaction, not inside it.'],
});
