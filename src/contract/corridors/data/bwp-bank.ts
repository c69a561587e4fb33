import {
  numberedAccount,
  bankName,
  branchSelect,
  corridorOf,
  firstName,
  lastName,
  middleName,
} from './fields.ts';

export const corridor = corridorOf({
  type: 'BWP::Bank',
  status: 'beta',
  countries: ['BW'],
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      numberedAccount(5, 17),
      { ...bankName, required: true, control: 'select', options: 'bwp_banks' },
      {
        ...branchSelect('bwp_branches'),
        alsoAccepted: ['550067'],
        format: '^[0-9]{6}$',
        note: 'six digits',
      },
    ],
  },
  notes: [
    'The bank is sent by its name, the branch by its code.',
    'Branch 550067, which the service shows as its example, is not in its list; it is taken.',
  ],
});
