/** Which deliveries are handed on: by the names of --events, and by the JMESPath of --filter. */

import type { Context } from '../../cli/context.ts';
import type { Delivery } from '../../contract/resources/webhook.ts';
import { usage } from '../../core/problem.ts';

/** The package has it; its types do not. */
interface Compiler {
  compile(expression: string): unknown;
}

/** @throws Failure (usage) for an expression that cannot be read */
export async function wantedBy(
  context: Context,
  { events, filter }: { events: readonly string[]; filter: string | undefined },
): Promise<(delivery: Delivery) => boolean> {
  const named = (delivery: Delivery): boolean => events.length === 0 || events.includes(delivery.event);
  if (filter === undefined) return named;
  const { default: jmespath } = await import('jmespath');
  try {
    (jmespath as unknown as Compiler).compile(filter);
  } catch (error) {
    throw usage(`--filter is not a JMESPath expression: ${(error as Error).message}`);
  }
  let said = false;
  return (delivery) => {
    try {
      return named(delivery) && holds(jmespath.search(delivery, filter));
    } catch (error) {
      if (!said) context.say(`remit: --filter does not fit a ${delivery.event}: ${(error as Error).message}`);
      said = true;
      return false;
    }
  };
}

/** As JMESPath itself counts: false, null and what is empty do not hold. */
function holds(found: unknown): boolean {
  if (found === null || found === undefined || found === false || found === '') return false;
  return typeof found !== 'object' || Object.keys(found).length > 0;
}
