/**
 * Judges accounts, IBANs, BBANs and phone numbers (decision 0013). Two questions, both answered here and nowhere
 * else. `isRefusedAccount`: does the service refuse it? The sandbox asks that. `accountFault`: can no one be paid
 * by it? Prompts and the checks before anything is sent ask that; it looks at what the service does not (check
 * digits, the number of digits), since a typo guard belongs to the desk (decision 0013). A fault says what is wrong
 * without repeating the number.
 */
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { CorridorField, DeskGuard, FieldCheck } from './corridor.ts';
import { countedDigits, digitsIn, GUARDS, isElsewhere, strange, wrongMobile } from './desk-guards.ts';
import { isBlank, patternOf, textValue } from './values.ts';

export interface AccountFault {
  /** Follows the name of the field: `has the letter O in place 10`. */
  wrong: string;
  /** The form that would be right: `ten digits, such as 0123456789`. */
  right: string;
}

type Details = Readonly<Record<string, unknown>>;
type Account = Pick<
  CorridorField,
  | 'name'
  | 'check'
  | 'guard'
  | 'judge'
  | 'format'
  | 'digits'
  | 'note'
  | 'phoneCountry'
  | 'international'
  | 'mobileOf'
  | 'presumes'
>;

/** Null for what is fine, for what is not there, and for a field that is no account. */
export function accountFault(field: Account, details: Details): AccountFault | null {
  const value = details[field.name];
  if (!(field.check ?? field.guard ?? field.judge) || isBlank(value)) return null;
  const text = textValue(value);
  const { presumes } = field;
  if (
    text !== null &&
    presumes !== undefined &&
    isBlank(details.country) &&
    isElsewhere(text, presumes, details)
  )
    return {
      wrong: `is of another country than ${presumes}, which the service takes`,
      right: 'its country, as country',
    };
  const wrong = text === null ? 'is not a text' : wrongIn(text, field, details);
  return wrong === null ? null : { wrong, right: rightOf(field) };
}

function wrongIn(text: string, field: Account, details: Details): string | null {
  const { check, guard, judge, digits } = field;
  const wrong =
    (check && WRONG[check](text, field, details)) ??
    (guard && GUARDS[guard](text, details)) ??
    judge?.wrongIn(text);
  if (wrong) return wrong;
  if (field.mobileOf) return wrongMobile(text, field.mobileOf, details);
  return isLength(text, digits) ? null : countedDigits(text);
}

/** An IBAN in the place of a number has its own length. */
const isLength = (text: string, digits: CorridorField['digits']): boolean =>
  digits === undefined ||
  /^[A-Z]{2}/i.test(text) ||
  (digits[0] <= digitsIn(text) && digitsIn(text) <= digits[1]);

/** The note of a field that the service looks at says what it is like. */
function rightOf({ note, digits, check, guard, judge }: Account): string {
  if (judge !== undefined) return judge.right;
  if (guard === undefined) return note ?? (check === undefined ? '' : RIGHT[check]);
  if (guard !== 'digits' || digits === undefined) return RIGHT[guard];
  const [least, most] = digits;
  return `${least === most ? least : `${least} to ${most}`} digits`;
}

/**
 * True where the service refuses the account: it has another shape. The service looks at no check digits and counts
 * no digits.
 */
export function isRefusedAccount(field: Account, details: Details): boolean {
  const value = details[field.name];
  if (field.check === undefined || isBlank(value)) return false;
  const text = textValue(value);
  if (text === null) return true;
  if (field.check === 'phone') return wrongOfPhone(text, field, details) !== null;
  return !(field.format === undefined ? SHAPES[field.check].test(text) : fits(field.format, text));
}

/** Where the corridor says no shape of its own. An IBAN may be written in groups. */
const SHAPES: Record<Exclude<FieldCheck, 'phone'>, RegExp> = {
  digits: /^[0-9]+$/,
  iban: /^[A-Z]{2}[0-9]{2}[ -]?(?:[A-Z0-9][ -]?){10,30}$/i,
  bban: /^[A-Z0-9]+$/,
};

