import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies, currencyRule, decimalsOf, roundFor, roundsUp } from '../../src/core/currency.ts';
import { gte, isDecimal } from '../../src/core/money.ts';

it.each([
  ['NGN', '100.01', '101'],
  ['KES', '100.5', '101'],
  ['TZS', '7.000001', '8'],
  ['UGX', '7', '7'],
  ['JPY', '100.5', '101'],
  ['JPY', '100.4', '100'],
  ['XOF', '0.4', '0'],
  ['EUR', '12.345', '12.35'],
  ['EUR', '12.344', '12.34'],
  ['BTC', '0.123456785', '0.12345679'],
])('%s rounds %s to %s', (code, amount, expected) => expect(roundFor(code, amount)).toBe(expected));

describe('the table', () => {
  it('rounds up KES, TZS, UGX and NGN, and nothing else', () => {
    expect(Object.keys(currencies).filter(roundsUp).sort()).toEqual(['KES', 'NGN', 'TZS', 'UGX']);
  });

  it('knows currencies held at a partner by their code', () => {
    expect(decimalsOf('JPY::Partner')).toBe(0);
    expect(decimalsOf('USD::Partner')).toBe(2);
  });

  it.each(['toString', '__proto__', 'eur', '', 'XXX'])('%j is no currency, and has two decimals', (code) => {
    expect(currencyRule(code)).toBeUndefined();
    expect(decimalsOf(code)).toBe(2);
  });
});

it('a rounded amount has the decimals of its currency, and what is rounded up is never less', () => {
  const code = fc.constantFrom(...Object.keys(currencies));
  const amount = fc
    .tuple(fc.nat(), fc.nat(999_999))
    .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`);
  fc.assert(
    fc.property(code, amount, (currency, value) => {
      const rounded = roundFor(currency, value);
      expect(isDecimal(rounded)).toBe(true);
      expect(rounded.split('.')[1]?.length ?? 0).toBe(decimalsOf(currency));
      if (roundsUp(currency)) expect(gte(rounded, value)).toBe(true);
    }),
  );
});
