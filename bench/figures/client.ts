/** The client in a loop against a bare server, beside a bare undici Pool that signs as ours must. */
import { startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import type { LoopQuestion } from '../support/loop.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const WARM_UP = 20_000;
const COUNT = 10_000;

export async function clientLoop({ programs, quick }: Place): Promise<Figure[]> {
  const server = startChild<object, { url: string; bytes: number }>(programs, 'accounts-server', {}, 'load');
  const { url, bytes } = await server.ask({});
  const start = (name: string, argument: object) =>
    startChild<LoopQuestion, Sample>(programs, name, { url, ...argument }, 'measured');
  const runners = {
    ours: start('client-ours', {}),
    signing: start('client-bare', { checks: false }),
    checking: start('client-bare', { checks: true }),
  };
  const all = Object.values(runners);
  const count = quick ? COUNT / 2 : COUNT;
  const warmUp = quick ? WARM_UP / 4 : WARM_UP;
  for (const runner of all) await runner.ask({ count: warmUp, concurrency: 32 });
  const turn = (name: keyof typeof runners) => () => runners[name].ask({ count, concurrency: 32 });
  const turns = await takeTurns(
    { ours: turn('ours'), signing: turn('signing'), checking: turn('checking') },
    quick ? 5 : 15,
  );
  for (const child of [...all, server]) await child.stop();
  const facts = `${sidesOf(turns, 'ours', 'signing')}, ${bytes} bytes, 32 at once, warmed by ${warmUp}`;
  return [
    judged('Pool that signs / client', turns, [turns.ratio('signing', 'ours')], { least: 0.8 }, facts),
    forComparison(
      'Pool that signs, parses and checks the schema / client',
      turns.ratio('checking', 'ours').toFixed(2),
      sidesOf(turns, 'ours', 'checking'),
    ),
  ];
}
