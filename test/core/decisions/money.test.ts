/** Amounts at the edges of what is read, rounded and shown. */
import { describe, expect, it } from 'vitest';
import {
  AmountError,
  clearerAmount,
  divRounded,
  format,
  fromMinorUnits,
  isDecimal,
  minorUnits,
  parseAmount,
  round,
  toDecimal,
} from '../../../src/core/money.ts';

describe('an amount that a person gives', () => {
  it.each([
    ['1,250', 'in two ways: write 1.25 or 1250'],
    ['450.000', 'write 450 or 450000'],
    ['12.501', 'write 12501, or at most 2 decimals'],
    ['12,345,678.90', 'write 12345678.90'],
    ['123,456', 'write 123456, or at most 2 decimals'],
    ['123,456,000', 'write 123456000'],
    // These are no thousands.
    ['x1,250', 'is not an amount'],
    ['1,250x', 'is not an amount'],
    ['1,25', 'is not an amount'],
    ['1234,567', 'write 1234567, or at most 2 decimals'],
    ['1234,5678', 'is not an amount'],
    ['0,125', 'is not an amount'],
    ['0.125', 'more decimals than EUR has (2)'],
    [' 1,250 ', '"1,250"'],
    ['-0.01', 'must be more than 0'],
    ['12.5010', 'more decimals than EUR has (2)'],
    ['1000000000000000', 'is too large'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseAmount(text, 2, 'EUR')).toThrow(message);
    expect(() => parseAmount(text, 2, 'EUR')).toThrow(AmountError);
  });

  it.each([
    ['7', 0, '7'],
    ['7', 2, '7.00'],
    ['7.5', 2, '7.50'],
    ['7.10', 2, '7.10'],
    ['7.25', 2, '7.25'],
    // Zeros beyond the last place say nothing, and go.
    ['7.2500', 2, '7.25'],
    ['0.500', 2, '0.50'],
    ['7.250', 3, '7.250'],
    ['7.0', 0, '7'],
    ['999999999999999', 0, '999999999999999'],
    ['0.01', 2, '0.01'],
  ])('%j of %i decimals is %s', (text, decimals, amount) => {
    expect(parseAmount(text, decimals, 'EUR')).toBe(amount);
  });
});

it.each([
  ['0', true],
  ['-0.5', true],
  ['10', true],
  ['01', false],
  ['1.', false],
  ['1e3', false],
  ['1 ', false],
])('%j is a decimal: %j', (text, is) => expect(isDecimal(text)).toBe(is));

it.each<[unknown, string | null]>([
  [0, '0'],
  [1e-6, '0.000001'],
  [9.9e-7, '0.00000099'],
  [-1e-7, '-0.0000001'],
  [123456789, '123456789'],
  [1e21, '1000000000000000000000'],
  [999999999999999900000, '999999999999999900000'],
  [-2.5, '-2.5'],
  ['007', '7'],
  ['-007.50', '-7.5'],
  ['12e2', '1200'],
  ['12E-2', '0.12'],
  ['1.25e10', '12500000000'],
  ['-1.25e+10', '-12500000000'],
  ['1e1000', null],
  ['x5', null],
  ['5x', null],
  ['5e', null],
  ['1,5', null],
  [' 5', null],
  [Number.NEGATIVE_INFINITY, null],
  ['+5', '5'],
  ['+1.5e2', '150'],
  ['+-5', null],
  ['++5', null],
])('%j from the wire is %j', (value, decimal) => expect(toDecimal(value)).toBe(decimal));

it.each([
  ['5', 0, '5'],
  ['5', 2, '5.00'],
  ['5.1', 2, '5.10'],
  ['5.123', 2, '5.123'],
  ['5.123', 0, '5.123'],
  ['1234.5', 1, '1234.5'],
  ['-0.5', 2, '-0.50'],
])('%s with %i places at least is shown as %s', (amount, decimals, shown) => {
  expect(format(amount, decimals)).toBe(shown);
});

it.each([
  ['2.5', 0, 'down', '2'],
  ['2.5', 0, 'half_up', '3'],
  ['2.1', 0, 'up', '3'],
  ['2.4', 0, 'half_up', '2'],
] as const)('%s to %i places %s is %s', (amount, decimals, mode, rounded) => {
  expect(round(amount, decimals, mode)).toBe(rounded);
});

