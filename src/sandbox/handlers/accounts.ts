import type { SandboxState } from '../sandbox-state.ts';
import { digits } from '../views/json.ts';
import { absent, type Handler, ok } from './handler.ts';

/** The balance never goes below zero; what is pending has left it already. */
const meta = { negative_balance: false };

function accountView({ ledger }: SandboxState, currency: string) {
  const amount = digits(ledger.balance('wallet', currency));
  return { currency, amount, amount_after_pending: amount };
}

export const listAccounts: Handler = (sandbox) =>
  ok(
    sandbox.ledger.walletCurrencies().map((currency) => accountView(sandbox, currency)),
    meta,
  );

/** Lists the balances that are held at a provider (docs/wire.md 4): an answer without `meta`. */
export const listPartnerBalance: Handler = ({ partner, ledger, clock }) =>
  ok(
    partner.lines(ledger, clock.now()).map(({ currency, available, previousClosing, date }) => ({
      currency,
      available_balance: digits(available),
      previous_day_closing_balance: digits(previousClosing),
      current_balance_date: date,
    })),
  );

export const getAccount: Handler = (sandbox, { id }) =>
  sandbox.ledger.hasWallet(id) ? ok(accountView(sandbox, id), meta) : absent;
