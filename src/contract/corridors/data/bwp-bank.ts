import type { Corridor } from '../corridor.ts';
import { bankAccount, bankName, branchSelect, firstName, lastName, middleName, olderDetails } from './fields.ts';

export const corridor: Corridor = {
  type: 'BWP::Bank',
  currency: 'BWP',
  kind: 'Bank',
  status: 'beta',
  countries: ['BW'],
  cash: false,
  mandate: false,
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      bankAccount,
      { ...bankName, required: true, control: 'select', options: 'bwp_banks' },
      {
        ...branchSelect('bwp_branches'),
        alsoAccepted: ['550067'],
        format: '^[0-9]{6}$',
        note: 'six digits',
      },
    ],
  },
  senderRequirements: {},
  simplifiedSenders: true,
  alsoAccepted: olderDetails,
  notes: [
    'The bank is sent by its name, the branch by its code.',
    'Branch 550067, which the service shows as its example, is not in its list; it is taken.',
  ],
};
