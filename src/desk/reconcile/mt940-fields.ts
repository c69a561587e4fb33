/** The fields of an MT940 that have money: a balance, and a movement. Banks differ in blanks, in widths and in what they leave out. */
import { isDecimal } from '../../core/money.ts';
import { isDay } from '../../core/zone.ts';

/** Most banks write `12,50`; `12,` and `12` are the same, and a point is read where it cannot be one of thousands. */
const AMOUNT = String.raw`(?:\d{1,15}(?:,\d{0,8}|\.\d{1,2}(?!\d))?|,\d{1,8})`;
const BALANCE = new RegExp(`^R?([CD])R?\\s*(?:\\d{6})?\\s*([A-Z]{3})\\s*(${AMOUNT})\\s*$`, 'i');
/**
 * Value date, booking day, mark, funds code, amount, kind of movement (of which blanks may be left), reference of the order, and of the
 * bank.
 */
const MOVEMENT = new RegExp(
  `^\\s*(\\d{6})(\\d{4}|\\s{4})?\\s*(RC|RD|EC|ED|C|D)\\s*[A-Z]?\\s*(${AMOUNT})(?![\\d.,])\\s*(?:[A-Z][A-Z0-9 ]{3}|[A-Z0-9 ]{0,3}(?=//|$))?((?:(?!//).)*)(?://(.*))?$`,
  'i',
);

export interface BalanceField {
  isOut: boolean;
  amount: string;
  currency: string;
}

/** Undefined where it cannot be read. */
export function balanceOf(text: string): BalanceField | undefined {
  const [, sign = '', currency = '', digits = ''] = BALANCE.exec(text.split('\n')[0] ?? '') ?? [];
  const amount = decimalOf(digits);
  return amount === undefined
    ? undefined
    : { isOut: sign.toUpperCase() === 'D', amount, currency: currency.toUpperCase() };
}

export interface MovementField {
  isOut: boolean;
  amount: string;
  day: string;
  order: string | undefined;
  bank: string | undefined;
}

/** Undefined where it cannot be read. */
export function movementOf(text: string): MovementField | undefined {
  const [, value = '', booked = '', mark = '', digits = '', order, bank] = MOVEMENT.exec(text) ?? [];
  const amount = decimalOf(digits);
  const day = bookedOn(value, booked.trim());
  if (amount === undefined || day === undefined) return undefined;
  // RC takes a credit back, and RD a debit.
  return { isOut: /^(?:D|RC|ED)$/i.test(mark), amount, day, order, bank };
}

function decimalOf(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  const plain = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`;
  return isDecimal(plain) ? plain : undefined;
}

/** The value date has a year; the booking day has none, and is the one that is nearest to it. */
function bookedOn(value: string, booked: string): string | undefined {
  if (value === '') return undefined;
  const year = 2000 + Number(value.slice(0, 2));
  const valueDay = dayOf(year, value.slice(2));
  if (valueDay === undefined || booked === '' || booked === '0000') return valueDay;
  const apart = Number(booked.slice(0, 2)) - Number(value.slice(2, 4));
  return dayOf(apart > 6 ? year - 1 : apart < -6 ? year + 1 : year, booked);
}

/** Banks that count 30 days in every month book on 29 and 30 February: that is the month's last day. */
function dayOf(year: number, monthDay: string): string | undefined {
  const month = monthDay.slice(0, 2);
  const text = `${year}-${month}-${monthDay.slice(2)}`;
  if (isDay(text)) return text;
  if (!/^02(?:29|30)$/.test(monthDay)) return undefined;
  return isDay(`${year}-02-29`) ? `${year}-02-29` : `${year}-02-28`;
}
