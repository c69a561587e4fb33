import { getAccount, listAccounts, listPartnerBalances } from '../../contract/operations/accounts.ts';
import { decimalsOf } from '../../core/currency.ts';
import { gte, parseAmount } from '../../core/money.ts';
import { cachedRead } from '../cache.ts';
import { command, flagOn, flagText, type Result, result } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { usage } from '../failure.ts';
import { accountView, besideView } from '../views/account.ts';
import { money } from '../views/amount.ts';

export interface BalanceOptions {
  currency: string | undefined;
  min: string | undefined;
  partner: boolean;
}

export { balance as command };

const balance = command<BalanceOptions>({
  args: [{ name: 'CURRENCY', summary: 'only this one, such as EUR', optional: true }],
  flags: [
    {
      flags: '--min <amount>',
      summary: 'end with 10 unless at least this much is there; always read afresh',
    },
    { flags: '--partner', summary: 'beside each, what is held at the payout partner' },
  ],
  examples: [
    'remit balance',
    'remit balance EUR --min 2500.00 && ./pay-wages.sh',
    'remit balance --partner',
    'remit balance -o json --query "[0].amount"',
  ],
  read(input) {
    const currency = input.args[0]?.toUpperCase();
    const min = flagText(input, 'min');
    const partner = flagOn(input, 'partner');
    if (min !== undefined && partner)
      throw usage('--min counts the balance here: what a partner holds is not added', 'leave --partner out');
    if (min !== undefined && currency === undefined)
      throw usage('--min needs a currency', 'remit balance EUR --min 100');
    if (currency !== undefined && !/^[A-Z]{3}(?:::.+)?$/.test(currency))
      throw usage(`"${currency}" is not a currency code`, 'three letters, such as EUR');
    return {
      currency,
      partner,
      min:
        min === undefined || currency === undefined
          ? undefined
          : parseAmount(min, decimalsOf(currency), currency),
    };
  },
  async run(context, { currency, min, partner }) {
    if (partner) return beside(context, currency);
    const client = await context.client();
    if (currency === undefined) {
      const { object } = await cachedRead(context, '/accounts', () => client.call(listAccounts));
      return result(accountView, object);
    }
    const read = () => client.call(getAccount, { path: { currency } });
    const { object } =
      min === undefined ? await cachedRead(context, `/accounts/${currency}`, read) : await read();
    if (min === undefined) return result(accountView, object);
    const enough = gte(object.amount, min);
    const shown = `${money(object.amount, currency)} of at least ${money(min, currency)}`;
    return result(accountView, object, {
      exit: enough ? exitCodes.ok : exitCodes.check,
      notes: [enough ? `enough: ${shown}` : `not enough: ${shown}`],
    });
  },
});

/** A currency that only one of the two holds has a row too. */
async function beside(context: Context, currency: string | undefined): Promise<Result> {
  const client = await context.client();
  const own = await cachedRead(context, '/accounts', () => client.call(listAccounts));
  const held = await cachedRead(context, '/partner/balance', () => client.call(listPartnerBalances));
  const codes = [...new Set([...own.object, ...held.object].map((row) => row.currency))].sort();
  const rows = codes
    .filter((code) => currency === undefined || code === currency)
    .map((code) => ({
      currency: code,
      account: own.object.find((row) => row.currency === code) ?? null,
      partner: held.object.find((row) => row.currency === code) ?? null,
    }));
  return result(besideView, rows);
}
