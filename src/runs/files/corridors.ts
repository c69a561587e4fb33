/**
 * The demands of a payout type on the details of a row, found once for each type, and the faults of the
 * details of one row.
 */
import { accountFault, accountFaults } from '../../contract/corridors/accounts.ts';
import { checkDetails, fieldsFor, optionsOf, type ReadOptionSet } from '../../contract/corridors/check.ts';
import type { Corridor, CorridorField, OptionSet, PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor, loadOptionsOf } from '../../contract/corridors/index.ts';
import { isBlank } from '../../contract/corridors/values.ts';
import { hasDigit, isCodeOf, nearest } from '../../core/distance.ts';
import { type Fault, type FileRow, faultAt, shortName } from '../../tables/row.ts';
import { allowedNames, detailNames } from './columns.ts';

export interface KnownCorridor {
  corridor: Corridor;
  options: ReadOptionSet;
  /** Follows the order of the corridor, for either kind of recipient. */
  fields: Readonly<Record<PartyKind, readonly CorridorField[]>>;
  /** The names that a row for such a recipient may have. */
  allowed: Readonly<Record<PartyKind, ReadonlySet<string>>>;
  /** All that may be given, in one order, so that rows that say the same have the same print. */
  names: readonly string[];
  /** The details that say where the money goes. */
  account: readonly string[];
}

const kept = new Map<string, Promise<KnownCorridor | undefined>>();
const loaded = new Map<string, KnownCorridor>();

/** The same without waiting; undefined where nobody loaded it yet. */
export const loadedCorridor = (type: string): KnownCorridor | undefined => loaded.get(type);

/** Undefined for a type that remit does not know. */
export function knownCorridor(type: string): Promise<KnownCorridor | undefined> {
  const known = kept.get(type);
  if (known !== undefined) return known;
  const found = learn(type);
  if (corridorTypes.some((one) => one.type === type)) kept.set(type, found);
  return found;
}

async function learn(type: string): Promise<KnownCorridor | undefined> {
  const corridor = await loadCorridor(type);
  if (corridor === undefined) return undefined;
  const fields = { person: fieldsFor(corridor, 'person'), business: fieldsFor(corridor, 'business') };
  const names = detailNames(corridor);
  const all = [...fields.person, ...fields.business];
  const account = names.filter(
    (name) => OLDER_ROUTES.test(name) || all.some((one) => one.name === name && (one.routes ?? one.check)),
  );
  const isCash = corridor.kind === 'Cash';
  const known: KnownCorridor = {
    corridor,
    options: await loadOptionsOf(corridor),
    fields,
    allowed: { person: allowedNames(corridor, 'person'), business: allowedNames(corridor, 'business') },
    names,
    account:
      isCash || account.length === 0 ? [...account, ...names.filter((name) => NAMES.test(name))] : account,
  };
  loaded.set(type, known);
  return known;
}

/** Details that no field declares, and which say where the money goes where they are given. */
const OLDER_ROUTES = /^(?:bank_account|bank_code|phone_country|routing_number|swift_code)$/;
const NAMES = /^(?:first_name|last_name|name)$/;

/** `did you mean NGN::Bank?`. */
export function nearTypes(type: string): string | undefined {
  const all = corridorTypes.map((one) => one.type);
  const same = all.filter((one) => one.toLowerCase() === type.toLowerCase());
  const close = same.length > 0 ? same : nearest(type.slice(0, 40), all);
  return close.length === 0 ? undefined : `did you mean ${close.join(' or ')}?`;
}

type Details = Readonly<Record<string, string>>;

/** `refuse`: a fault. `sandbox`: taken where the sandbox takes it. `as_written`: taken, whatever the service says of it. */
export type AccountRule = 'refuse' | 'sandbox' | 'as_written';

/**
 * Returns the faults of the details: those that the service would refuse, by the rules that the sandbox has,
 * and accounts that look wrong; `doubts` are let through.
 */
export function detailFaults(
  row: FileRow,
  known: KnownCorridor,
  kind: PartyKind,
  details: Details,
  rule: AccountRule,
): { faults: Fault[]; doubts: Fault[] } {
  const wrong = checkDetails(known.corridor, kind, details, known.options);
  const guarded = accountFaults(known.fields[kind], details).map(({ name }) => name);
  const doubted = guarded.filter((name) => rule === 'as_written' || (rule === 'sandbox' && !wrong[name]));
  const doubts = doubted.flatMap((name) => faultsOf(row, known, kind, details, [name]));
  const names = [...new Set([...Object.keys(wrong), ...guarded])].filter((name) => !doubted.includes(name));
  return { faults: faultsOf(row, known, kind, details, names), doubts };
}

