/**
 * A judge says at the question how an answer is wrong, or returns true where it is right. Nothing else is
 * asked before it is right.
 */
import { looksLikePhone } from '../../../contract/corridors/accounts.ts';
import { currencyRule, roundsUp } from '../../../core/currency.ts';
import { AmountError } from '../../../core/money.ts';
import { isDay } from '../../../core/zone.ts';
import { readAmount } from '../../amount.ts';

export type InputVerdict = true | string;

/** A positive amount with no more decimals than its currency has. */
export function judgeAmount(text: string, currency: string): InputVerdict {
  if (roundsUp(currency) && /^\d+\.\d\d\d*[1-9]/.test(text))
    return `${currency} is paid in whole units, rounded up: write at most two decimals`;
  try {
    readAmount(text, currency);
    return true;
  } catch (error) {
    if (error instanceof AmountError) return error.message;
    throw error;
  }
}

export function judgeCurrency(text: string): InputVerdict {
  const code = text.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return 'A currency has three letters, such as EUR';
  return currencyRule(code) !== undefined || `${code} is not a currency that can be paid in`;
}

/** A day of the calendar: 2026-02-30 is none. */
export function judgeDate(text: string): InputVerdict {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'Write the date as YEAR-MONTH-DAY, such as 1990-01-31';
  return isDay(text) || `${text} is not a day of the calendar`;
}

export const judgePhone = (text: string): InputVerdict =>
  looksLikePhone(text) || 'A phone number has digits only, such as +233302123400';

export const judgeEmail = (text: string): InputVerdict =>
  /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(text) || 'An e-mail address looks like ines@example.com';

export function judgeCountry(text: string): InputVerdict {
  const code = text.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) return 'A country has two letters, such as NG';
  return countryName(code) !== undefined || `${code} is not the code of a country`;
}

export function countryName(code: string): string | undefined {
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code);
}

export const judgeIp = (text: string): InputVerdict =>
  /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255)
    ? true
    : (/^[0-9a-f:]+$/i.test(text) && text.includes(':')) || 'An address looks like 203.0.113.7';
