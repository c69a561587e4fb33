/** create_and_fund over HTTP: the sandbox beside a bare server that verifies the same signature, and with much in store. */
import type { Load } from '../load.ts';
import { type Child, startChild } from '../support/children.ts';
import { atLeast, type Figure, forComparison, type Place } from '../support/figure.ts';
import { median, medianRatio } from '../support/statistics.ts';

const CONNECTIONS = 32;
const FEW = 1_000;
const MANY = 100_000;

type Server = Child<object, { host: string }>;
type Name = 'few' | 'kept' | 'many' | 'bare';

export async function sandboxRate({ programs, quick }: Place): Promise<Figure[]> {
  const many = quick ? MANY / 20 : MANY;
  const load = startChild<object, Load>(programs, 'load');
  const few: Server = startChild(programs, 'sandbox-server', { transactions: FEW, kept: false });
  const kept: Server = startChild(programs, 'sandbox-server', { transactions: FEW, kept: true });
  const full: Server = startChild(programs, 'sandbox-server', { transactions: many, kept: false });
  const { host } = await few.ask({});
  const { bytes } = await load.ask({ host, mark: 'size', count: 100, connections: CONNECTIONS });
  const bare: Server = startChild(programs, 'digesting-server', {
    status: 201,
    type: 'application/json; charset=utf-8',
    body: 'x'.repeat(bytes),
  });
  const hosts = {
    few: host,
    kept: (await kept.ask({})).host,
    many: (await full.ask({})).host,
    bare: (await bare.ask({})).host,
  };
  const loads = await alternate(load, hosts, quick ? 5 : 15, 600);
  await Promise.all([load, few, kept, full, bare].map((child) => child.stop()));
  return figuresOf(loads, many, bytes);
}

async function alternate(
  load: Child<object, Load>,
  hosts: Record<Name, string>,
  rounds: number,
  count: number,
): Promise<Record<Name, Load[]>> {
  const names = Object.keys(hosts) as Name[];
  const loads: Record<Name, Load[]> = { few: [], kept: [], many: [], bare: [] };
  for (let round = -3; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const question = { host: hosts[name], mark: `r${round}`, count, connections: CONNECTIONS };
      const answer = await load.ask(question);
      if (round >= 0) loads[name].push(answer);
    }
  }
  return loads;
}

function figuresOf(loads: Record<Name, Load[]>, many: number, bytes: number): Figure[] {
  const rates = (name: Name) => loads[name].map(({ rate }) => rate);
  const shown = (name: Name) => `${Math.round(median(rates(name)))}/s`;
  const failed = (['few', 'kept', 'many', 'bare'] as const).flatMap((name) => loads[name]);
  const failures = failed.reduce((sum, load) => sum + load.failed, 0);
  return [
    atLeast(
      'create_and_fund / bare server',
      medianRatio(rates('few'), rates('bare')),
      0.25,
      `${shown('few')} against ${shown('bare')}, answers of ${bytes} bytes`,
    ),
    atLeast(
      'the same with --data / bare server',
      medianRatio(rates('kept'), rates('bare')),
      0.1,
      `${shown('kept')} against ${shown('bare')}`,
    ),
    atLeast(
      `with ${many} transactions / with ${FEW}`,
      medianRatio(rates('many'), rates('few')),
      0.8,
      `${shown('many')} against ${shown('few')}`,
    ),
    failures === 0
      ? forComparison('answers that were not 201', '0', '')
      : { ...forComparison('answers that were not 201', String(failures), ''), asked: '0', ok: false },
  ];
}
