/** Fields, requirements and providers that several corridors have in common. */

import type { Corridor, CorridorField } from '../corridor.ts';
import { phone, senderDocument, identityCardId } from './fields.ts';

/** A phone of Egypt, and of no other country: it has the prefix of Egypt, or is national and said to be of Egypt. */
export const egyptianPhone: CorridorField = {
  ...phone,
  phoneCountry: 'EG',
  international: '^\\+20[0-9]{7,12}$',
  note: 'an Egyptian number, such as +201012345678, or national with phone_country=EG',
};

/** The three corridors to Egypt ask the same of a sender. */
export const senderTowardsEgypt: Corridor['senderRequirements'] = {
  person: [...senderDocument, { field: 'street' }, { field: 'birth_date' }],
  business: [{ field: 'registration_number' }, { field: 'registration_date' }, { field: 'street' }],
};

/** The document that both corridors to Kenya ask of a sender. */
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

/** Mobile money providers by currency and country (docs/wire.md 5 and 15). */
type ByCountry = Readonly<Record<string, readonly string[]>>;

export const payoutProviders = {
  GHS: { GH: ['airteltigo', 'mtn', 'vodafone'] },
  GNF: { GN: ['mtn', 'orange'] },
  KES: { KE: ['mpesa'] },
  UGX: { UG: ['airtel', 'mtn'] },
  XAF: { CM: ['mtn', 'orange'], GA: ['airtel', 'moov'] },
  XOF: {
    BF: ['moov', 'orange'],
    BJ: ['moov', 'mtn'],
    CI: ['moov', 'mtn', 'orange', 'wave'],
    SN: ['expresso', 'free', 'orange', 'wave'],
    TG: ['moov', 'tmoney'],
  },
} as const satisfies Record<string, ByCountry>;
