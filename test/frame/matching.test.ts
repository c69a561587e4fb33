/** What finds a choice of a long list: codes, words, initials. */
import { expect, it } from 'vitest';
import { loadOptions } from '../../src/contract/corridors/index.ts';
import { bestMatches } from '../../src/frame/terminal/choosing.ts';

const banks = Object.entries(await loadOptions('ngn_banks')).map(([value, label]) => ({ value, label }));
const first = (typed: string): string | undefined => bestMatches(typed, banks)[0]?.label;

it.each([
  ['gtb', 'Guaranty Trust Bank'],
  ['uba', 'United Bank for Africa'],
  [' UBA \n', 'United Bank for Africa'],
  ['gua tru', 'Guaranty Trust Bank'],
  ['058', 'Guaranty Trust Bank'],
  ['zénith', 'Zenith International'],
  ['access', 'Access Bank'],
  ['moniepoint', 'Moniepoint Microfinance Bank'],
])('%j finds %s first', (typed, label) => expect(first(typed)).toBe(label));

it('accents and case of the choice do not matter either; the exact code comes first', () => {
  const choices = [
    { value: 'b1', label: 'Société Générale' },
    { value: 'sg', label: 'Another' },
  ];
  expect(bestMatches('societe', choices).map(({ value }) => value)).toEqual(['b1']);
  expect(bestMatches('sg', choices).map(({ value }) => value)).toEqual(['sg', 'b1']);
});

it('nothing typed leaves all as they stand; what fits nothing finds nothing', () => {
  expect(bestMatches('  ', banks)).toEqual(banks);
  expect(bestMatches('qqqq', banks)).toEqual([]);
});