/** Lists the faults of the details that `only` names, or of all. A phone is named with its country. */
export function accountFaults(
  fields: readonly CorridorField[],
  details: Details,
  only?: readonly string[],
): { name: string; fault: AccountFault }[] {
  return fields.flatMap((field) => {
    const names = field.check === 'phone' ? [field.name, 'phone_country'] : [field.name];
    if (only && !names.some((name) => only.includes(name))) return [];
    const fault = accountFault(field, details);
    return fault ? [{ name: field.name, fault }] : [];
  });
}

/** `has the letter O in place 10; right is ten digits, such as 0123456789`. */
export const faultWords = ({ wrong, right }: AccountFault): string => `${wrong}; right is ${right}`;

const RIGHT: Record<FieldCheck | DeskGuard, string> = {
  digits: 'digits only',
  digits_or_iban: 'digits only, or an IBAN with its check digits',
  sort_code: 'six digits, such as 12-34-56',
  brazilian: 'digits, and a check digit that may be X',
  pix: 'a key of the kind that pix_key_type names',
  iban: 'an IBAN with its check digits, such as DE89370400440532013000',
  bban: 'a BBAN with its key',
  phone: 'an international number, such as +2348012345678, or a national one with phone_country',
};

type Judge = (text: string, field: Account, details: Details) => string | null;

const WRONG: Record<FieldCheck, Judge> = {
  digits: (text) => strange(text, /[0-9]/),
  iban: (text, { format }) => {
    if (!fits(format, text)) return strange(text, /[A-Z0-9]/) ?? shapeless(text);
    if (isValidIBAN(electronicFormatIBAN(text) ?? '')) return null;
    return 'is no IBAN: its country, its length or its check digits do not fit';
  },
  bban: (text, { format }) => {
    if (!fits(format, text)) return strange(text, /[A-Z0-9]/) ?? shapeless(text);
    return hasKey(text) ? null : 'is no BBAN: its last two digits, the key, do not fit the rest';
  },
  phone: wrongOfPhone,
};

const fits = (format: string | undefined, text: string): boolean =>
  format === undefined || patternOf(format).test(text);

const shapeless = (text: string): string => `has another shape, with ${text.length} characters`;

/**
 * The key of the West African BBAN (bank, branch, account, key), as in France: letters count as digits, and with the key the
 * whole can be divided by 97.
 */
function hasKey(bban: string): boolean {
  const digits = bban.replace(/[A-Z]/g, (letter) => String(LETTERS[letter.charCodeAt(0) - 65]));
  const key = Number(bban.slice(-2));
  return key >= 1 && key <= 97 && BigInt(digits) % 97n === 0n;
}

/** The values of the letters A to Z; S begins again at 2. */
const LETTERS = '12345678912345678923456789';

const INTERNATIONAL = /^\+[1-9][0-9]{6,14}$/;
const NATIONAL = /^[0-9]{5,15}$/;

/** Any phone number's shape, where nothing says in which country it is. */
export const looksLikePhone = (text: string): boolean => INTERNATIONAL.test(text) || NATIONAL.test(text);

function wrongOfPhone(
  text: string,
  { phoneCountry, international }: Account,
  details: Details,
): string | null {
  if (!looksLikePhone(text)) return strange(text.replace(/^\+/, ''), /[0-9]/) ?? 'is no phone number';
  if (INTERNATIONAL.test(text)) return fits(international, text) ? null : 'is a number of another country';
  const country = details.phone_country;
  if (isBlank(country)) return 'is national, and phone_country does not say of which country';
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country))
    return 'is national, and phone_country is not the two letters of a country';
  return phoneCountry === undefined || phoneCountry === country ? null : 'is a number of another country';
}
