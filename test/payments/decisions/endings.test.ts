/** Each ending of a cancel is an instance of one category, and only those that are open or not sent add a sentence. */
import { describe, expect, it } from 'vitest';
import { conclusionOf, type Ending, type EndingWord, endingCategory } from '../../../src/payments/endings.ts';

const ending = (word: EndingWord, over: Partial<Ending> = {}): Ending => ({
  recipient: { id: 'r1', input_amount: '5', input_currency: 'EUR' },
  transaction_id: 't1',
  ending: word,
  sent: true,
  ...over,
});
const CREDIT = 'Do not credit your customer before it says refunded.';

describe('one ending', () => {
  it.each<[EndingWord, string, string[]]>([
    ['refunded', 'done', []],
    ['cancelled before funding', 'done', []],
    ['cancelled, refund pending', 'pending', [CREDIT]],
    ['cancelled, refund needs the operator', 'check', [CREDIT]],
    ['cancellation requested', 'pending', [CREDIT]],
    ['paid before', 'conflict', []],
    ['paid meanwhile', 'conflict', []],
    ['not cancelled', 'conflict', []],
    ['unknown', 'unknown', [CREDIT]],
  ])('%s is %s', (word, category, notes) => {
    expect(endingCategory(ending(word))).toBe(category);
    expect(conclusionOf([ending(word)])).toEqual({ categories: [category], notes });
  });

  it('that was refused is what the refusal is', () => {
    expect(endingCategory(ending('not cancelled', { category: 'auth' }))).toBe('auth');
  });
});

describe('all endings', () => {
  const asking = (ids: string[]) => ({
    parts: [
      'To ask the provider to cancel all the same: ',
      { do: 'cancel_recipients', ids, request: true, wait: true },
    ],
  });

  it.each<[string, Ending[], unknown[]]>([
    [
      'names those that were not sent',
      [
        ending('not cancelled', { sent: false }),
        ending('not cancelled', { sent: false, recipient: { id: 'r2' } }),
      ],
      [asking(['r1', 'r2'])],
    ],
    [
      'leaves out what was sent',
      [ending('not cancelled'), ending('not cancelled', { sent: false, recipient: { id: 'r2' } })],
      [asking(['r2'])],
    ],
    ['warns where one of several is open', [ending('refunded'), ending('cancellation requested')], [CREDIT]],
    ['asks nothing where all were sent', [ending('not cancelled')], []],
    [
      'asks nothing of what was requested before',
      [ending('cancellation requested', { sent: false })],
      [CREDIT],
    ],
    [
      'names none where there is no id',
      [ending('not cancelled', { sent: false, recipient: {} })],
      [asking([''])],
    ],
  ])('%s', (_, endings, notes) => {
    expect(conclusionOf(endings).notes).toEqual(notes);
  });

  it.each<[string, Ending[], string[], string[]]>([
    [
      'sums of each currency',
      [
        ending('refunded'),
        ending('refunded', { recipient: { input_amount: '2.50', input_currency: 'EUR' } }),
        ending('refunded', { recipient: { input_amount: '7', input_currency: 'GBP' } }),
        ending('paid before'),
      ],
      ['check', 'done', 'done', 'done'],
      ['partly refunded: 7.50 EUR + 7.00 GBP came back, 5.00 EUR had been paid out before'],
    ],
    [
      'an amount that is not said counts as none',
      [ending('refunded', { recipient: { input_currency: 'EUR' } }), ending('paid before')],
      ['check', 'done'],
      ['partly refunded: 0.00 EUR came back, 5.00 EUR had been paid out before'],
    ],
    [
      'only what came back, for each payment by itself',
      [ending('refunded'), ending('paid before'), ending('paid before', { transaction_id: 't2' })],
      ['check', 'done', 'conflict'],
      ['payment t1 is partly refunded: 5.00 EUR came back, 5.00 EUR had been paid out before'],
    ],
    [
      'none where nothing came back',
      [ending('paid before'), ending('not cancelled')],
      ['conflict', 'conflict'],
      [],
    ],
  ])('that are partly refunded tell %s', (_, endings, categories, notes) => {
    expect(conclusionOf(endings)).toEqual({ categories, notes });
  });
});
