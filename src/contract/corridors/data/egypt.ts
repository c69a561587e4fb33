/** Fields and requirements that the three corridors to Egypt have in common. */
import type { Corridor, CorridorField } from '../corridor.ts';
import { phone, senderDocument } from './fields.ts';

/** A phone of Egypt, and of no other country: it has the prefix of Egypt, or is national and said to be of Egypt. */
export const egyptianPhone: CorridorField = {
  ...phone,
  phoneCountry: 'EG',
  international: '^\\+20[0-9]{7,12}$',
  note: 'an Egyptian number, such as +201012345678, or national with phone_country=EG',
};

export const senderTowardsEgypt: Corridor['senderRequirements'] = {
  person: [...senderDocument, { field: 'street' }, { field: 'birth_date' }],
  business: [{ field: 'registration_number' }, { field: 'registration_date' }, { field: 'street' }],
};
