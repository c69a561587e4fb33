/** What a cell of a file says of money: the amount as it is sent, or the one fault that it has. */
import { describe, expect, it } from 'vitest';
import type { Corridor } from '../../../../src/contract/corridors/corridor.ts';
import { moneyOf, sentAmount } from '../../../../src/runs/files/money.ts';
import type { Fault } from '../../../../src/tables/row.ts';

const SHAPE = 'digits with a point, such as 1250.50';
const TOO_LARGE = 'is too large: at most 15 digits before the point';

describe('an amount', () => {
  it.each([
    ['12', 'EUR', '12.00'],
    ['12.5', 'EUR', '12.50'],
    ['12.50', 'EUR', '12.50'],
    ['12.5000', 'EUR', '12.50'],
    ['12.000', 'JPY', '12'],
    ['12', 'JPY', '12'],
    ['1000', 'EUR', '1000.00'],
    ['100', 'NGN', '100'],
    ['12.5', 'NGN', '12.5'],
    ['12.25', 'NGN', '12.25'],
    ['12.2500', 'NGN', '12.25'],
    ['0.5', 'EUR', '0.50'],
    ['0.00000001', 'BTC', '0.00000001'],
    ['1.12345678', 'BTC', '1.12345678'],
    ['999999999999', 'EUR', '999999999999.00'],
    ['1234567890123', 'EUR', '1234567890123.00'],
    ['999999999999999', 'EUR', '999999999999999.00'],
    ['999999999999999', 'NGN', '999999999999999'],
    ['999999999999998.5', 'NGN', '999999999999998.5'],
    ['1.12345678', 'ZZZ', '1.12345678'],
  ])('%s %s is sent as %s', (text, currency, amount) => {
    expect(sentAmount(text, currency, 'written')).toBe(amount);
    if (text !== '12.000') expect(sentAmount(text, currency, 'typed')).toBe(amount);
  });

  it.each([
    ['450.000', 'NGN', '450 or 450000'],
    ['450,000', 'NGN', '450 or 450000'],
    [' 1250.500 ', 'EUR', '1250.5 or 1250500'],
    ['12.501', 'EUR', '12501, or at most 2 decimals'],
    ['12.500', 'JPY', '12500, or no decimals'],
    ['12.000', 'JPY', '12 or 12000'],
    ['1,250', 'EUR', '1.25 or 1250'],
    ['1.125', 'ZZZ', '1125, or at most 2 decimals'],
  ])('%s %s that a person typed can be read in two ways', (text, currency, readings) => {
    expect(sentAmount(text, currency, 'typed')).toEqual({
      code: 'unclear',
      words: 'can be read in two ways: three digits after one mark',
      right: `write ${readings}`,
    });
  });

  it.each([
    ['0.500', 'EUR', '0.50'],
    ['450.0000', 'NGN', '450'],
    ['450.00', 'NGN', '450'],
    ['1.125', 'BTC', '1.12500000'],
  ])('%s %s that a person typed has one reading: %s', (text, currency, amount) =>
    expect(sentAmount(text, currency, 'typed')).toBe(amount),
  );

  it.each([
    ['12,50', 'EUR', 'decimal_comma', 'has a comma for its decimals', SHAPE],
    ['1234,5', 'EUR', 'decimal_comma', 'has a comma for its decimals', SHAPE],
    [' 12,5 ', 'EUR', 'decimal_comma', 'has a comma for its decimals', SHAPE],
    ['1,250', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['12,250', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1,250.50', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1,250,000', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ["1'250.50", 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1’250', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1 250', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1\u00a0250', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1\u202f250', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1.250.000', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['12.250.000,5', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1.250.000,50', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1.250,50', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['123.250,5', 'EUR', 'thousands', 'has thousands separators', SHAPE],
    ['1.2E+5', 'EUR', 'spreadsheet', expect.any(String), expect.any(String)],
    ['1,2e5', 'EUR', 'spreadsheet', expect.any(String), expect.any(String)],
    ['12E10', 'EUR', 'spreadsheet', expect.any(String), expect.any(String)],
    ['-12.25E-10', 'EUR', 'spreadsheet', expect.any(String), expect.any(String)],
    ['+1e1', 'EUR', 'spreadsheet', expect.any(String), expect.any(String)],
    ['many', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['007', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['012', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['12.', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['12 EUR', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['EUR 12', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['x1,250', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1,250x', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1,250,', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1234,250', 'EUR', 'decimal_comma', 'has a comma for its decimals', SHAPE],
    ['x12,5', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['12,5x', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['x1.250.000', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1.250.000x', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['x1.250,5', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1.250,5x', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['x1E5', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1E5x', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['1.2.3', 'EUR', 'amount', 'is not an amount', SHAPE],
    ['-5', 'EUR', 'amount', 'must be more than 0', undefined],
    ['-5.50', 'EUR', 'amount', 'must be more than 0', undefined],
    ['-0', 'EUR', 'amount', 'must be more than 0', undefined],
    ['0', 'EUR', 'amount', 'must be more than 0', undefined],
    ['0.00', 'EUR', 'amount', 'must be more than 0', undefined],
    ['0.000', 'EUR', 'amount', 'must be more than 0', undefined],
    ['1234567890123456', 'EUR', 'amount', TOO_LARGE, undefined],
    ['1234567890123456', 'NGN', 'amount', TOO_LARGE, undefined],
    // Rounded up it has a digit more than the service takes.
    ['999999999999999.5', 'NGN', 'amount', TOO_LARGE, undefined],
    ['12.555', 'EUR', 'decimals', 'has too many decimals', 'EUR has 2 decimals'],
    ['0.001', 'EUR', 'decimals', 'has too many decimals', 'EUR has 2 decimals'],
    ['100.555', 'EUR', 'decimals', 'has too many decimals', 'EUR has 2 decimals'],
    ['12.5', 'JPY', 'decimals', 'has too many decimals', 'JPY has no decimals'],
    [
      '12.555',
      'NGN',
      'decimals',
      'has too many decimals',
      'NGN is paid in whole units, rounded up: write at most two decimals',
    ],
    ['1.123456789', 'BTC', 'decimals', 'has too many decimals', 'BTC has 8 decimals'],
  ])('%j %s is refused as %s: it %s', (text, currency, code, words, right) => {
    const found = sentAmount(text, currency, 'written');
    expect(found).toMatchObject({ code, words });
    expect((found as { right?: string }).right).toEqual(right);
  });
});

describe('the money of a row', () => {
  const naira = { type: 'NGN::Bank', currency: 'NGN' } as Corridor;
  const right = expect.stringMatching(/^one of AED, BTC, .*EUR.*, ZAR$/);
  const fault = (column: string, code: string, words: string, hint?: unknown) => ({
    row: 3,
    at: 'line 4',
    column,
    code,
    words,
    right: hint,
  });

  it.each<[Record<string, string>, Corridor | undefined, unknown]>([
    [
      { amount: '100', input_currency: 'EUR' },
      naira,
      { amount: '100', currency: 'NGN', inputCurrency: 'EUR' },
    ],
    [
      { amount: '100', input_currency: ' eur ' },
      naira,
      { amount: '100', currency: 'NGN', inputCurrency: 'EUR' },
    ],
    [
      { amount: '100', input_currency: 'EUR', currency: ' ngn' },
      naira,
      { amount: '100', currency: 'NGN', inputCurrency: 'EUR' },
    ],
    [
      { amount: '100', input_currency: 'EUR', currency: 'EUR' },
      naira,
      { amount: '100.00', currency: 'EUR', inputCurrency: 'EUR' },
    ],
    [
      { amount: '100', input_currency: 'EUR', currency: 'GBP' },
      undefined,
      { amount: '100.00', currency: 'GBP', inputCurrency: 'EUR' },
    ],
  ])('%j is read', (cells, corridor, money) => {
    const faults: Fault[] = [];
    expect(moneyOf({ n: 3, at: 'line 4', cells }, corridor, faults)).toEqual(money);
    expect(faults).toEqual([]);
  });

  it.each<[Record<string, string>, Corridor | undefined, unknown[]]>([
    [{ input_currency: 'EUR' }, naira, [fault('amount', 'missing', 'is missing')]],
    [{ amount: '100' }, naira, [fault('input_currency', 'missing', 'is missing', right)]],
    [
      { amount: '100', input_currency: 'JPY' },
      naira,
      [fault('input_currency', 'currency', 'is not a currency that you can pay in', right)],
    ],
    [{ amount: '100', input_currency: 'EUR' }, undefined, []],
    [
      { amount: '100', input_currency: 'EUR', currency: 'ZZZ' },
      naira,
      [fault('currency', 'currency', 'is not a known currency', 'NGN')],
    ],
    [
      { amount: '100', input_currency: 'EUR', currency: 'ZZZ' },
      undefined,
      [fault('currency', 'currency', 'is not a known currency')],
    ],
    [
      { amount: '100', input_currency: 'EUR', currency: 'GBP' },
      naira,
      [fault('currency', 'currency', 'is neither what NGN::Bank pays out nor what you pay in', 'NGN')],
    ],
    [
      { amount: '1,5', input_currency: 'EUR' },
      naira,
      [fault('amount', 'decimal_comma', 'has a comma for its decimals', SHAPE)],
    ],
    [
      { currency: 'ZZZ' },
      naira,
      [
        fault('input_currency', 'missing', 'is missing', right),
        fault('currency', 'currency', 'is not a known currency', 'NGN'),
        fault('amount', 'missing', 'is missing'),
      ],
    ],
  ])('%j has faults', (cells, corridor, found) => {
    const faults: Fault[] = [];
    expect(moneyOf({ n: 3, at: 'line 4', cells }, corridor, faults)).toBeUndefined();
    expect(faults).toEqual(found);
  });
});
