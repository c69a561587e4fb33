/** `sandbox audit`: what a hundred cases take beside the program that is audited, and what the relay adds to a request. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AuditReport } from '../../src/audit/report/record.ts';
import type { Load } from '../load.ts';
import { type Child, startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import { takeTurns, turnOf } from '../support/turns.ts';

const CASES = 100;
const MOST_S = 60;
const MOST_COST = 1.3;
const CONNECTIONS = 32;
const COUNT = 1_500;
const WARM_UP = 20_000;

type Server = Child<object, { host: string }>;

export async function audit(place: Place): Promise<Figure[]> {
  return [...(await relayCost(place)), await hundredCases(place)];
}

async function relayCost({ programs, quick }: Place): Promise<Figure[]> {
  const load = startChild<object, Load>(programs, 'load', {}, 'load');
  const server = (relayed: boolean): Server =>
    startChild(
      programs,
      'sandbox-server',
      { transactions: 100, kept: false, warmUp: quick ? 2_000 : WARM_UP, relayed },
      'measured',
    );
  const [plain, relayed] = [server(false), server(true)];
  let marks = 0;
  const turn = async (of: Server) => {
    const { host } = await of.ask({});
    const mark = `m${marks++}`;
    return turnOf(of.pid, COUNT, async () =>
      load.ask({ what: 'payment', host, mark, count: COUNT, connections: CONNECTIONS }),
    );
  };
  for (const each of [plain, relayed]) await turn(each);
  const turns = await takeTurns({ plain: () => turn(plain), relayed: () => turn(relayed) }, quick ? 4 : 10);
  for (const child of [load, plain, relayed]) await child.stop();
  return [
    judged(
      'create_and_fund in an audit / in a sandbox',
      turns,
      [turns.ratio('relayed', 'plain')],
      { most: MOST_COST },
      sidesOf(turns, 'relayed', 'plain'),
    ),
  ];
}

async function hundredCases({ root, quick }: Place): Promise<Figure> {
  const cases = quick ? CASES / 10 : CASES;
  const skip = ['late', 'hang', 'slow', 'limited'].flatMap((way) => ['--skip', way]);
  const program = join(root, 'test/fixtures/audit/same-id.mjs');
  const argv = [
    'sandbox',
    'audit',
    '-o',
    'json',
    '--cases',
    String(cases),
    ...skip,
    '--',
    process.execPath,
    program,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'bin/remit.js'), ...argv], {
    maxBuffer: 64 << 20,
  });
  const { data } = JSON.parse(stdout) as { data: AuditReport };
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return forComparison(
    `${cases} cases, ${MOST_S} s for 100 asked`,
    seconds(data.took_ms),
    `of it the program ${seconds(data.program_ms)}, ${Math.round(data.program_ms / data.cases)} ms a case; ${data.verdict}`,
  );
}
