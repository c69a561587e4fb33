/** create_and_fund over HTTP: the sandbox beside a bare server that verifies the same signature, and with much in store. */
import type { Load } from '../load.ts';
import { type Child, startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import { takeTurns, turnOf } from '../support/turns.ts';

const CONNECTIONS = 32;
const COUNT = 1_500;
const WARM_UP = 20_000;
const FEW = 1_000;
const MANY = 100_000;

type Server = Child<object, { host: string }>;

export async function sandboxRate({ programs, quick }: Place): Promise<Figure[]> {
  const many = quick ? MANY / 20 : MANY;
  const warmUp = quick ? WARM_UP / 10 : WARM_UP;
  const load = startChild<object, Load>(programs, 'load', {}, 'load');
  const sandbox = (transactions: number, kept: boolean): Server =>
    startChild(programs, 'sandbox-server', { transactions, kept, warmUp }, 'measured');
  const [few, kept, full] = [sandbox(FEW, false), sandbox(FEW, true), sandbox(many, false)];
  let marks = 0;
  let failed = 0;
  let bytes = 0;
  const turn = async (server: Server, count: number) => {
    const { host } = await server.ask({});
    return turnOf(server.pid, count, async () => {
      const seen = await load.ask({
        what: 'payment',
        host,
        mark: `m${marks++}`,
        count,
        connections: CONNECTIONS,
      });
      failed += seen.failed;
      bytes = seen.bytes;
      return { rate: seen.rate };
    });
  };
  for (const server of [full, kept, few]) await turn(server, COUNT);
  const answer = { status: 201, type: 'application/json; charset=utf-8', body: 'x'.repeat(bytes) };
  const bare: Server = startChild(programs, 'digesting-server', answer, 'measured');
  await turn(bare, warmUp);
  const rounds = quick ? 4 : 10;
  const turns = await takeTurns(
    {
      few: () => turn(few, COUNT),
      kept: () => turn(kept, COUNT),
      many: () => turn(full, COUNT),
      bare: () => turn(bare, COUNT),
    },
    rounds,
  );
  const ending = (await kept.stop()) / (rounds * COUNT);
  for (const child of [load, few, full, bare]) await child.stop();
  const above = (turns.median('kept') + ending) / turns.median('kept');
  return [
    judged(
      'bare server / create_and_fund',
      turns,
      [turns.ratio('bare', 'few')],
      { least: 0.25 },
      `${sidesOf(turns, 'few', 'bare')}, answers of ${bytes} bytes, warmed by ${warmUp}`,
    ),
    judged(
      'bare server / the same with --data',
      turns,
      [turns.ratio('bare', 'kept') / above],
      { least: 0.1 },
      `${sidesOf(turns, 'kept', 'bare')}, its end ${ending.toFixed(1)} us more`,
    ),
    judged(
      `with ${FEW} transactions / with ${many}`,
      turns,
      [turns.ratio('few', 'many')],
      { least: 0.8 },
      sidesOf(turns, 'few', 'many'),
    ),
    { ...forComparison('answers that were not 201', String(failed), ''), asked: '0', ok: failed === 0 },
  ];
}
