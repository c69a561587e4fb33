/** `remit webhooks listen --log json` beside the same without it: what a line for each delivery costs the intake. */
import type { Load } from '../load.ts';
import { startChild } from '../support/children.ts';
import { type Figure, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Server, startListener } from '../support/listener.ts';
import { takeTurns, turnOf } from '../support/turns.ts';

const CONNECTIONS = 64;
const COUNT = 6_000;
const WARM_UP = 30_000;

export async function logging({ programs, root, quick }: Place): Promise<Figure[]> {
  const load = startChild<object, Load>(programs, 'load', {}, 'load');
  const servers = { log: await startListener(root, ['--log', 'json']), text: await startListener(root) };
  let marks = 0;
  const turn = ({ host, pid }: Server, count: number) =>
    turnOf(pid, count, () =>
      load.ask({ what: 'delivery', host, mark: `m${marks++}`, count, connections: CONNECTIONS }),
    );
  for (const server of Object.values(servers)) await turn(server, quick ? WARM_UP / 5 : WARM_UP);
  const { log, text } = servers;
  const turns = await takeTurns(
    { log: () => turn(log, COUNT), text: () => turn(text, COUNT) },
    quick ? 4 : 12,
  );
  for (const server of Object.values(servers)) await server.stop();
  await load.stop();
  return [
    judged(
      'intake with --log json / without',
      turns,
      [turns.ratio('log', 'text')],
      { most: 1.2 },
      `${sidesOf(turns, 'log', 'text')}, ${CONNECTIONS} connections`,
    ),
  ];
}
