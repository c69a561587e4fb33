/** One value of one payout field: is it there, and is it valid. */
import { isRefusedAccount } from './accounts.ts';
import type { Corridor, CorridorField, OptionSet } from './corridor.ts';
import { isBlank, patternOf, textOf } from './values.ts';

interface Surroundings {
  corridor: Corridor;
  details: Readonly<Record<string, unknown>>;
  choices: OptionSet;
}

export function problemWith(field: CorridorField, around: Surroundings): 'blank' | 'invalid' | null {
  const value = around.details[field.name];
  if (isBlank(value)) return field.required ? 'blank' : null;
  const text = textOf(value);
  return text !== null && isValid(field, text, around) ? null : 'invalid';
}

function isValid(field: CorridorField, text: string, around: Surroundings): boolean {
  if (field.maxLength !== undefined && text.length > field.maxLength) return false;
  if (field.format && !patternOf(field.format).test(text)) return false;
  if (isRefusedAccount(field, around.details)) return false;
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
