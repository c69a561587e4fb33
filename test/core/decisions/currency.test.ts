/** Places, rounding and signs of each currency, and what becomes of one that is not in the table. */
import { expect, it } from 'vitest';
import {
  askedDecimals,
  currencies,
  currencyRule,
  decimalsOf,
  fitsDecimals,
  inputCurrencies,
  quotientFor,
  roundFor,
  roundsUp,
} from '../../../src/core/currency.ts';

const TABLE = `
  AED 2 half_up AED | BRL 2 half_up R$ | BTC 8 half_up ₿ | BWP 2 half_up P | CAD 2 half_up CA$ | CHF 2 half_up CHF
  CNY 2 half_up CN¥ | CRC 2 half_up ₡ | EGP 2 half_up E£ | EUR 2 half_up € | GBP 2 half_up £ | GHS 2 half_up GH₵
  GNF 0 half_up FG | GTQ 2 half_up Q | INR 2 half_up ₹ | JPY 0 half_up ¥ | KES 0 up KSh | KRW 0 half_up ₩
  MAD 2 half_up DH | NGN 0 up ₦ | NZD 2 half_up NZ$ | PEN 2 half_up S/ | TZS 0 up TSh | UGX 0 up USh
  USD 2 half_up $ | VND 0 half_up ₫ | XAF 0 half_up FCFA | XOF 0 half_up CFA | ZAR 2 half_up R | ZMW 2 half_up K
`;
const rows = TABLE.trim()
  .split(/\||\n/)
  .map((row) => row.trim().split(' ') as [string, string, string, string]);

it.each(rows)('%s has %s places, is rounded %s, and is written %s', (code, decimals, rounding, symbol) => {
  expect(currencyRule(code)).toMatchObject({ decimals: Number(decimals), rounding, symbol });
  expect(currencyRule(code)?.name).toMatch(/^[A-Z].{3,}/);
  expect(decimalsOf(code)).toBe(Number(decimals));
  expect(decimalsOf(`${code}::Partner`)).toBe(Number(decimals));
  expect(roundsUp(code)).toBe(rounding === 'up');
});

it('has no other row', () => expect(Object.keys(currencies)).toHaveLength(rows.length));

it('names by one word what is called by one', () => {
  expect([currencies.BTC?.name, currencies.EUR?.name]).toEqual(['Bitcoin', 'Euro']);
});

it('a transaction is paid in some of them', () => {
  expect(inputCurrencies.join(' ')).toBe('AED BTC CAD CHF EUR GBP GHS KES MAD NGN UGX USD XAF XOF ZAR');
});

it.each([
  ['NGN', '10', '3', '4'],
  ['NGN', '9', '3', '3'],
  ['JPY', '10', '4', '3'],
  ['JPY', '9', '4', '2'],
  ['EUR', '1', '8', '0.13'],
  ['BTC', '1', '3', '0.33333333'],
  // One that is not in the table has two places, half up.
  ['XXX', '1', '8', '0.13'],
  ['XXX', '1', '3', '0.33'],
])('in %s %s / %s is %s', (code, a, b, quotient) => {
  expect(quotientFor(code, a, b)).toBe(quotient);
});

it.each([
  ['XXX', '0.125', '0.13'],
  ['XXX', '0.124', '0.12'],
  ['KES', '0.01', '1'],
])('in %s %s is rounded to %s', (code, amount, rounded) => expect(roundFor(code, amount)).toBe(rounded));

it('what is no currency is not rounded up', () => expect(roundsUp('XXX')).toBe(false));

it.each([
  // Always rounded up, so that the service rounds what is asked in two.
  ['NGN', 2],
  ['KES', 2],
  ['JPY', 0],
  ['XOF', 0],
  ['EUR', 2],
  ['BTC', 8],
  // The service judges what is not in the table.
  ['XXX', 8],
  ['NGN::Partner', 8],
])('in %s an amount may be asked in %i decimals', (code, decimals) =>
  expect(askedDecimals(code)).toBe(decimals),
);

it.each([
  ['5000', 'JPY', true],
  ['5000.0', 'JPY', true],
  ['5000.00', 'JPY', true],
  ['5000.1', 'JPY', false],
  ['5000.01', 'NGN', true],
  ['5000.010', 'NGN', true],
  ['5000.0100', 'NGN', true],
  ['5000.001', 'NGN', false],
  ['0.12', 'EUR', true],
  ['0.120', 'EUR', true],
  ['0.123', 'EUR', false],
  ['0.1030', 'EUR', false],
  ['0.12345678', 'BTC', true],
  ['0.123456789', 'BTC', false],
  ['10', 'EUR', true],
])('%s fits %s: %s', (amount, code, fits) => expect(fitsDecimals(amount, code)).toBe(fits));
