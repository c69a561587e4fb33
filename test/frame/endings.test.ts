/** One rule for the exit code and the words over all endings of a cancel. */
import { expect, it } from 'vitest';
import { exitOfEnding, worst } from '../../src/frame/exit-codes.ts';
import { renderHint } from '../../src/frame/output/spell.ts';
import { conclusionOf, type Ending, type EndingWord } from '../../src/payments/endings.ts';

const CREDIT = 'Do not credit your customer before it says refunded.';

/** `1 refunded`: its payment, and how it ended. */
const endings = (texts: readonly string[]): Ending[] =>
  texts.map((text, index) => {
    const [transaction_id = '', ...words] = text.split(' ');
    const ending = words.join(' ') as EndingWord;
    const recipient = { id: `r${index}`, input_amount: '5', input_currency: 'EUR' };
    return { recipient, transaction_id, ending, sent: !['paid before', 'not cancelled'].includes(ending) };
  });

it.each<[string[], number, string[]]>([
  [['1 refunded', '1 refunded'], 0, []],
  [
    ['1 refunded', '1 paid before'],
    10,
    ['partly refunded: 5.00 EUR came back, 5.00 EUR had been paid out before'],
  ],
  [['1 refunded', '2 paid before'], 1, []],
  [
    ['1 refunded', '1 cancellation requested', '1 paid before'],
    10,
    ['partly refunded: 5.00 EUR came back, 5.00 EUR had been paid out before', CREDIT],
  ],
  [
    ['1 refunded', '1 paid before', '1 not cancelled'],
    1,
    [
      'partly refunded: 5.00 EUR came back, 5.00 EUR had been paid out before',
      'To ask the provider to cancel all the same: remit recipient cancel r2 --request --wait',
    ],
  ],
  [
    ['1 refunded', '1 paid before', '2 unknown', '3 refunded'],
    9,
    ['payment 1 is partly refunded: 5.00 EUR came back, 5.00 EUR had been paid out before', CREDIT],
  ],
  [['1 refunded', '1 paid meanwhile'], 1, []],
  [['1 cancelled, refund pending', '2 refunded'], 8, [CREDIT]],
  [['1 cancelled before funding'], 0, []],
])('%j is %i', (texts, exit, notes) => {
  const { categories, notes: told } = conclusionOf(endings(texts));
  expect({ exit: worst(categories.map(exitOfEnding)), notes: told.map(renderHint) }).toEqual({ exit, notes });
});
