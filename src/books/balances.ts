/**
 * The balances beside the books. The service has no statement of a balance: what a balance is, less all that the books know to have
 * moved it, is not explained by payments; a change of that is a top-up. So a balance counts only if nothing moved it
 * between looking at it and reading what moved it.
 */
import { ApiError } from '../client/errors.ts';
import { listAccounts } from '../contract/operations/accounts.ts';
import { listInputCurrencies } from '../contract/operations/info.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { isLoopback } from '../core/hosts.ts';
import type { Desk } from '../payments/desk.ts';
import { cachedRead } from '../payments/read-cache.ts';
import { serviceNow } from '../payments/service-time.ts';
import type { Connection } from '../profiles/connection.ts';
import type { Books, DayRate } from './store/port.ts';

export interface BalanceLook {
  /** The time by the service's clock, and by ours. */
  at: number;
  heardAt: number;
  /** A change until then, by the service's clock, surely came before: our clock may be wrong by some seconds. */
  surelyBefore: number;
  balances: { currency: string; amount: string }[];
  /** Something moved a balance at that time; before or after the look is unknown. */
  isMoving: boolean;
}

/** The service asks for no more (docs/wire.md 13). */
const NOT_WITHIN_MS = 300_000;
const CLOCKS_DIFFER_MS = 60_000;
const DAY_MS = 86_400_000;

const isSandbox = ({ baseUrl }: Pick<Connection, 'baseUrl'>): boolean =>
  isLoopback(new URL(baseUrl).hostname);

export const isTooSoon = (connection: Connection, lookedAt: number | undefined, now: number): boolean =>
  !isSandbox(connection) && lookedAt !== undefined && now - lookedAt >= 0 && now - lookedAt < NOT_WITHIN_MS;

export async function lookAtBalances(desk: Desk): Promise<BalanceLook> {
  const [at, heardAt] = [await serviceNow(desk), desk.clock.now()];
  const { object } = await (await desk.client()).call(listAccounts, {});
  const surelyBefore = isSandbox(await desk.connection()) ? at : at - CLOCKS_DIFFER_MS;
  const balances = object.flatMap(({ currency, amount }) =>
    currency && amount != null ? [{ currency, amount }] : [],
  );
  return { at, heardAt, surelyBefore, balances, isMoving: false };
}

/**
 * The service tells only the rates of now: those of today are kept, of what was paid today. Without them a statement has no margin, and
 * nothing else is missing.
 */
export async function keepDayRates(desk: Desk, books: Books, now: number): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 10);
  const from = Date.parse(`${day}T00:00:00Z`);
  const kept = new Set((await books.rates(day, day)).map(nameOf));
  const latest = await books.created({ from, to: from + DAY_MS, limit: MOST_LOOKED_AT });
  const wanted = new Set(latest.flatMap(({ body }) => pairsOf(JSON.parse(body) as Transaction)));
  if ([...wanted].every((pair) => kept.has(pair))) return;
  const rates = await ratesOf(desk, day);
  await books.keepRates(rates.filter((rate) => wanted.has(nameOf(rate)) && !kept.has(nameOf(rate))));
}

const MOST_LOOKED_AT = 1_000;
const nameOf = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`;

const pairsOf = ({ input_currency: input, recipients }: Transaction): string[] =>
  (recipients ?? []).flatMap(({ output_currency: output }) =>
    input && output && input !== output ? [nameOf({ from: input, to: output })] : [],
  );

async function ratesOf(desk: Desk, day: string): Promise<DayRate[]> {
  const client = await desk.client();
  try {
    const path = `${listInputCurrencies.path} {}`;
    const { object } = await cachedRead(desk, path, () => client.call(listInputCurrencies, { query: {} }));
    return object.flatMap(({ code: from, opposites }) =>
      (opposites ?? []).flatMap(({ code: to, mtm_rate: mid }) =>
        mid == null ? [] : [{ day, from, to, mid }],
      ),
    );
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}
