/** Senders (docs/wire.md 7): persons and businesses. */

import * as z from 'zod/mini';
import { byWord } from '../../core/by-word.ts';
import { type Member, members } from '../personal.ts';
import type { SenderState } from '../states/sender.ts';
import { fieldErrors, map, openWord, wireText, writtenMap } from './common.ts';

export const sender = z.looseObject(
  members({
    id: wireText,
    type: wireText,
    state: openWord<SenderState>(),
    state_reason: wireText,
    external_id: wireText,
    first_name: wireText,
    middle_name: wireText,
    last_name: wireText,
    name: wireText,
    country: wireText,
    city: wireText,
    street: wireText,
    postal_code: wireText,
    phone_country: wireText,
    phone_number: wireText,
    email: wireText,
    birth_date: wireText,
    created_at: wireText,
    onboarding_status: wireText,
    documents: z.nullish(z.array(z.unknown())),
    metadata: map,
    providers: map,
    errors: fieldErrors,
  }),
);
export type Sender = z.output<typeof sender>;

export const identificationTypes = ['DL', 'PP', 'ID', 'OT'] as const;
export const genders = ['M', 'F', 'O'] as const;
export const legalEntityTypes = [
  'sole_proprietorship',
  'partnership',
  'privately_owned_company',
  'publicly_owned_company',
  'government_owned_entity',
  'trust',
  'ngo',
  'club_and_society',
  'go',
  'other',
  'financial_institution',
  'mto',
] as const;

/** Members that are plain text on the wire, for persons, businesses and both. */
export const senderTextFields = [
  'country',
  'street',
  'postal_code',
  'city',
  'address_description',
  'phone_country',
  'phone_number',
  'email',
  'ip',
  'fingerprint',
  'identification_number',
  'lang',
  'source_of_funds',
  'custom_source_of_funds',
  'external_id',
  'sales_lead_id',
  'first_name',
  'middle_name',
  'last_name',
  'birth_date',
  'occupation',
  'nationality',
  'city_of_birth',
  'country_of_birth',
  'name',
  'registration_date',
  'registration_number',
  'nature_of_business',
  'core_business_activity',
  'purpose_of_opening_account',
  'office_phone',
  'vat_registration_number',
  'financial_regulator',
  'regulatory_licence_number',
  'contact_person_email',
  'trading_country',
  'trading_address',
  'trading_name',
  'number_monthly_transactions',
  'amount_monthly_transactions',
  'company_office_number',
  'company_office_number_country',
  'aml_officer_email',
  'aml_officer_phone',
  'aml_officer_phone_country',
  'company_website_url',
  'number_of_employees_in_company',
  'estimated_annual_revenue_turnover',
  'declaration',
] as const satisfies readonly Member[];

const texts: Record<string, z.ZodMiniOptional<z.ZodMiniString>> = byWord(
  Object.fromEntries(senderTextFields.map((name) => [name, z.optional(z.string())])),
);

const person = z.strictObject({
  id: z.optional(z.number()),
  name: z.string(),
  position: z.string(),
  started_date: z.optional(z.string()),
  ended_date: z.optional(z.string()),
});

/** A sender to write: the members named here and the plain texts of `senderTextFields`, nothing else. */
export interface SenderWrite {
  [field: string]: unknown;
  id?: string | undefined;
  external_id?: string | undefined;
  type?: 'person' | 'business' | undefined;
}

export const senderWrite: z.ZodMiniType<SenderWrite> = z.strictObject({
  ...texts,
  id: z.optional(z.string()),
  type: z.optional(z.enum(['person', 'business'])),
  identification_type: z.optional(z.enum(identificationTypes)),
  gender: z.optional(z.enum(genders)),
  legal_entity_type: z.optional(z.enum(legalEntityTypes)),
  list_of_countries_of_operation: z.optional(z.array(z.string())),
  documents: z.optional(z.array(z.record(z.string(), z.unknown()))),
  metadata: z.optional(writtenMap),
  politically_exposed_people: z.optional(z.array(person).check(z.maxLength(3))),
});
export const senderRequest = z.strictObject({ sender: senderWrite });

export const senderAnswer = z.looseObject({
  object: sender,
  meta: z.nullish(z.looseObject({ existing: z.nullish(z.looseObject({ sender: z.nullish(sender) })) })),
});
