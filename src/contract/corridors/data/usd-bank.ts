import { egyptianPhone, senderTowardsEgypt } from './shared.ts';
import {
  corridorOf,
  firstName,
  lastName,
  middleName,
  olderDetails,
  street,
  transferReason,
} from './fields.ts';

/** The variant to Egypt; those to other countries were withdrawn. */
export const corridor = corridorOf({
  type: 'USD::Bank',
  status: 'beta',
  countries: ['EG'],
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      { ...street, required: true },
      { ...egyptianPhone, required: false },
      {
        name: 'iban',
        routes: true,
        label: 'IBAN',
        required: true,
        control: 'input',
        format: '^EG[0-9]{27}$',
        check: 'iban',
        note: 'EG and 27 digits, the first two of them check digits',
      },
      transferReason(true),
      { name: 'country', routes: true, label: 'Country', required: true, control: 'select', options: { EG: 'Egypt' } },
    ],
  },
  senderRequirements: senderTowardsEgypt,
  alsoAccepted: [
    ...olderDetails,
    'bank_account',
    'bank_account_type',
    'bank_code',
    'bank_name',
    'routing_number',
    'swift_code',
  ],
  notes: [
    'Only persons are paid; persons and businesses may send.',
    'The IBAN names the bank: no bank code is sent, though the service lists the banks of EGP::Bank for it.',
  ],
});
