import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AmountError,
  add,
  div,
  divRounded,
  eq,
  format,
  fromMinorUnits,
  gt,
  gte,
  isDecimal,
  isZero,
  minorUnits,
  mul,
  parseAmount,
  round,
  sub,
  sum,
  toDecimal,
} from '../../src/core/money.ts';

describe('amounts that people give', () => {
  it.each([
    ['1e3', 'is not an amount'],
    ['-5', 'must be more than 0'],
    ['0', 'must be more than 0'],
    ['0.00', 'must be more than 0'],
    ['NaN', 'is not an amount'],
    ['Infinity', 'is not an amount'],
    ['', 'is not an amount'],
    ['.5', 'is not an amount'],
    ['5.', 'is not an amount'],
    ['007', 'is not an amount'],
    ['+5', 'is not an amount'],
    ['0x10', 'is not an amount'],
    ['1 000', 'is not an amount'],
    ['١٢', 'is not an amount'],
    ['1,250.50', 'write 1250.50'],
    ['12.5051', 'more decimals than EUR has (2)'],
    ['123456789012345678901234567890', 'too large'],
    ['1234567890123456', 'at most 15 whole digits'],
  ])('refuses %j: %s', (text, message) => {
    expect(() => parseAmount(text, 2, 'EUR')).toThrow(AmountError);
    expect(() => parseAmount(text, 2, 'EUR')).toThrow(message);
  });

  it.each([
    ['12.5', 2, '12.50'],
    [' 12.50 ', 2, '12.50'],
    ['12.5000', 2, '12.5000'],
    ['100', 0, '100'],
    ['100.00', 0, '100.00'],
    ['0.00000001', 8, '0.00000001'],
    ['999999999999999.99', 2, '999999999999999.99'],
  ])('reads %j with %i decimals as %s', (text, decimals, expected) => {
    expect(eq(parseAmount(text, decimals, 'XXX'), expected)).toBe(true);
  });
});

describe('numbers from the wire', () => {
  it.each([
    [12.5, '12.5'],
    ['12.50', '12.50'],
    [1e21, '1000000000000000000000'],
    ['1.5e3', '1500'],
    ['-2', '-2'],
    [1e-7, '0.0000001'],
    ['123456789012345678.90', '123456789012345678.90'],
  ])('%j is %s', (value, expected) => expect(toDecimal(value)).toBe(expected));

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '', 'x', '1e9999', null, undefined, {}, [], true])(
    '%j is none',
    (value) => expect(toDecimal(value)).toBeNull(),
  );
});

const neg = (amount: string): string => mul(amount, '-1');
const lt = (a: string, b: string): boolean => gt(b, a);

const minor = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
const places = fc.integer({ min: 0, max: 8 });
const decimal = fc.tuple(minor, places).map(([value, decimals]) => fromMinorUnits(value, decimals));

describe('properties', () => {
  it('minor units there and back', () => {
    fc.assert(
      fc.property(minor, places, (value, decimals) => {
        const text = fromMinorUnits(value, decimals);
        expect(isDecimal(text)).toBe(true);
        expect(minorUnits(text, decimals)).toBe(value);
      }),
    );
  });

  it('a parsed amount is the same amount, and reads the same again', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), places, (value, decimals) => {
        const text = fromMinorUnits(value, decimals);
        const once = parseAmount(text, decimals, 'XXX');
        expect(eq(once, text)).toBe(true);
        expect(parseAmount(once, decimals, 'XXX')).toBe(once);
      }),
    );
  });

  it('rounds by less than one unit, in its direction, and not twice', () => {
    fc.assert(
      fc.property(decimal, places, fc.constantFrom('up', 'half_up', 'down'), (amount, decimals, mode) => {
        const rounded = round(amount, decimals, mode as 'up');
        const unit = fromMinorUnits(1n, decimals);
        const distance = sub(rounded, amount);
        expect(lt(distance, unit) && gt(distance, neg(unit))).toBe(true);
        expect(round(rounded, decimals, mode as 'up')).toBe(rounded);
        const away = lt(amount, '0') ? neg(distance) : distance;
        if (mode === 'up') expect(gte(away, '0')).toBe(true);
        if (mode === 'down') expect(gte('0', away)).toBe(true);
        if (mode === 'half_up') expect(gt(mul(neg(away), '2'), unit)).toBe(false);
      }),
    );
  });

  it('divides and rounds in one step as in two', () => {
    const some = fc.bigInt({ min: 1n, max: 10n ** 14n });
    const amount = fc.tuple(some, places).map(([value, decimals]) => fromMinorUnits(value, decimals));
    fc.assert(
      fc.property(
        amount,
        amount,
        places,
        fc.constantFrom('up', 'half_up', 'down'),
        (a, b, decimals, mode) => {
          expect(divRounded(a, b, decimals, mode)).toBe(round(div(a, b), decimals, mode));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('shows every digit that an amount has', () => {
    fc.assert(fc.property(decimal, places, (amount, decimals) => eq(format(amount, decimals), amount)));
  });

  it('adds up exactly, in any order', () => {
    fc.assert(
      fc.property(fc.array(decimal), (amounts) => {
        expect(eq(sum(amounts), sum([...amounts].reverse()))).toBe(true);
        expect(isZero(sum([...amounts, ...amounts.map(neg)]))).toBe(true);
        expect(eq(amounts.reduce(add, '0'), sum(amounts))).toBe(true);
      }),
    );
  });

  it('divides what it multiplied', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        fc.pre(!isZero(b));
        expect(eq(div(mul(a, b), b), a)).toBe(true);
      }),
    );
  });

  it('an amount with more places than minor units is no minor amount', () => {
    expect(() => minorUnits('1.005', 2)).toThrow(AmountError);
  });
});

