/** One value of one payout field: is it there, and is it valid. */
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { Corridor, CorridorField, FieldCheck, OptionSet } from './corridor.ts';

interface Surroundings {
  corridor: Corridor;
  details: Readonly<Record<string, unknown>>;
  choices: OptionSet;
}

/** Absent, null, empty and white space are the same to the service. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** A text, or a whole number as its text; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

export function problemWith(field: CorridorField, around: Surroundings): 'blank' | 'invalid' | null {
  const value = around.details[field.name];
  if (isBlank(value)) return field.required ? 'blank' : null;
  const text = textOf(value);
  return text !== null && isValid(field, text, around) ? null : 'invalid';
}

function isValid(field: CorridorField, text: string, around: Surroundings): boolean {
  if (field.maxLength !== undefined && text.length > field.maxLength) return false;
  if (field.format && !new RegExp(field.format, 's').test(text)) return false;
  if (field.check && !CHECKS[field.check](text, around)) return false;
  return field.control !== 'select' || isChoice(field, text, around);
}

function isChoice(field: CorridorField, text: string, { corridor, details, choices }: Surroundings): boolean {
  if (field.alsoAccepted?.includes(text)) return true;
  if (!Object.hasOwn(choices, text)) return false;
  if (!field.allowedBy) return true;
  const by = detailOrDefault(corridor, details, field.allowedBy.field);
  const allowed = Object.hasOwn(field.allowedBy.values, by) ? field.allowedBy.values[by] : undefined;
  /* An unknown country is that field's own mistake. */
  return allowed === undefined || allowed.includes(text);
}

function detailOrDefault(corridor: Corridor, details: Surroundings['details'], name: string): string {
  const given = details[name];
  if (!isBlank(given)) return textOf(given) ?? '';
  return corridor.recipientKinds.person.find((field) => field.name === name)?.default ?? '';
}

const CHECKS: Record<FieldCheck, (text: string, around: Surroundings) => boolean> = {
  iban: (text) => isValidIBAN(electronicFormatIBAN(text) ?? ''),
  phone: isPhone,
};

const INTERNATIONAL = /^\+[1-9][0-9]{6,14}$/;
const NATIONAL = /^[0-9]{5,15}$/;

/** International, or national where a country is known: `phone_country`, `country`, or the only one there is. */
function isPhone(text: string, { corridor, details }: Surroundings): boolean {
  if (INTERNATIONAL.test(text)) return true;
  if (!NATIONAL.test(text)) return false;
  const phoneCountry = details.phone_country;
  if (!isBlank(phoneCountry)) return typeof phoneCountry === 'string' && /^[A-Z]{2}$/.test(phoneCountry);
  return corridor.countries.length === 1 || detailOrDefault(corridor, details, 'country') !== '';
}
