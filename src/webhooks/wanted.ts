/** Tells which deliveries are handed on: by the names of their events, and by a JMESPath expression. */

import type { Delivery } from '../contract/resources/webhook.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import { type Desk, tell } from '../payments/desk.ts';

/** @throws Problem (usage) for an expression that cannot be read */
export async function wantedBy(
  desk: Desk,
  { events, filter }: { events: readonly string[]; filter: string | undefined },
): Promise<(delivery: Delivery) => boolean> {
  const named = (delivery: Delivery): boolean => events.length === 0 || events.includes(delivery.event);
  if (filter === undefined) return named;
  const { expressionOf, holds } = await import('../frame/query/expression.ts');
  const expression = await expressionOf(filter).catch((error: Error) => {
    throw usage(`the filter is not a JMESPath expression: ${error.message}`);
  });
  let isSaid = false;
  return (delivery) => {
    try {
      return named(delivery) && holds(expression.find(delivery));
    } catch (error) {
      if (!isSaid)
        tell(
          desk,
          hint`remit: ${{ give: 'filter' }} does not fit a ${delivery.event}: ${(error as Error).message}`,
        );
      isSaid = true;
      return false;
    }
  };
}
