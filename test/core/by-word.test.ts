/** Words from outside are looked up in tables, and an object has names that nobody gave it. */
import { describe, expect, it } from 'vitest';
import { accountFaults } from '../../src/contract/corridors/accounts.ts';
import { loadCorridor } from '../../src/contract/corridors/index.ts';
import { byWord } from '../../src/core/by-word.ts';
import { currencyRule } from '../../src/core/currency.ts';
import { refusalWords } from '../../src/core/refusal.ts';

describe.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s', (word) => {
  it('is no row of a table, unless it was put there', () => {
    expect(byWord({ other: 1 })[word]).toBeUndefined();
    expect(byWord(Object.fromEntries([[word, 1]]))[word]).toBe(1);
  });

  it('is no currency, no corridor and no word of a refusal', async () => {
    expect([currencyRule(word), await loadCorridor(word), refusalWords(word)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('as the type of a key makes no fault of the key', async () => {
    const fields = (await loadCorridor('BRL::Bank'))?.recipientKinds.person ?? [];
    const details = { pix_key_type: word, pix_key_value: '12345678909' };
    expect(accountFaults(fields, details, ['pix_key_value'])).toEqual([]);
    expect(accountFaults(fields, { ...details, pix_key_type: 'email' }, ['pix_key_value'])).toHaveLength(1);
  });
});
