import { roundFor } from '../../core/currency.ts';
import { mul, parseAmount } from '../../core/money.ts';
import { readCurrency } from '../../frame/flags/currency.ts';
import { roundingNote } from '../body.ts';
import { senderIdOf } from '../lookup/sender.ts';
import { quotedRate } from '../quote.ts';
import { defineCommand } from './command.ts';
import { result } from './result.ts';
import { rateView } from './views/info.ts';

/** More than any currency has: what is too fine is rounded, and said, as a payment does it. */
const MOST_DECIMALS = 12;

export const command = defineCommand({
  description:
    'What one unit of FROM becomes, now, and with AMOUNT what arrives of it. A transaction has the rate of its own moment: remit tx calculate. Kept for five minutes; --fresh asks again.',
  args: [
    { name: 'FROM', summary: 'the currency that is paid in, such as EUR' },
    { name: 'TO', summary: 'the currency that arrives, such as NGN' },
    { name: 'AMOUNT', summary: 'how much of FROM is paid in', optional: true },
  ],
  flags: { sender: { value: 'id', summary: 'as this sender gets it (id or external id)' } },
  shows: [rateView],
  effect: 'read',
  examples: [
    'remit rates EUR NGN',
    'remit rates EUR NGN 1200.50',
    'remit rates EUR NGN --fresh -o json --query rate',
  ],
  read(input) {
    const [from = '', to = ''] = input.args.slice(0, 2).map(readCurrency);
    const amount = input.args[2];
    return {
      from,
      to,
      sender: input.flags.sender,
      amount: amount === undefined ? undefined : parseAmount(amount, MOST_DECIMALS, from),
    };
  },
  async run(context, { from, to, sender, amount: asked }) {
    const amount = asked === undefined ? undefined : roundFor(from, asked);
    const senderId = sender === undefined ? undefined : await senderIdOf(context, sender);
    const output = await quotedRate(context, { from, to, senderId });
    const { rate } = output;
    const exact = amount && rate ? mul(amount, rate) : undefined;
    const row = {
      from,
      to,
      rate: rate ?? null,
      mid_rate: output.mtm_rate ?? null,
      margin: output.margin ?? null,
      decimals: output.decimals ?? null,
      input_amount: amount ?? null,
      output_amount: exact === undefined ? null : roundFor(to, exact),
    };
    return result(rateView, row, {
      notes: [
        ...(asked === undefined ? [] : roundingNote(from, asked)),
        ...(exact === undefined ? [] : roundingNote(to, exact)),
      ],
    });
  },
});
