/** Fields and requirements that the two corridors to Kenya have in common. */
import type { Corridor, CorridorField } from '../corridor.ts';
import { identityCardId, senderDocument } from './fields.ts';

export const identityDocument: readonly CorridorField[] = [
  {
    name: 'identity_card_type',
    label: 'Identity document type',
    required: false,
    control: 'select',
    options: { DL: 'Driving licence', ID: 'National ID', OT: 'Other', PP: 'Passport' },
  },
  identityCardId,
];

export const relationship: CorridorField = {
  name: 'relationship_to_sender',
  label: 'Relationship to sender',
  required: false,
  control: 'input',
};

/** `source_of_funds` is free text. */
export const senderTowardsKenya: Corridor['senderRequirements'] = {
  person: [...senderDocument, { field: 'source_of_funds' }, { field: 'country' }, { field: 'birth_date' }],
};
