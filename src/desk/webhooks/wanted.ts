/** Which deliveries are handed on: by the names of their events, and by a JMESPath expression. */

import type { Delivery } from '../../contract/resources/webhook.ts';
import { said } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import { type Desk, tell } from '../desk.ts';

/** The package has it; its types do not. */
interface Compiler {
  compile(expression: string): unknown;
}

/** @throws Problem (usage) for an expression that cannot be read */
export async function wantedBy(
  desk: Desk,
  { events, filter }: { events: readonly string[]; filter: string | undefined },
): Promise<(delivery: Delivery) => boolean> {
  const named = (delivery: Delivery): boolean => events.length === 0 || events.includes(delivery.event);
  if (filter === undefined) return named;
  const { default: jmespath } = await import('jmespath');
  try {
    (jmespath as unknown as Compiler).compile(filter);
  } catch (error) {
    throw usage(`the filter is not a JMESPath expression: ${(error as Error).message}`);
  }
  let isSaid = false;
  return (delivery) => {
    try {
      return named(delivery) && holds(jmespath.search(delivery, filter));
    } catch (error) {
      if (!isSaid)
        tell(
          desk,
          said`remit: ${{ give: 'filter' }} does not fit a ${delivery.event}: ${(error as Error).message}`,
        );
      isSaid = true;
      return false;
    }
  };
}

/** As JMESPath itself counts: false, null and what is empty do not hold. */
function holds(found: unknown): boolean {
  if (found === null || found === undefined || found === false || found === '') return false;
  return typeof found !== 'object' || Object.keys(found).length > 0;
}
