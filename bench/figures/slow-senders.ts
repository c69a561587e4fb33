/** Deliveries from the address of thousands of senders that stall: how many of the genuine ones `remit webhooks listen` takes. */
import type { Load } from '../load.ts';
import { startChild } from '../support/children.ts';
import type { Figure, Place } from '../support/figure.ts';
import { startListener } from '../support/listener.ts';

const SLOW = 2_000;
const GENUINE = 3_000;
const CONNECTIONS = 16;

export async function slowSenders({ programs, root, quick }: Place): Promise<Figure[]> {
  const listener = await startListener(root);
  const slow = startChild<object, { gone: number }>(programs, 'slow-senders', {
    host: listener.host,
    connections: SLOW,
  });
  const load = startChild<object, Load>(programs, 'load', {}, 'load');
  await slow.ask({});
  const count = quick ? GENUINE / 5 : GENUINE;
  const sent = await load.ask({
    what: 'delivery',
    host: listener.host,
    mark: 's',
    count,
    connections: CONNECTIONS,
  });
  const { gone } = await slow.ask({});
  await slow.stop();
  await load.stop();
  await listener.stop();
  return [
    {
      name: `deliveries refused beside ${SLOW} slow senders`,
      value: String(sent.failed),
      asked: '0',
      ok: sent.failed === 0,
      facts: `${count} of 1.5 kB at ${sent.rate.toFixed(0)}/s, p99 ${sent.p99.toFixed(1)} ms, from the same address; of the slow ones ${gone} were given up`,
    },
  ];
}