function faultsOf(
  row: FileRow,
  known: KnownCorridor,
  kind: PartyKind,
  details: Details,
  names: readonly string[],
): Fault[] {
  let saidGroups = false;
  return names.flatMap((name) => {
    const field = known.fields[kind].find((one) => one.name === name);
    if (!isBlank(details[name])) return wrongValue(row, field, known, details);
    // Groups of which one must be complete are reported once, at the first column that is missing.
    const isOfGroup = field?.required !== true && groupsOf(known).some((group) => group.includes(name));
    if (isOfGroup && saidGroups) return [];
    saidGroups ||= isOfGroup;
    const right = isOfGroup
      ? groupWords(known)
      : field && rightOf(field, optionsOf(field, known.options), details);
    return faultAt(row, name, 'missing', 'is missing', right);
  });
}

const groupsOf = ({ corridor }: KnownCorridor): readonly (readonly string[])[] => corridor.requireOneOf ?? [];

const groupWords = (known: KnownCorridor): string =>
  `one of these is needed: ${groupsOf(known)
    .map((group) => group.join(' + '))
    .join('; or ')}`;

function wrongValue(
  row: FileRow,
  field: CorridorField | undefined,
  known: KnownCorridor,
  details: Details,
): Fault {
  if (field === undefined) return faultAt(row, undefined, 'wrong_detail', 'does not fit');
  const { name, maxLength } = field;
  const text = details[name] ?? '';
  const account = accountFault(field, details);
  if (account) return faultAt(row, name, 'wrong_account', account.wrong, account.right);
  if (maxLength !== undefined && text.length > maxLength)
    return faultAt(row, name, 'too_long', `has ${text.length} characters`, `at most ${maxLength}`);
  if (field.control !== 'select')
    return faultAt(row, name, 'wrong_format', 'has another shape than it must have', field.note);
  const choices = optionsOf(field, known.options);
  if (Object.hasOwn(choices, text) && field.allowedBy)
    return faultAt(
      row,
      name,
      'not_a_choice',
      `is no choice for this ${field.allowedBy.field}`,
      allowedWords(field, details),
    );
  return faultAt(
    row,
    name,
    'not_a_choice',
    `is not one of the ${Object.keys(choices).length} choices`,
    meant(text, choices),
  );
}

function allowedWords({ allowedBy }: CorridorField, details: Details): string | undefined {
  const allowed = allowedBy?.values[details[allowedBy.field] ?? ''];
  return allowed === undefined ? undefined : `one of ${allowed.join(', ')}`;
}

/** More choices than this are not listed. */
const MOST_CHOICES = 8;

/** A code that a spreadsheet took the zeros of, one that was given by its label, else a word that is near. */
function meant(text: string, choices: OptionSet): string | undefined {
  const all = Object.entries(choices);
  const given = text.trim().toLowerCase();
  const same = all.filter(([code]) => isCodeOf(given, code));
  const labelled = all.filter(([, label]) => label.toLowerCase() === given);
  const codes = [...same, ...labelled].map(([code]) => code);
  const near =
    codes.length > 0
      ? codes
      : nearest(
          given.slice(0, 20),
          all.map(([code]) => code).filter((code) => !hasDigit(code)),
        );
  if (near.length > 0 && near.length <= 3) return `did you mean ${near.join(' or ')}?`;
  return all.length > MOST_CHOICES ? undefined : `one of ${all.map(([code]) => code).join(', ')}`;
}

function rightOf(field: CorridorField, choices: OptionSet, details: Details): string | undefined {
  const codes = Object.keys(choices);
  if (field.control !== 'select') return field.note ?? field.label;
  return (
    allowedWords(field, details) ?? (codes.length > MOST_CHOICES ? field.label : `one of ${codes.join(', ')}`)
  );
}

/** Details that this type does not have: the service would pass over them, and pay without. */
export function unknownDetailFaults(
  row: FileRow,
  known: KnownCorridor,
  kind: PartyKind,
  names: readonly string[],
): Fault[] {
  const { corridor, fields } = known;
  const other = kind === 'person' ? 'business' : 'person';
  return names.map((name) => {
    const near = nearest(
      name,
      fields[kind].map((one) => one.name),
    );
    const right = fields[other].some((one) => one.name === name)
      ? `only a recipient that is a ${other} has it (recipient_type)`
      : near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : undefined;
    return faultAt(row, shortName(name), 'unknown_detail', `is not a detail of ${corridor.type}`, right);
  });
}
