import type { Client } from '../../client/client.ts';
import { listPayinPaymentMethods, listPayoutPaymentMethods } from '../../contract/operations/info.ts';
import { notFound } from '../../core/problem.ts';
import { defineCommand } from './command.ts';
import { result, wholeList } from './result.ts';
import { type ListedMethod, methodFields, methodFieldView, methodView } from './views/info.ts';

export const command = defineCommand({
  description:
    'Lists the ways to pay in and out. With TYPE: its fields. A type that works both ways shows its payout fields; with --in, its payin fields.',
  args: [{ name: 'TYPE', summary: 'the fields of this one, such as NGN::Bank', optional: true }],
  flags: { in: { summary: 'only payin methods' }, out: { summary: 'only payout methods' } },
  shows: [methodView, methodFieldView],
  isTabular: true,
  effect: 'read',
  examples: ['remit methods', 'remit methods NGN::Bank', 'remit methods GHS::Mobile --in'],
  read(input) {
    const [isIn, isOut] = [input.flags.in, input.flags.out];
    const directions: ('in' | 'out')[] = isIn === isOut ? ['out', 'in'] : isIn ? ['in'] : ['out'];
    return { type: input.args[0], directions };
  },
  async run(context, { type, directions }) {
    const client = await context.client();
    if (type === undefined) {
      const all = await Promise.all(directions.map((direction) => methodsOf(client, direction)));
      return wholeList(methodView, all.flat());
    }
    for (const direction of directions) {
      const found = (await methodsOf(client, direction)).find((one) => one.type === type);
      if (found) return result(methodFieldView, methodFields(found));
    }
    throw notFound(`there is no payment method ${type}`, 'remit methods lists them');
  },
});

async function methodsOf(client: Client, direction: 'in' | 'out'): Promise<ListedMethod[]> {
  const operation = direction === 'in' ? listPayinPaymentMethods : listPayoutPaymentMethods;
  const { object } = await client.call(operation);
  return object.map((one) => ({ ...one, direction }));
}
