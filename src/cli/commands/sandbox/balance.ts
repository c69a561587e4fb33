import type { Account } from '../../../contract/resources/account.ts';
import { currencyRule } from '../../../core/currency.ts';
import { type Decimal, parseAmount } from '../../../core/money.ts';
import { usage } from '../../../core/problem.ts';
import { control } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { accountView } from '../../views/account.ts';

interface TopUp {
  currency: string;
  amount: Decimal;
}

export { balance as command };

const balance = command({
  description: `Money comes in from outside, as when you transfer some to the operator. The service tells nothing of it but the new balance: no event and no transaction. So remit statement has it as a line that no payment explains, once remit books sync saw the balance before and after.`,
  args: [
    { name: 'CURRENCY', summary: 'of the balance, such as EUR' },
    { name: 'AMOUNT', summary: 'what comes in, with a plus: +5000' },
  ],
  shows: [accountView],
  effect: 'write',
  examples: ['remit sandbox balance EUR +5000', 'remit sandbox balance GHS +1250.50 -o json'],
  read(input): TopUp {
    const [code = '', text = ''] = input.args;
    const currency = code.toUpperCase();
    const rule = currencyRule(currency);
    if (!rule) throw usage(`"${code}" is no currency of the service`, 'such as EUR; remit currencies');
    // The plus says that this is added, and not what the balance becomes.
    if (!text.startsWith('+'))
      throw usage(
        `"${text}" has no plus: this command adds to the balance, and does not set it`,
        `with a plus: +${text.replace(/^-/, '') || '500'}`,
      );
    return { currency, amount: parseAmount(text.slice(1), rule.decimals, currency) };
  },
  async run(context, { currency, amount }) {
    const now = await control<Account>(context, 'sandbox.balances.credit', {
      id: currency,
      body: { amount },
    });
    return result(accountView, now);
  },
});
