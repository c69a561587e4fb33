import type { CorridorField } from '../corridor.ts';
import {
  address,
  numberedAccount,
  bankCode,
  branchCode,
  companyName,
  corridorOf,
  email,
  firstName,
  lastName,
  middleName,
  narration,
  olderDetails,
  phone,
  registrationNumber,
  senderAddress,
  transferReason,
} from './fields.ts';

const account: readonly CorridorField[] = [
  { ...email, required: true, note: 'the link to sign the mandate is mailed here' },
  { ...bankCode('zar_banks'), required: false, note: 'or the branch code' },
  { ...branchCode, note: 'or the bank' },
  numberedAccount(6, 16),
  phone,
  narration(80),
  ...address,
  transferReason(false),
];

export const corridor = corridorOf({
  type: 'ZAR::Bank',
  status: 'active',
  countries: ['ZA'],
  mandate: true,
  recipientKinds: {
    person: [firstName, middleName, lastName, ...account],
    business: [
      companyName,
      ...account,
      { name: 'contact_first_name', label: 'Contact first name', required: false, control: 'input' },
      { name: 'contact_last_name', label: 'Contact last name', required: false, control: 'input' },
      {
        name: 'legal_entity_type',
        label: 'Legal entity type',
        required: false,
        control: 'select',
        options: 'recipient_legal_entity_type',
      },
      {
        name: 'nature_of_business',
        label: 'Nature of business',
        required: false,
        control: 'select',
        options: 'nature_of_business',
      },
      registrationNumber,
    ],
  },
  requireOneOf: [['bank_code'], ['branch_code']],
  variants: { bank: ['bank_code'], branch: ['branch_code'] },
  senderRequirements: { person: senderAddress, business: senderAddress },
  alsoAccepted: [...olderDetails, 'transfer_reason_code'],
  notes: [
    'The recipient must sign a mandate first; until then the payout waits with code 22.',
    'The same name and bank details use the same mandate again, to the end of the calendar year.',
    'Whether it is signed can be asked beforehand through transactions/validate.',
  ],
});
