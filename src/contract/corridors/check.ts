/**
 * The rules of payout details, once: the sandbox refuses by them, the prompts ask by them.
 * Words are the service's own (`blank`, `invalid`); unknown detail names are ignored by the service and named to people.
 */

import { byWord } from '../../core/by-word.ts';
import { isRefusedAccount } from './accounts.ts';
import type { Corridor, CorridorField, OptionSet, PartyKind } from './corridor.ts';
import { isBlank, patternOf, textValue } from './values.ts';

type ErrorWord = 'blank' | 'invalid';
export type FieldFaults = Record<string, ErrorWord[]>;
export type DetailValues = Readonly<Record<string, unknown>>;
export type ReadOptionSet = (setId: string) => OptionSet;

/** A descriptor of one field as the wire has it. `format` is in Ruby syntax. */
export interface WireField {
  type: 'input' | 'select';
  options?: OptionSet;
  validations: {
    presence?: boolean;
    format?: string;
    inclusion?: { in: OptionSet; allow_blank?: boolean };
  };
}

/** The fields of a kind of recipient; none where the corridor does not serve that kind. */
export function fieldsFor(corridor: Corridor, kind: PartyKind): readonly CorridorField[] {
  return corridor.recipientKinds[kind] ?? [];
}

export function describeFields(
  corridor: Corridor,
  kind: PartyKind,
  options: ReadOptionSet,
): Record<string, WireField> {
  const described = fieldsFor(corridor, kind).map((field) => [field.name, describeField(field, options)]);
  return Object.fromEntries(described);
}

/** The options of a select; `{}` for an input. */
export function optionsOf(field: CorridorField, options: ReadOptionSet): OptionSet {
  if (field.options === undefined) return {};
  return typeof field.options === 'string' ? options(field.options) : field.options;
}

export function describeField(field: CorridorField, options: ReadOptionSet): WireField {
  const validations: WireField['validations'] = field.required ? { presence: true } : {};
  if (field.format) validations.format = formatToRuby(field.format);
  if (field.control === 'input') return { type: 'input', validations };
  const choices = optionsOf(field, options);
  validations.inclusion = field.required ? { in: choices } : { in: choices, allow_blank: true };
  return { type: 'select', options: choices, validations };
}

export function checkDetails(
  corridor: Corridor,
  kind: PartyKind,
  details: DetailValues,
  options: ReadOptionSet,
): FieldFaults {
  const problems: FieldFaults = {};
  for (const field of fieldsFor(corridor, kind)) {
    const word = problemWith(field, { corridor, details, choices: optionsOf(field, options) });
    if (word) problems[field.name] = [word];
  }
  for (const name of missingOfGroups(corridor, details)) problems[name] ??= ['blank'];
  return problems;
}

/** Missing fields of the group that was begun, or of the first, when no group is complete. */
function missingOfGroups(corridor: Corridor, details: DetailValues): string[] {
  const groups = (corridor.requireOneOf ?? []).map((group) => group.filter((name) => isBlank(details[name])));
  if (groups.length === 0 || groups.some((missing) => missing.length === 0)) return [];
  const begun = groups.findIndex((missing, i) => missing.length < (corridor.requireOneOf?.[i]?.length ?? 0));
  return groups[begun === -1 ? 0 : begun] ?? [];
}

/** Detail names that the corridor does not know: ignored by the service, so probably a slip. */
export function unknownDetails(corridor: Corridor, kind: PartyKind, details: DetailValues): string[] {
  const fields = fieldsFor(corridor, kind);
  const known = new Set<string>([...fields.map((field) => field.name), ...corridor.alsoAccepted]);
  if (fields.some((field) => field.check === 'phone')) known.add('phone_country');
  return Object.keys(details).filter((name) => !known.has(name));
}

/** The two kinds that meet in one payout. */
export interface Parties {
  sender: PartyKind;
  recipient: PartyKind;
}

/**
 * Checks what this corridor asks of the sender beyond what every sender needs: `type` is at fault where its kind may
 * not pay the recipient's. `details` are the payout details, since some rules hold for one country only.
 */
export function checkSenderRequirements(
  corridor: Corridor,
  parties: Parties,
  sender: DetailValues,
  details: DetailValues,
): FieldFaults {
  const problems: FieldFaults = {};
  const maySend = corridor.senderKinds?.[parties.recipient]?.includes(parties.sender) ?? true;
  if (!maySend) problems.type = ['invalid'];
  for (const { field, values, format, when = {} } of corridor.senderRequirements[parties.sender] ?? []) {
    if (!Object.entries(when).every(([name, value]) => details[name] === value)) continue;
    const value = textValue(sender[field]);
    if (isBlank(sender[field])) problems[field] = ['blank'];
    else if (value === null) problems[field] = ['invalid'];
    else if (values && !values.includes(value)) problems[field] = ['invalid'];
    else if (format && !new RegExp(format).test(value)) problems[field] = ['invalid'];
  }
  return problems;
}

function formatToRuby(source: string): string {
  return source.replace(/^\^/, '\\A').replace(/\$$/, '\\z');
}

/** Finds syntax that only Ruby knows, or that the two languages read differently. */
const UNTRANSLATABLE = /\(\?(?:[#>~]|<[^=!]|[a-z-]+[:)])|\\[GKRXHhpPgk]|\[\[:|&&|[+*?}]\+/;

/**
 * A regular expression of the wire, in Ruby syntax, as the source of a JavaScript one without flags; null when it says
 * something that we cannot carry over. Run it elsewhere and with a time limit: one known one backtracks for ever. `^` and `$` match at every line in Ruby, so they become look-arounds.
 */
export function rubyFormatToJs(source: string): string | null {
  const plain = source.replace(/\\\\/g, '');
  if (UNTRANSLATABLE.test(plain)) return null;
  const translated = translateAnchors(source);
  try {
    new RegExp(translated);
    return translated;
  } catch {
    return null;
  }
}

const ANCHORS: Readonly<Record<string, string>> = byWord({
  '\\A': '^',
  '\\z': '$',
  '\\Z': '(?=\\n?$)',
  '^': '(?<![^\\n])',
  $: '(?![^\\n])',
});

function translateAnchors(source: string): string {
  let inClass = false;
  return source.replace(/\\.|[[\]^$]/gs, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    return inClass ? token : (ANCHORS[token] ?? token);
  });
}

/** One value of one payout field: is it there, and is it valid. */
interface Surroundings {
  corridor: Corridor;
  details: Readonly<Record<string, unknown>>;
  choices: OptionSet;
}

function problemWith(field: CorridorField, around: Surroundings): 'blank' | 'invalid' | null {
  const value = around.details[field.name];
  if (isBlank(value)) return field.required ? 'blank' : null;
  const text = textValue(value);
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
  if (!isBlank(given)) return textValue(given) ?? '';
  return corridor.recipientKinds.person.find((field) => field.name === name)?.default ?? '';
}
