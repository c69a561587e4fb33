/** Which way the money of a recipient goes. It is one fact: reports that decided it each for themselves disagreed. */
import { balanceCurrency } from './corridors/balance.ts';

export type Direction = 'collection' | 'payout';

/** A collection credits a balance of yours; anything else pays somebody. */
export function directionOf({ payout_method: method }: Credited): Direction {
  return balanceCurrency(method?.type ?? '') === null ? 'payout' : 'collection';
}

interface Credited {
  payout_method?: { type?: string | null | undefined } | null | undefined;
}
