import type { Corridor, CorridorField } from '../corridor.ts';
import {
  bankCode,
  bankCountry,
  bankName,
  companyName,
  firstName,
  lastName,
  middleName,
  narration,
  olderDetails,
  senderAddress,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  {
    name: 'iban',
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

export const corridor: Corridor = {
  type: 'XOF::Bank',
  currency: 'XOF',
  kind: 'Bank',
  status: 'beta',
  countries: ['BF', 'BJ', 'CI', 'SN', 'TG'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [companyName, ...account],
  },
  senderRequirements: { person: senderAddress, business: senderAddress },
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: ['The account holder name can be checked before a transaction, not inside it.'],
};
