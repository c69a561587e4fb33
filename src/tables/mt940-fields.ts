/** The fields of an MT940 that have money: a balance, and a movement. Banks differ in blanks, in widths and in what they leave out. */

import { isDecimal } from '../core/money.ts';
import { isDay } from '../core/zone.ts';

/** Most banks write `12,50`; `12,` and `12` are the same, and a point is read where it cannot be one of thousands. */
const AMOUNT = String.raw`(?:\d{1,15}(?:,\d{0,8}|\.\d{1,2}(?!\d))?|,\d{1,8})`;
const BALANCE = new RegExp(`^R?([CD])R?\\s*(?:\\d{6})?\\s*([A-Z]{3})\\s*(${AMOUNT})\\s*$`, 'i');
/**
 * Value date, booking day, mark, funds code, amount, kind of movement (of which blanks may be left), reference of the order, and of the
 * bank.
 */
const MOVEMENT = new RegExp(
  `^\\s*(\\d{6})(\\d{4}|\\s{4})?\\s*(RC|RD|EC|ED|C|D|[A-Z]{1,4})\\s*[A-Z]?\\s*(${AMOUNT})(?![\\d.,])\\s*(?:[A-Z][A-Z0-9 ]{3}|[A-Z0-9 ]{0,3}(?=//|$))?((?:(?!//).)*)(?://(.*))?$`,
  'i',
);

export interface BalanceField {
  isOut: boolean;
  amount: string;
  currency: string;
}

/** Undefined where it cannot be read. */
export function balanceField(text: string): BalanceField | undefined {
  const [, sign = '', currency = '', digits = ''] = BALANCE.exec(text.split('\n')[0] ?? '') ?? [];
  const amount = decimalOf(digits);
  return amount === undefined
    ? undefined
    : { isOut: sign.toUpperCase() === 'D', amount, currency: currency.toUpperCase() };
}

export interface MovementField {
  mark: string;
  isOut: boolean;
  amount: string;
  day: string;
  order: string | undefined;
  bank: string | undefined;
}

/** Undefined where it cannot be read. */
export function movementField(text: string): MovementField | undefined {
  const [, value = '', booked = '', letters = '', digits = '', order, bank] = MOVEMENT.exec(text) ?? [];
  const mark = letters.toUpperCase();
  const amount = decimalOf(digits);
  const day = bookedOn(value, booked.trim());
  if (amount === undefined || day === undefined) return undefined;
  // RC takes a credit back, and RD a debit.
  return { mark, isOut: mark === 'D' || mark === 'RC', amount, day, order, bank };
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

/**
 * The details are the text of a bank in `:86:`: subfields with a code (`?20`, `<20`, `~20`), words with a
 * slash on each side (`/REMI/`), or plain text. Subfields are cut at a width, in the middle of a reference
 * too: they are joined before anything is looked for in them.
 */
interface Details {
  endToEnd: string | undefined;
  text: string | undefined;
}

/** A line that is as long as a line can be goes on without a blank. */
const WIDTH = 65;
const CODED = /^\s*(?:\d{1,3}\s*)?([?<~^>|@$])\d{2}/;
/** Subfields of the purpose; the others have names, accounts and numbers of the bank. */
const PURPOSE = /^(?:2\d|6[0-3])$/;
const PLUS_NAMES = 'EREF|KREF|MREF|BREF|RREF|PREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|SQTP|IBAN|BIC';
const SLASH_NAMES =
  'EREF|REMI|TRTP|IBAN|BIC|NAME|MARF|CSID|ORDP|BENM|CNTP|PREF|RTRN|SVCL|PURP|ULTD|ULTB|ISDT|ADDR|ID|INIT|TRCD|NRTX|CHGS|EXCH|OAMT';

export function detailsField(field: string): Details {
  const joined = field.replace(/\n/g, '');
  const code = CODED.exec(joined)?.[1];
  if (code !== undefined) return byPlus(purposeOf(joined, code));
  if (new RegExp(`/(?:${SLASH_NAMES})/`).test(joined))
    return { endToEnd: bySlash(joined, 'EREF'), text: remittance(joined) };
  if (new RegExp(`(?:^|\\s)(?:${PLUS_NAMES})\\+`).test(joined)) return byPlus(joined);
  return { endToEnd: undefined, text: meant(plainText(field)) };
}

function purposeOf(joined: string, code: string): string {
  const parts = joined.split(new RegExp(`\\${code}(?=\\d{2})`)).slice(1);
  const purpose = parts.filter((part) => PURPOSE.test(part.slice(0, 2)));
  return (purpose.length === 0 ? parts : purpose).map((part) => part.slice(2)).join('');
}

function byPlus(text: string): Details {
  const of = (name: string): string | undefined =>
    meant(new RegExp(`${name}\\+([^]*?)(?=(?:${PLUS_NAMES})\\+|$)`).exec(text)?.[1]);
  return { endToEnd: of('EREF'), text: of('SVWZ') ?? meant(text) };
}

/** Up to the next name, not to the next slash: a reference may have slashes of its own. */
function bySlash(text: string, name: string): string | undefined {
  const found = new RegExp(`/${name}/([^]*?)(?=/(?:${SLASH_NAMES})/|$)`).exec(text)?.[1];
  return meant(found?.replace(/^\/+|(?<!\/)\/+$/g, ''));
}

const remittance = (text: string): string | undefined =>
  meant(bySlash(text, 'REMI')?.replace(/^(?:USTD|STRD)\/+(?:CUR\/+)?/, '')) ?? meant(text);

function plainText(field: string): string {
  const lines = field.split('\n');
  return lines
    .map((line, i) => (i === lines.length - 1 || line.length >= WIDTH ? line : `${line} `))
    .join('');
}

const meant = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();