it.each([
  ['1', '8', 2, 'half_up', '0.13'],
  ['1', '8', 2, 'down', '0.12'],
  ['1', '8', 2, 'up', '0.13'],
  ['5', '2', 0, 'half_up', '3'],
  ['5', '2', 0, 'down', '2'],
  ['49', '20', 0, 'half_up', '2'],
  ['6', '2', 0, 'up', '3'],
  ['0', '3', 2, 'up', '0.00'],
  ['0.05', '0.5', 1, 'down', '0.1'],
  ['10.5', '0.25', 0, 'half_up', '42'],
] as const)('%s / %s to %i places %s is %s', (a, b, decimals, mode, quotient) => {
  expect(divRounded(a, b, decimals, mode)).toBe(quotient);
});

describe('minor units', () => {
  it.each([
    ['12', 2, 1200n],
    ['12.5', 2, 1250n],
    ['12.50', 2, 1250n],
    ['12.500', 2, 1250n],
    ['-12.5', 2, -1250n],
    ['12', 0, 12n],
    ['12.0', 0, 12n],
    ['0.00000001', 8, 1n],
    ['1e3', 2, 100_000n],
    ['1.5e1', 1, 150n],
  ])('%s of %i decimals are %s', (amount, decimals, minor) => {
    expect(minorUnits(amount, decimals)).toBe(minor);
  });

  it.each([
    ['12.501', 2],
    ['0.1', 0],
    ['-0.001', 2],
  ])('%s does not fit %i decimals', (amount, decimals) => {
    expect(() => minorUnits(amount, decimals)).toThrow(AmountError);
    expect(() => minorUnits(amount, decimals)).toThrow(`more than ${decimals} decimals`);
  });

  it.each([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [123n, 0, '123'],
    [-123n, 0, '-123'],
    [0n, 0, '0'],
    [1234n, 3, '1.234'],
  ])('%s with %i decimals is %s', (minor, decimals, amount) => {
    expect(fromMinorUnits(minor, decimals)).toBe(amount);
  });
});

describe('a thousand characters', () => {
  const ONES = '1'.repeat(998);

  it('are read, and one more is not', () => {
    expect(isDecimal(`${ONES}11`)).toBe(true);
    expect(isDecimal(`${ONES}111`)).toBe(false);
    expect(toDecimal(`${ONES}11`)).toBe(`${ONES}11`);
    expect(toDecimal(`${ONES}111`)).toBeNull();
    expect(() => parseAmount(`${ONES}11`, 2, 'EUR')).toThrow('is too large');
    expect(() => parseAmount(`${ONES}111`, 2, 'EUR')).toThrow(
      'an amount of 1001 characters is too long: at most 1000',
    );
  });
});

it.each([
  ['450.000', 2, '450 or 450000'],
  ['450,500', 2, '450.5 or 450500'],
  ['450.250', 2, '450.25 or 450250'],
  ['450.125', 2, '450125, or at most 2 decimals'],
  ['450.125', 0, '450125, or no decimals'],
  ['450.000', 0, '450 or 450000'],
  ['450.000', 3, undefined],
  ['0.125', 2, undefined],
  ['450.00', 2, undefined],
])('%s in a currency of %i decimals is clearer as %s', (text, decimals, clearer) =>
  expect(clearerAmount(text, decimals)).toBe(clearer),
);

it('a program writes with a point, so that three digits behind it are decimals', () => {
  expect(parseAmount('450.000', 2, 'EUR', 'written')).toBe('450.00');
  expect(() => parseAmount('450.000', 2, 'EUR', 'typed')).toThrow('in two ways');
  expect(() => parseAmount('450.000', 2, 'EUR')).toThrow('in two ways');
});

it.each([
  [0.000001, '0.000001'],
  [0.0000005, '0.0000005'],
  [-0.0000005, '-0.0000005'],
  [5e20, '500000000000000000000'],
  [1e21, '1000000000000000000000'],
  [-1e21, '-1000000000000000000000'],
  [0, '0'],
  ['+5', '5'],
  ['+5.25', '5.25'],
  ['+', null],
  ['++5', null],
  ['5+', null],
])('%j is %s', (value, decimal) => expect(toDecimal(value)).toBe(decimal));

it.each([
  ['0.5', 2, 50n],
  ['0.50', 2, 50n],
  ['0.500', 2, 50n],
  ['12', 2, 1200n],
  ['12.5', 0, undefined],
  ['12.0', 0, 12n],
])('%s in %i places is %s minor units', (amount, decimals, units) => {
  if (units === undefined) expect(() => minorUnits(amount, decimals)).toThrow(AmountError);
  else expect(minorUnits(amount, decimals)).toBe(units);
});
