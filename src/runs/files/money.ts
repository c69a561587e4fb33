/** The money of a row: an amount, its currency, and the one that is paid in. */
import type { Corridor } from '../../contract/corridors/corridor.ts';
import { currencyRule, decimalsOf, inputCurrencies, roundFor, roundsUp } from '../../core/currency.ts';
import { AmountError, type AmountFrom, clearerAmount } from '../../core/money.ts';
import { readAmount } from '../../payments/amount.ts';
import { type Fault, type FileRow, faultAt } from '../../tables/row.ts';
import type { Spoilt } from './spreadsheet.ts';

const THOUSANDS =
  /^\d{1,3}(?:[,'’\s\u00a0\u202f]\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^\d{1,3}\.\d{3},\d+$/;
const COMMA = /^\d+,\d+$/;
const POWER = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
const SHAPE = 'digits with a point, such as 1250.50';
const MOST_DIGITS = 15;

export interface FileMoney {
  amount: string;
  currency: string;
  inputCurrency: string;
}

/** Undefined where there is a fault. */
export function moneyOf(
  row: FileRow,
  corridor: Corridor | undefined,
  faults: Fault[],
): FileMoney | undefined {
  const inputCurrency = inputOf(row, faults);
  const currency = currencyOf(row, corridor, faults);
  const { amount: text } = row.cells;
  if (text === undefined) faults.push(faultAt(row, 'amount', 'missing', 'is missing'));
  if (text === undefined || currency === undefined) return undefined;
  const amount = sentAmount(text, currency, row.isTyped ? 'typed' : 'written');
  if (typeof amount !== 'string') {
    faults.push(faultAt(row, 'amount', amount.code, amount.words, amount.right));
    return undefined;
  }
  return inputCurrency === undefined ? undefined : { amount, currency, inputCurrency };
}

const codeOf = (text: string | undefined): string | undefined => text?.trim().toUpperCase();

function inputOf(row: FileRow, faults: Fault[]): string | undefined {
  const input = codeOf(row.cells.input_currency);
  if (input !== undefined && inputCurrencies.includes(input)) return input;
  const right = `one of ${inputCurrencies.join(', ')}`;
  faults.push(
    input === undefined
      ? faultAt(row, 'input_currency', 'missing', 'is missing', right)
      : faultAt(row, 'input_currency', 'currency', 'is not a currency that you can pay in', right),
  );
  return undefined;
}

/**
 * Returns the currency of the amount: the one that arrives, or the one that is paid in. It is unknown
 * before what another would cost.
 */
function currencyOf(row: FileRow, corridor: Corridor | undefined, faults: Fault[]): string | undefined {
  const given = codeOf(row.cells.currency);
  if (given === undefined) return corridor?.currency;
  if (!currencyRule(given)) {
    faults.push(faultAt(row, 'currency', 'currency', 'is not a known currency', corridor?.currency));
    return undefined;
  }
  const input = codeOf(row.cells.input_currency);
  if (corridor === undefined || given === corridor.currency || given === input) return given;
  const words = `is neither what ${corridor.type} pays out nor what you pay in`;
  faults.push(faultAt(row, 'currency', 'currency', words, corridor.currency));
  return undefined;
}

/** The amount as it is sent, or what is wrong with it. The text is not repeated: it may be an account in the wrong column. */
export function sentAmount(text: string, currency: string, from: AmountFrom): string | Spoilt {
  const decimals = decimalsOf(currency);
  const clearer = from === 'typed' ? clearerAmount(text.trim(), decimals) : undefined;
  if (clearer !== undefined)
    return {
      code: 'unclear',
      words: 'can be read in two ways: three digits after one mark',
      right: `write ${clearer}`,
    };
  const plain = plainAmount(text, currency);
  if (plain !== undefined) return plain;
  try {
    const amount = readAmount(text, currency, from);
    if (roundsUp(currency) && roundFor(currency, amount).length > MOST_DIGITS) return TOO_LARGE;
    return amount;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return wrong(text.trim(), currency);
  }
}

const PLAIN = /^((?!0)\d{1,12})(?:\.(\d{1,8}))?$/;

/**
 * Returns what `readAmount` makes of an amount of the usual form, without its arithmetic; undefined for any
 * other.
 */
function plainAmount(text: string, currency: string): string | undefined {
  const found = PLAIN.exec(text);
  if (found === null || !currencyRule(currency)) return undefined;
  const [, whole = '', fraction = ''] = found;
  const decimals = decimalsOf(currency);
  let end = fraction.length;
  while (end > 0 && fraction.charCodeAt(end - 1) === ZERO) end--;
  if (end > (roundsUp(currency) ? 2 : decimals)) return undefined;
  const kept = fraction.slice(0, end).padEnd(decimals, '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

const ZERO = 0x30;

const TOO_LARGE: Spoilt = {
  code: 'amount',
  words: `is too large: at most ${MOST_DIGITS} digits before the point`,
};

function wrong(text: string, currency: string): Spoilt {
  if (COMMA.test(text) && !THOUSANDS.test(text))
    return { code: 'decimal_comma', words: 'has a comma for its decimals', right: SHAPE };
  if (THOUSANDS.test(text)) return { code: 'thousands', words: 'has thousands separators', right: SHAPE };
  if (POWER.test(text))
    return {
      code: 'spreadsheet',
      words: 'was written as a power of ten, and its digits are lost',
      right: 'make the column text in the spreadsheet, and put the amount in again',
    };
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text))
    return { code: 'amount', words: 'is not an amount', right: SHAPE };
  if (/^-|^0(?:\.0+)?$/.test(text)) return { code: 'amount', words: 'must be more than 0' };
  if (/^\d{16}/.test(text)) return TOO_LARGE;
  const decimals = decimalsOf(currency);
  const right = roundsUp(currency)
    ? `${currency} is paid in whole units, rounded up: write at most two decimals`
    : decimals === 0
      ? `${currency} has no decimals`
      : `${currency} has ${decimals} decimals`;
  return { code: 'decimals', words: 'has too many decimals', right };
}
