/** An amount is read for its currency: how many decimals may be written, and how many are sent. */
import { expect, it } from 'vitest';
import { AmountError } from '../../../src/core/money.ts';
import { readAmount } from '../../../src/payments/amount.ts';

it.each([
  ['12.5', 'EUR', '12.50'],
  ['12', 'EUR', '12.00'],
  ['12', 'JPY', '12'],
  ['0.00000001', 'BTC', '0.00000001'],
  // The service rounds these up, and the caller is told: decimals may be written.
  ['12.5', 'NGN', '12.5'],
  ['12.25', 'KES', '12.25'],
  // Nobody knows the decimals of a currency that is not in the table.
  ['1.12345678', 'ZZZ', '1.12345678'],
])('%s %s is sent as %s', (text, currency, sent) => {
  expect(readAmount(text, currency)).toBe(sent);
});

it('what a person types is asked for again where it can be read in two ways, and what a program writes is not', () => {
  expect(() => readAmount('450.000', 'EUR')).toThrow('can be read in two ways');
  expect(() => readAmount('450.000', 'EUR', 'typed')).toThrow('can be read in two ways');
  expect(readAmount('450.000', 'EUR', 'written')).toBe('450.00');
});

it.each([
  ['12.555', 'EUR'],
  ['12.5', 'JPY'],
  ['12.555', 'NGN'],
  ['0.000000001', 'BTC'],
  ['1.123456789', 'ZZZ'],
  ['0', 'EUR'],
  ['many', 'EUR'],
])('%s %s is refused', (text, currency) => {
  expect(() => readAmount(text, currency)).toThrow(AmountError);
});
