import {
  numberedAccount,
  branchSelect,
  corridorOf,
  firstName,
  lastName,
  middleName,
  transferReason,
} from './fields.ts';

/** Announced details of the sender are not asked for yet, so the notes tell them and nothing checks them. */
export const corridor = corridorOf({
  type: 'ZMW::Bank',
  status: 'beta',
  countries: ['ZM'],
  recipientKinds: {
    person: [
      firstName,
      middleName,
      lastName,
      numberedAccount(5, 17),
      { ...branchSelect('zmw_branches'), alsoAccepted: ['ZM210003'] },
      transferReason(true),
    ],
  },
  notes: [
    'The branch names the bank: no bank code is sent.',
    'Branch ZM210003, which the service shows as its example, is not in its list; it is taken.',
    'Announced, not asked for yet, of persons who send: identification_type (PP, ID, DL, OT), identification_number, street, city.',
    'Announced, not asked for yet, of businesses that send: phone_number, registration_number, legal_entity_type, street, city.',
  ],
});