describe('whole numbers in place of the library: the same text, digit for digit', () => {
  const big = Big();
  big.NE = -1000;
  big.PE = 1000;
  const digits = fc.array(fc.constantFrom(...'0015999'), { minLength: 1, maxLength: 30 });
  /** With zeros at either end, without a whole part or with an exponent: all that the library takes. */
  const written = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits, { nil: [] }),
      fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined, freq: 4 }),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const point = fraction.length > 0 ? `.${fraction.join('')}` : '';
      return `${sign}${whole.join('')}${point}${exponent === undefined ? '' : `e${exponent}`}`;
    });
  const any = fc.oneof(written, decimal, fc.constantFrom('0', '-0', '0.00', '-0.00', '.5', '5.', '-1e-3'));
  const MODES = { down: 0, half_up: 1, up: 3 } as const;
  const often = { numRuns: 5_000 };

  it('sums, differences, products and comparisons', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(add(a, b)).toBe(big(a).plus(b).toFixed());
        expect(sub(a, b)).toBe(big(a).minus(b).toFixed());
        expect(mul(a, b)).toBe(big(a).times(b).toFixed());
        expect([eq(a, b), gt(a, b), gte(a, b)]).toEqual([big(a).eq(b), big(a).gt(b), big(a).gte(b)]);
        expect([eq(a, a), gt(a, a), gte(a, a)]).toEqual([true, false, true]);
        expect(isZero(a)).toBe(big(a).eq(0));
      }),
      often,
    );
  });

  it('sums of many', () => {
    fc.assert(
      fc.property(fc.array(any), (amounts) => {
        expect(sum(amounts)).toBe(amounts.reduce((total, each) => total.plus(each), big(0)).toFixed());
      }),
    );
  });

  it('roundings, in every direction', () => {
    const half = fc.tuple(minor, places).map(([value, more]) => `${fromMinorUnits(value, more)}5`);
    const to = fc.integer({ min: 0, max: 25 });
    fc.assert(
      fc.property(fc.oneof(any, half), to, (amount, decimals) => {
        for (const mode of ['down', 'half_up', 'up'] as const)
          expect(round(amount, decimals, mode)).toBe(
            big(amount).round(decimals, MODES[mode]).toFixed(decimals),
          );
      }),
      often,
    );
  });

  it('a number of JSON that nobody turned into text is compared as its decimal', () => {
    expect(gt(12.5 as unknown as string, '12.4')).toBe(true);
  });

  it.each(['', ' ', ' 1', '1,5', '0x10', '1_000', '+1', 'NaN', '1n'])('%j is no amount to either', (text) => {
    expect(() => big(text)).toThrow();
    for (const work of [add, sub, mul, eq, gt, gte]) {
      expect(() => work(text, '1')).toThrow('Invalid number');
      expect(() => work('1', text)).toThrow('Invalid number');
    }
    expect(() => isZero(text)).toThrow('Invalid number');
    expect(() => sum([text])).toThrow('Invalid number');
    expect(() => round(text, 2, 'up')).toThrow('Invalid number');
  });
});
