/** `remit webhooks listen`, the whole program with its inbox on disk, beside a bare server that keeps nothing. */
import type { Load } from '../load.ts';
import { startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import { type Server, startListener } from '../support/listener.ts';
import { takeTurns, turnOf } from '../support/turns.ts';

const CONNECTIONS = 64;
const COUNT = 6_000;
const WARM_UP = 30_000;

async function startBare(programs: string): Promise<Server> {
  const answer = { status: 200, type: 'text/plain; charset=utf-8', body: 'kept\n' };
  const child = startChild<object, { host: string }>(programs, 'digesting-server', answer, 'measured');
  return { ...child, host: (await child.ask({})).host };
}

export async function intake({ programs, root, quick }: Place): Promise<Figure[]> {
  const load = startChild<object, Load>(programs, 'load', {}, 'load');
  const servers = { ours: await startListener(root), bare: await startBare(programs) };
  let marks = 0;
  let failed = 0;
  const turn = ({ host, pid }: Server, count: number) =>
    turnOf(pid, count, async () => {
      const seen = await load.ask({
        what: 'delivery',
        host,
        mark: `m${marks++}`,
        count,
        connections: CONNECTIONS,
      });
      failed += seen.failed;
      return seen;
    });
  const warmUp = quick ? WARM_UP / 5 : WARM_UP;
  for (const server of Object.values(servers)) await turn(server, warmUp);
  const rounds = quick ? 4 : 12;
  const { ours, bare } = servers;
  const turns = await takeTurns({ ours: () => turn(ours, COUNT), bare: () => turn(bare, COUNT) }, rounds);
  const ending = (await ours.stop()) / (rounds * COUNT);
  await bare.stop();
  await load.stop();
  const above = turns.median('ours') + ending;
  const p99 = (name: 'ours' | 'bare') => `${turns.median(name, 'p99').toFixed(1)} ms`;
  return [
    judged(
      'durable intake / bare server',
      turns,
      [turns.ratio('ours', 'bare') * (above / turns.median('ours'))],
      { most: 3 },
      `${sidesOf(turns, 'ours', 'bare')}, its end ${ending.toFixed(1)} us more, ${CONNECTIONS} connections, 1.5 kB, warmed by ${warmUp}`,
    ),
    judged(
      'its p99 / that of the bare server',
      turns,
      [turns.ratio('ours', 'bare', 'p99')],
      { most: 3 },
      `${p99('ours')} against ${p99('bare')}`,
    ),
    ...(failed > 0 ? [{ ...forComparison('answers that were not 200', String(failed), ''), ok: false }] : []),
  ];
}
