/**
 * A quote is the cost of an amount by the rates of now: without a sender and without an account, which a
 * calculation of the service needs (docs/wire.md 8). It is an indication; a transaction has the rate of its
 * own moment.
 */
import { listInputCurrencies } from '../contract/operations/info.ts';
import type { CurrencyExchange } from '../contract/resources/info.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { roundFor } from '../core/currency.ts';
import { div, eq, mul, sum } from '../core/money.ts';
import { notFound, usage } from '../core/problem.ts';
import { readAmount } from './amount.ts';
import type { Desk } from './desk.ts';
import { cachedRead } from './read-cache.ts';

type Rate = NonNullable<CurrencyExchange['opposites']>[number];

/** @throws Problem (not found) where one cannot become the other */
export async function quotedRate(
  desk: Desk,
  { from, to, senderId }: { from: string; to: string; senderId?: string | undefined },
): Promise<Rate> {
  const client = await desk.client();
  const query = senderId === undefined ? {} : { sender_id: senderId };
  const path = `${listInputCurrencies.path} ${JSON.stringify(query)}`;
  const { object } = await cachedRead(desk, path, (terms) =>
    client.call(listInputCurrencies, { query, ...terms }),
  );
  const input = object.find(({ code }) => code === from);
  if (!input)
    throw notFound(`${from} cannot be paid in`, `it can be ${object.map(({ code }) => code).join(', ')}`);
  const output = (input.opposites ?? []).find(({ code }) => code === to);
  if (output) return output;
  throw notFound(
    `${from} cannot become ${to}`,
    `it can become ${(input.opposites ?? []).map(({ code }) => code).join(', ')}`,
  );
}

export interface QuoteRequest {
  amount: string;
  /** The currency of the amount: the one that is paid in, or the one that arrives. */
  currency: string;
  /** The currency that arrives. */
  to: string;
}

/** @throws Problem where there is no rate, AmountError where an amount is none */
export async function quote(
  desk: Desk,
  {
    from,
    senderId,
    wanted,
  }: { from: string; senderId?: string | undefined; wanted: readonly QuoteRequest[] },
): Promise<Transaction> {
  const recipients = [];
  for (const each of wanted) recipients.push(await quoteOne(desk, each, { from, senderId }));
  const amounts = recipients.map(({ input_amount: amount }) => amount);
  return { input_amount: sum(amounts), input_currency: from, recipients };
}

async function quoteOne(
  desk: Desk,
  { amount, currency, to }: QuoteRequest,
  { from, senderId }: { from: string; senderId?: string | undefined },
) {
  if (currency !== from && currency !== to)
    throw usage(
      `an amount in ${currency} cannot be quoted between ${from} and ${to}`,
      'give the amount in one of these two currencies, or the whole payment',
    );
  const rate = from === to ? '1' : ((await quotedRate(desk, { from, to, senderId })).rate ?? '0');
  if (eq(rate, '0')) throw notFound(`the service names no rate from ${from} to ${to} now`);
  const exact = readAmount(amount, currency);
  const arrives = roundFor(to, currency === to ? exact : mul(exact, rate));
  const input = currency === from ? exact : div(arrives, rate);
  return {
    input_amount: roundFor(from, input),
    input_currency: from,
    output_amount: arrives,
    output_currency: to,
    exchange_rate: rate,
  };
}
