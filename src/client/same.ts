/**
 * How a member of a record compares with what was asked for (docs/rules.md 1). A service writes names in capitals, drops a zero, masks an
 * account or leaves a member out, and it is still the same payment. Asked whether something was paid already, the first three answers count
 * as the same; asked whether something was changed, only the first does.
 */
import { decimalsOf, roundFor } from '../core/currency.ts';
import { exactDigits } from '../core/exact-numbers.ts';
import { eq, fromMinorUnits, gt, minorUnits, round, sub, toDecimal } from '../core/money.ts';

/** The answers, from the most alike to the least. */
export const SAMENESS = ['same', 'written_otherwise', 'cannot_tell', 'other'] as const;
export type Sameness = (typeof SAMENESS)[number];

/** True where a member is at least as alike as `least`. */
export const isAsAlikeAs = (found: Sameness, least: Sameness): boolean =>
  SAMENESS.indexOf(found) <= SAMENESS.indexOf(least);

/** The least alike of several; `same` of none. */
export const leastAlike = (all: readonly Sameness[]): Sameness =>
  SAMENESS[Math.max(0, ...all.map((one) => SAMENESS.indexOf(one)))] ?? 'same';

/** Compares a member by its name. What the record does not show cannot be told. */
export function sameMember(name: string, asked: unknown, shown: unknown): Sameness {
  if (isBlank(shown)) return isBlank(asked) ? 'same' : 'cannot_tell';
  if (isBlank(asked)) return 'other';
  const digits = typeof asked === 'number' ? String(asked) : exactDigits(asked);
  // A service may read it as a float.
  if (digits !== undefined) return Number(digits) === Number(shown) ? 'same' : 'other';
  if (typeof asked === 'object' && typeof shown === 'object')
    return sameMembers(asked as Named, shown as Named);
  if (typeof asked === 'object' || typeof shown === 'object') return 'other';
  return sameText(name, String(asked), String(shown));
}

/** Compares a text about who pays: signs alone say nothing, and a number may lack its country wherever it stands. */
export function sameParty(name: string, asked: unknown, shown: unknown): Sameness {
  const [a, b] = [normalForm(String(asked)), normalForm(String(shown))];
  if (a === '' || b === '') return 'cannot_tell';
  return LONG_NUMBER.test(a) && b.endsWith(a) && a !== b
    ? 'written_otherwise'
    : sameMember(name, asked, shown);
}

const LONG_NUMBER = /^\d{6,}$/;

type Named = Readonly<Record<string, unknown>>;

function sameMembers(asked: Named, shown: Named): Sameness {
  if (Array.isArray(asked) !== Array.isArray(shown)) return 'other';
  const names = new Set([...Object.keys(asked), ...Object.keys(shown)]);
  return leastAlike([...names].map((name) => sameMember(name, asked[name], shown[name])));
}

function sameText(name: string, asked: string, shown: string): Sameness {
  if (asked === shown) return 'same';
  const masked = MASKED.exec(shown);
  if (masked) return fitsMask(normalForm(asked), masked) ? 'cannot_tell' : 'other';
  const [a, b] = [normalForm(asked), normalForm(shown)];
  if (a === b) return 'written_otherwise';
  if (!ONLY_DIGITS.test(a) || !ONLY_DIGITS.test(b)) return 'other';
  const [left, right] = [withoutZeros(a), withoutZeros(b)];
  return left === right || (PHONE.test(name) && endsWithNumber(left, right)) ? 'written_otherwise' : 'other';
}

/** Stars, dots and the like, or four X: three end the code of many a bank. */
const MASKED = /^(.*?)(?:[*•●▪#…]+|[xX]{4,})(.*)$/su;
/** True of a text of which a part is hidden. */
export const isMasked = (text: string): boolean => MASKED.test(text);

const ONLY_DIGITS = /^\d+$/;
const PHONE = /phone|msisdn/i;
/** The shortest national number without its zero. */
const PHONE_DIGITS = 7;

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** The country stands before a phone number, or does not. */
const endsWithNumber = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= PHONE_DIGITS && (a.endsWith(b) || b.endsWith(a));

const fitsMask = (asked: string, [, head = '', tail = '']: RegExpExecArray): boolean =>
  asked.startsWith(normalForm(head)) && asked.endsWith(normalForm(tail.replace(MASKED, '$2')));

/** Letters and digits in capitals, without marks, blanks and dashes. */
export const normalForm = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Compares amounts of a currency: by value, or by one step of a rounding that providers are known for. */
export function sameAmount(asked: unknown, shown: unknown, currency: string): Sameness {
  if (isBlank(shown)) return 'cannot_tell';
  const [left, right] = [toDecimal(asked), toDecimal(shown)];
  if (left === null || right === null) return 'other';
  if (eq(left, right) || eq(roundFor(currency, left), right)) return 'same';
  const decimals = decimalsOf(currency);
  if (!eq(round(right, decimals, 'down'), right)) return 'other';
  const isFive = decimals === 0 && minorUnits(right, 0) % 5n === 0n;
  const step = isFive ? roundingStep(currency) : fromMinorUnits(1n, decimals);
  const [low, high] = gt(left, right) ? [right, left] : [left, right];
  return gt(step, sub(high, low)) ? 'written_otherwise' : 'other';
}

/** The greatest step that a provider rounds to: five units where a currency has no decimals, else one minor unit. */
export const roundingStep = (currency: string): string =>
  decimalsOf(currency) === 0 ? '5' : fromMinorUnits(1n, decimalsOf(currency));

/** Compares codes of a currency, which are in capitals. */
export const sameCurrency = (asked: string | undefined, shown: string | null | undefined): Sameness =>
  isBlank(shown)
    ? 'cannot_tell'
    : asked === shown
      ? 'same'
      : asked?.toUpperCase() === shown?.toUpperCase()
        ? 'written_otherwise'
        : 'other';

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';
