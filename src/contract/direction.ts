/** Tells which way the money of a recipient goes. It is one fact: reports that decided it each for themselves disagreed. */
import { balanceCurrency } from './corridors/balance.ts';

export type Direction = 'collection' | 'payout';

/** A collection credits a balance of yours; anything else is a payout. */
export function directionOf(recipient: Credited): Direction {
  return creditedCurrency(recipient) === null ? 'payout' : 'collection';
}

/** The one that all recipients have; null where they differ, or there is none. */
export function directionOfAll(recipients: readonly Credited[] | null | undefined): Direction | null {
  const [first, ...others] = (recipients ?? []).map(directionOf);
  return first !== undefined && others.every((one) => one === first) ? first : null;
}

/** The currency of the balance that it credits, such as `GHS`; null for a payout. */
export function creditedCurrency({ payout_method: method }: Credited): string | null {
  return balanceCurrency(method?.type ?? '');
}

interface Credited {
  payout_method?: { type?: string | null | undefined } | null | undefined;
}
