import { digits } from '../views/json.ts';
import type { World } from '../world.ts';
import { type Handler, notFound, ok } from './handler.ts';

/** The balance never goes below zero; what is pending has left it already. */
const meta = { negative_balance: false };

function accountView({ ledger }: World, currency: string) {
  const amount = digits(ledger.balance('wallet', currency));
  return { currency, amount, amount_after_pending: amount };
}

export const listAccounts: Handler = (world) =>
  ok(
    world.ledger.walletCurrencies().map((currency) => accountView(world, currency)),
    meta,
  );

export const getAccount: Handler = (world, { id }) =>
  world.ledger.hasWallet(id) ? ok(accountView(world, id), meta) : notFound;
