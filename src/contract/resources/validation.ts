/** Account validation (docs/wire.md 5): three kinds of answer, chosen by market. */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import { wireText } from './common.ts';

export const accountValidationResult = z.looseObject(
  members({
    account_name: wireText,
    mapped_mobile_provider: wireText,
    account_status: wireText,
  }),
);
export type AccountValidationResult = z.output<typeof accountValidationResult>;

export const accountValidationAnswer = z.looseObject({
  object: z.nullish(accountValidationResult),
  meta: z.nullish(z.looseObject({ error: wireText })),
});

export const validationCountries = 'BF BJ CG CI CM GA GH KE NG SN TD TG UG'.split(' ');
export const validationCurrencies = 'NGN GHS KES XOF UGX XAF'.split(' ');

export const accountValidationRequest = z.strictObject({
  method: z.enum(['bank', 'mobile']),
  country: z.enum(validationCountries),
  currency: z.enum(validationCurrencies),
  bank_account: z.optional(z.string()),
  bank_code: z.optional(z.string()),
  iban: z.optional(z.string()),
  phone_number: z.optional(z.string()),
  mobile_provider: z.optional(z.string()),
});
export type AccountValidationRequest = z.output<typeof accountValidationRequest>;
