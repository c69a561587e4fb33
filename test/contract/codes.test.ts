import { describe, expect, it } from 'vitest';
import { categoryInfo, payinCategories, recipientCategories } from '../../src/contract/categories.ts';
import { codeInfo, payinCategoryOf, recipientCodes } from '../../src/contract/codes.ts';

/** As the service documents them. */
const CODES = `
  0 1 11 12 13 14 15 16 17 18 2 21 22 23 3 31 311 32 321 33 331 34 4 41 411 412 413 414 415 416 42
  421 422 423 43 431 432 433 434 44 45 5 51 511 52 53 531 54 541 542 543
`;

describe('codes', () => {
  it('holds those of the service, each with three tiers and a description', () => {
    const known = recipientCodes.map(({ code }) => code);
    expect(known.sort()).toEqual(CODES.trim().split(/\s+/).sort());
    for (const { code, messages, description } of recipientCodes) {
      expect(code).toMatch(/^\d{1,3}$/);
      expect(messages.every((tier) => tier.length > 0)).toBe(true);
      expect(description).not.toBe('');
    }
    expect(codeInfo('321')?.messages).toEqual([
      'Temporary error',
      'User bank error',
      'Beneficiary bank not available',
    ]);
    expect(codeInfo('12')?.messages).toEqual(['Pending', 'Timeout error', 'Timeout error']);
  });

  it('takes the category from the table, not from the first digit', () => {
    expect(codeInfo('541')?.category).toBe('recipient_error');
    expect(codeInfo('543')?.category).toBe('recipient_error');
    expect(codeInfo(542)?.category).toBe('sender_error');
    expect(codeInfo('999')).toBeUndefined();
  });

  it('names collections in their own words', () => {
    expect(payinCategoryOf('23')).toBe('sender_action_required');
    expect(payinCategoryOf('412')).toBe('invalid_user_data_error');
    expect(payinCategoryOf('12')).toBe('pending');
    expect(payinCategoryOf('nothing')).toBeUndefined();
  });
});

describe('categories', () => {
  it('holds eight for payouts and six for collections, and every code has one', () => {
    expect(Object.keys(recipientCategories)).toHaveLength(8);
    expect(Object.keys(payinCategories)).toHaveLength(6);
    for (const { category } of recipientCodes) expect(recipientCategories[category]).toBeDefined();
  });

  it('emits the words of the service description and reads the others', () => {
    expect(recipientCategories[codeInfo('14')?.category ?? 'paid'].wire).toBe('unknown');
    expect(recipientCategories[codeInfo('21')?.category ?? 'paid'].wire).toBe('pickupable');
    expect(categoryInfo('unknown')?.name).toBe('pending');
    expect(categoryInfo('recipent_action_required')?.name).toBe('recipient_action_required');
    expect(categoryInfo('user_action_required', 'payin')?.name).toBe('sender_action_required');
    expect(categoryInfo('nonsense')).toBeUndefined();
  });
});
