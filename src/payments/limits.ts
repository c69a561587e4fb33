/** The limits of a profile that a step is held to by itself (decision 0003). What other steps of the last 24 hours come to is `day-ceiling.ts`. */

import { lowerLimit } from '../client/limit.ts';
import { money } from '../core/amount-words.ts';
import { add, gt } from '../core/money.ts';
import { hint } from '../core/next.ts';
import { type Problem, usage } from '../core/problem.ts';
import type { Connection } from '../profiles/connection.ts';
import type { ProfileLimits } from '../profiles/schema.ts';

export interface Amount {
  amount: string | null | undefined;
  currency: string | null | undefined;
  /** The names of the payment (`payments/store/daily-allowance-port.ts`): let through again within a day, it is counted once. */
  names?: readonly string[] | undefined;
  /** True where this step pays nothing: the amount counts for the day when it is paid. */
  isLater?: boolean | undefined;
}

export type Ceiling = 'max_amount' | 'max_per_day';

export const areLimited = ({ max_amount, max_per_day }: ProfileLimits): boolean =>
  max_amount !== undefined || max_per_day !== undefined;

/** Returns the most that one payment may cost, by currency; undefined where nothing is limited. No more than a whole day's is ever let through. */
export function mostOfOne({
  max_amount: one,
  max_per_day: day,
}: ProfileLimits): Record<string, string> | undefined {
  if (one === undefined && day === undefined) return undefined;
  const most: Record<string, string> = { ...day, ...one };
  for (const currency of Object.keys(most)) {
    const lower = lowerLimit(ownOf(one, currency), ownOf(day, currency));
    if (lower !== undefined) most[currency] = lower;
  }
  return most;
}

/** @throws Problem (usage): more than the profile ever allows, or an amount that cannot be held against its limits */
export function refuseByLimits({ name, limits }: Connection, amounts: readonly Amount[]): void {
  if (limits.read_only)
    throw usage(
      `profile "${name}" is read-only: nothing is written with it`,
      hint`if it is meant: ${{ do: 'change_profile', profile: name, setting: 'read_only', value: 'false' }}`,
    );
  refuseAbove(name, 'max_amount', { most: limits.max_amount, amounts });
  const now = amounts.filter(({ isLater }) => isLater !== true);
  refuseAbove(name, 'max_per_day', { most: limits.max_per_day, amounts: now });
}

function refuseAbove(
  profile: string,
  ceiling: Ceiling,
  { most, amounts }: { most: ProfileLimits['max_amount']; amounts: readonly Amount[] },
): void {
  if (most === undefined) return;
  const totals = new Map<string, string>();
  for (const { amount, currency } of amounts) {
    if (!amount || !currency)
      throw overLimit(profile, ceiling, 'an amount that cannot be read before it is sent', 'sets limits');
    totals.set(currency, add(totals.get(currency) ?? '0', amount));
  }
  for (const [currency, total] of totals) {
    const [limit, what] = [ownOf(most, currency), money(total, currency) ?? ''];
    if (limit === undefined)
      throw overLimit(profile, ceiling, what, `allows ${Object.keys(most).join(', ')} only`);
    const within = ceiling === 'max_per_day' ? ' in 24 hours' : '';
    if (gt(total, limit))
      throw overLimit(profile, ceiling, what, `allows at most ${money(limit, currency)}${within}`);
  }
}

const overLimit = (name: string, ceiling: Ceiling, what: string, allowed: string): Problem =>
  usage(
    `${what} is refused: profile "${name}" ${allowed} (${ceiling})`,
    hint`look at it again; if it is meant: ${changing(name, ceiling)}`,
  );

/** The step that sets another ceiling. */
export const changing = (profile: string, ceiling: Ceiling) =>
  ({ do: 'change_profile', profile, setting: `${ceiling}.CURRENCY`, value: 'AMOUNT' }) as const;

/** Returns what a profile says of a currency, and not what every object has. */
export const ownOf = (most: ProfileLimits['max_amount'], currency: string): string | undefined =>
  most !== undefined && Object.hasOwn(most, currency) ? most[currency] : undefined;
