/** Tools about money that is there: balances, and what a payment would cost. */
import * as z from 'zod';
import { listAccounts } from '../../contract/operations/accounts.ts';
import { amountField, asAmount, asCurrency, currencyField } from '../text.ts';
import { given, tool } from '../tool.ts';
import { moneyText } from './look.ts';

const amountOrNull = (description: string) => amountField(description).nullable();

export const balanceTool = tool({
  name: 'balance',
  title: 'Balances',
  description: 'Reads the balances that you hold at the service, now.',
  input: {},
  output: {
    balances: z.array(
      z.strictObject({ currency: currencyField('Of the balance.'), amount: amountField('What is there.') }),
    ),
  },
  async run({ desk }) {
    const { object } = await (await desk.client()).call(listAccounts);
    const balances = object.flatMap((one) => {
      const [code, held] = [asCurrency(one.currency), asAmount(one.amount)];
      return code === null || held === null ? [] : [{ currency: code, amount: held }];
    });
    return {
      says: `You hold ${balances.map((one) => moneyText(one.amount, one.currency)).join(', ')}.`,
      data: { balances },
    };
  },
});

export const calculateTool = tool({
  name: 'calculate',
  title: 'What a payment would cost',
  description:
    'Says what an amount costs by the rates of now. It is an indication: a plan calculates with the sender and the account, and a payment has the rate of its own moment.',
  input: {
    amount: given.text('Decimal digits, such as 25000 or 12.50'),
    currency: given.text('Of this amount: the one that arrives, or the one that is paid in'),
    pays_in: given.text('The currency that is paid in, such as EUR'),
    arrives_in: given.text('The currency that arrives, such as NGN'),
  },
  output: {
    costs: amountOrNull('To be paid.'),
    costs_currency: currencyField('Of the cost.').nullable(),
    arrives: amountOrNull('Arrives.'),
    arrives_currency: currencyField('Of what arrives.').nullable(),
    rate: amountOrNull('What one unit that is paid in becomes.'),
  },
  async run({ desk }, { amount, currency: code, pays_in, arrives_in }) {
    const { quote } = await import('../../payments/quote.ts');
    const [from, to, of] = [pays_in, arrives_in, code].map((one) => one.toUpperCase()) as [
      string,
      string,
      string,
    ];
    const made = await quote(desk, { from, wanted: [{ amount, currency: of, to }] });
    const [one] = made.recipients ?? [];
    const data = {
      costs: asAmount(made.input_amount),
      costs_currency: asCurrency(made.input_currency),
      arrives: asAmount(one?.output_amount),
      arrives_currency: asCurrency(one?.output_currency),
      rate: asAmount(one?.exchange_rate),
    };
    return { says: `It would cost ${moneyText(data.costs, data.costs_currency)}.`, data };
  },
});
