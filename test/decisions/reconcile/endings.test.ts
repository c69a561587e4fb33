/** Which endings somebody must look at, and the numbers under which they are kept. */
import { expect, it } from 'vitest';
import { codeOf, ENDINGS, endingOf, endingWords, isDifference } from '../../../src/desk/reconcile/endings.ts';

it.each([
  ['matched', 1, false],
  ['expected', 2, false],
  ['not_funded', 3, false],
  ['only_in_ledger', 4, true],
  ['only_at_service', 5, true],
  ['only_in_statement', 6, true],
  ['amount_differs', 7, true],
  ['currency_differs', 8, true],
  ['state_differs', 9, true],
  ['duplicate', 10, true],
  ['outside', 11, false],
] as const)('%s is kept as %i, and is to be looked at: %j', (ending, code, is) => {
  expect(codeOf(ending)).toBe(code);
  expect(endingOf(code)).toBe(ending);
  expect(isDifference(ending)).toBe(is);
  expect(endingWords[ending]).toMatch(/^[a-z].+[^.]$/);
});

it('a row without an ending has none of these numbers', () => {
  expect([endingOf(0), endingOf(ENDINGS.length + 1)]).toEqual([undefined, undefined]);
});
