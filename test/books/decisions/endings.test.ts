/** Which endings somebody must look at. */
import { expect, it } from 'vitest';
import { ENDINGS, endingWords, isDifference } from '../../../src/books/reconcile/endings.ts';

it.each([
  ['matched', false],
  ['expected', false],
  ['not_funded', false],
  ['only_in_ledger', true],
  ['only_at_service', true],
  ['only_in_statement', true],
  ['amount_differs', true],
  ['bank_charge', true],
  ['currency_differs', true],
  ['state_differs', true],
  ['duplicate', true],
  ['outside', false],
] as const)('%s is to be looked at: %j', (ending, is) => {
  expect(ENDINGS).toContain(ending);
  expect(isDifference(ending)).toBe(is);
  expect(endingWords[ending]).toMatch(/^[a-z].+[^.]$/);
});
