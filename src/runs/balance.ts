/** The balance of the account beside the costs that the rows of a run should have: is there enough? */

import { readBalances as readAll } from '../client/predicted-refusal.ts';
import { type Decimal, gt, sub } from '../core/money.ts';
import type { Desk } from '../payments/desk.ts';
import { rowCosts } from './estimate.ts';

export interface BalanceBeside {
  currency: string;
  /** Null where the account holds no such currency. */
  before: Decimal | null;
  after: Decimal | null;
}

export async function balancesOf(
  desk: Desk,
  costs: readonly { inputCurrency: string; estimate: Decimal }[],
): Promise<BalanceBeside[]> {
  const held = await readBalances(desk);
  return Object.entries(rowCosts(costs)).map(([currency, cost]) => {
    const before = held.get(currency) ?? null;
    return { currency, before, after: before === null ? null : sub(before, cost) };
  });
}

export interface Shortfall {
  currency: string;
  held: Decimal;
  needed: Decimal;
  missing: Decimal;
}

export function shortfallsOf(
  held: ReadonlyMap<string, Decimal>,
  needed: Readonly<Record<string, Decimal>>,
): Shortfall[] {
  return Object.entries(needed).flatMap(([currency, cost]) => {
    const there = held.get(currency) ?? '0';
    return gt(cost, there) ? [{ currency, held: there, needed: cost, missing: sub(cost, there) }] : [];
  });
}

/** The balances that the account holds now. */
export const readBalances = async (desk: Desk): Promise<ReadonlyMap<string, Decimal>> =>
  readAll(await desk.client());
