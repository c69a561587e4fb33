/**
 * Judges accounts where the service looks at nothing: the desk alone asks here, since a typo guard is the desk's
 * (decision 0013). The bounds are wide on purpose: a length is refused only where no account of the country has it,
 * and never because most have another. Sources: the banks' own numbering (UK sort codes, CPF and CNPJ of Receita
 * Federal with the letters of 2026, keys of the Brazilian central bank's PIX), and the ITU's national numbering plans
 * for phones.
 * Each judge says what is wrong without repeating the number, or null.
 */

import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { byWord } from '../../core/by-word.ts';
import { isUuid } from '../../core/ids.ts';
import type { DeskGuard } from './corridor.ts';
import { EMAIL, patternOf } from './values.ts';

type Details = Readonly<Record<string, unknown>>;
type Judge = (text: string, details: Details) => string | null;

export const GUARDS: Readonly<Record<DeskGuard, Judge>> = {
  digits: (text) => strange(text, /[0-9]/),
  /** An account as a bank in Egypt prints it: its own number, or an IBAN. */
  digits_or_iban: (text) =>
    /^EG/i.test(text)
      ? isValidIBAN(electronicFormatIBAN(text) ?? '')
        ? null
        : 'is no IBAN: its length or its check digits do not fit'
      : strange(text, /[0-9]/),
  sort_code: (text) =>
    strange(text, /[0-9 -]/) ??
    (/^[0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{2}$/.test(text) ? null : countedDigits(text)),
  /** The check digit of some banks is an X. */
  brazilian: (text) => strange(text.replace(/-?[0-9X]$/i, ''), /[0-9]/),
  pix: (text, { pix_key_type: type }) => PIX[String(type)]?.(text) ?? null,
};

/** The first character that has no place there; it alone identifies no one. */
export function strange(text: string, allowed: RegExp): string | null {
  const characters = [...text];
  const at = characters.findIndex((one) => !allowed.test(one));
  if (at === -1) return null;
  const one = characters[at] ?? '';
  if (/\s/u.test(one)) return `has a blank in place ${at + 1}`;
  return `has ${/\p{L}/u.test(one) ? 'the letter ' : ''}${one} in place ${at + 1}`;
}

/** Where the lengths of a guarded account are counted: its digits, and not what separates them. */
export const digitsIn = (text: string): number => text.replace(/[^0-9X]/gi, '').length;
export const countedDigits = (text: string): string => {
  const digits = digitsIn(text);
  return `has ${digits} ${digits === 1 ? 'digit' : 'digits'}`;
};

const PIX: Readonly<Record<string, (text: string) => string | null>> = byWord({
  cpf: (text) => taxNumber(text, /^[0-9]{11}$/, 9, 'CPF'),
  cnpj: (text) => taxNumber(text, /^[0-9A-Z]{12}[0-9]{2}$/, 8, 'CNPJ'),
  phone: (text) =>
    /^\+55[1-9][0-9]{9,10}$/.test(text) ? null : 'is no Brazilian number: +55 and ten or eleven digits',
  email: (text) => (patternOf(EMAIL).test(text) ? null : 'is no e-mail address'),
  evp: (text) => (isUuid(text) ? null : 'is no random key: 32 hexadecimal digits in five groups'),
});

/**
 * The two check digits at the end: each is a weighted sum modulo 11 of what stands before it. A letter counts as its place in ASCII
 * less 48. `turn`: how many weights there are, from 2, before they begin again (CPF never does).
 */
function taxNumber(text: string, shape: RegExp, turn: number, name: string): string | null {
  const plain = text.toUpperCase().replace(/[./ -]/g, '');
  const wrong = `is no ${name}: its length or its check digits do not fit`;
  if (!shape.test(plain) || /^(.)\1*$/.test(plain)) return wrong;
  const weights = name === 'CPF' ? plain.length : turn;
  const isRight = [2, 1].every((left) => {
    const before = [...plain.slice(0, plain.length - left)].reverse();
    const sum = before.reduce((total, one, at) => total + (one.charCodeAt(0) - 48) * (2 + (at % weights)), 0);
    return Number(plain.at(-left)) === (sum % 11 < 2 ? 0 : 11 - (sum % 11));
  });
  return isRight ? null : wrong;
}

/** Digits after the country's own of a mobile number. Benin has two lengths: it added a prefix in 2024. */
const MOBILE: Readonly<Record<string, { code: string; digits: readonly number[] }>> = byWord({
  BF: { code: '226', digits: [8] },
  BJ: { code: '229', digits: [8, 10] },
  CI: { code: '225', digits: [10] },
  CM: { code: '237', digits: [9] },
  GA: { code: '241', digits: [7, 8, 9] },
  GH: { code: '233', digits: [9] },
  GN: { code: '224', digits: [9] },
  KE: { code: '254', digits: [9] },
  SN: { code: '221', digits: [9] },
  TG: { code: '228', digits: [8] },
  UG: { code: '256', digits: [9] },
});

/** A number that money is sent to: of one of these countries, and as long as theirs are. `+2330302123400` has its trunk zero too. */
export function wrongMobile(text: string, countries: readonly string[], details: Details): string | null {
  const { country, phone_country: of } = details;
  const meant = typeof country === 'string' && countries.includes(country) ? [country] : countries;
  const plans = meant.flatMap((one) => MOBILE[one] ?? []);
  if (plans.length === 0) return null;
  if (text.startsWith('+')) {
    const plan = plans.find(({ code }) => text.startsWith(`+${code}`));
    if (plan === undefined) return 'is a number of another country';
    return lengthOf(text.slice(plan.code.length + 1), plan.digits, `after +${plan.code}`);
  }
  const plan = typeof of === 'string' ? MOBILE[of] : undefined;
  if (plan === undefined || !plans.includes(plan)) return 'is a number of another country';
  return lengthOf(
    text,
    [...plan.digits, ...plan.digits.map((digits) => digits + (text.startsWith('0') ? 1 : 0))],
    '',
  );
}

/** True of a mobile number of a country that is known, and another one. */
export const isElsewhere = (text: string, country: string, { phone_country: of }: Details): boolean =>
  text.startsWith('+')
    ? Object.entries(MOBILE).some(([one, { code }]) => one !== country && text.startsWith(`+${code}`))
    : typeof of === 'string' && of !== country;

const lengthOf = (digits: string, right: readonly number[], where: string): string | null =>
  right.includes(digits.length) ? null : `has ${digits.length} digits ${where}`.trimEnd();
