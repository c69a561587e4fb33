import { listCurrencies, listInputCurrencies, listOutputCurrencies } from '../../contract/operations/info.ts';
import { usage } from '../../core/problem.ts';
import { senderIdOf } from '../lookup/sender.ts';
import { cachedRead } from '../read-cache.ts';
import { defineCommand } from './command.ts';
import { wholeList } from './result.ts';
import { currencyView } from './views/info.ts';

export const command = defineCommand({
  description: 'The list is kept for five minutes, since the service asks for few reads. --fresh asks again.',
  flags: {
    in: { summary: 'those that can be paid in, each with what it can become' },
    out: { summary: 'those that can be paid out, each with what it can come from' },
    sender: { value: 'id', summary: 'as this sender may use them (id or external id)' },
  },
  shows: [currencyView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit currencies',
    'remit currencies --out --fields code,decimals',
    'remit currencies --in -o json',
  ],
  read(input) {
    const [isIn, isOut] = [input.flags.in, input.flags.out];
    const sender = input.flags.sender;
    if (isIn && isOut) throw usage('choose --in or --out');
    if (sender !== undefined && !isIn && !isOut) throw usage('--sender goes with --in or --out');
    return { direction: isIn ? 'in' : isOut ? 'out' : 'all', sender };
  },
  async run(context, { direction, sender }) {
    const client = await context.client();
    if (direction === 'all') {
      const { object } = await cachedRead(context, '/info/currencies', (terms) =>
        client.call(listCurrencies, terms),
      );
      return wholeList(currencyView, object);
    }
    const operation = direction === 'in' ? listInputCurrencies : listOutputCurrencies;
    const query = sender === undefined ? {} : { sender_id: await senderIdOf(context, sender) };
    const path = `${operation.path} ${JSON.stringify(query)}`;
    const { object } = await cachedRead(context, path, (terms) =>
      client.call(operation, { query, ...terms }),
    );
    return wholeList(currencyView, object);
  },
});
