/**
 * Several workers on a real PostgreSQL: killed at random, stopped for longer than their lease and woken up, and without their
 * database for a while. The auditor finds each row paid once.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { senderFlags } from '../support/cli.ts';
import { auditRun, balanceOf, fileOfRows } from '../support/payrun-audit.ts';
import { isBouncerHere, startBouncer } from '../support/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Program, runRemit, startRemit, temporaryHome } from '../support/program.ts';
import { type Bench, credentials, startBench } from '../support/sandbox.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? 20);
const WORKERS = 4;

let postgres: PostgresServer;
/** Where the workers find it. */
let store: string;
let bench: Bench;
let listening: Listening;
let home: ReturnType<typeof temporaryHome>;
let workers: Program[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  store = postgres.url;
}, 60_000);
afterAll(() => postgres.stop());
beforeEach(async () => {
  bench = await startBench();
  listening = await listen(bench.sandbox, { port: 0 });
  home = temporaryHome();
});
afterEach(async () => {
  for (const one of workers) one.signal('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended));
  workers = [];
  await listening.close();
  await bench.sandbox.close();
  home.remove();
});

const env = () => ({
  REMIT_BASE_URL: listening.url,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
  REMIT_CONFIG_DIR: home.dir,
  REMIT_STORE: store,
});
const remit = (...argv: string[]) => runRemit(argv, env());
const count = async (): Promise<number> =>
  (await bench.call('GET', '/transactions?per=1')).body.meta.pagination.total_count;
const work = (...more: string[]): Program => {
  const program = startRemit(['batch', 'work', '--yes', '--lease', '2s', '--in-flight', '8', ...more], env());
  workers.push(program);
  return program;
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function until(reached: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await reached())) await turn();
}

async function planned(rows: number, name: string): Promise<{ file: string; opening: unknown }> {
  const file = fileOfRows(rows);
  const path = join(home.dir, `${name}.csv`);
  writeFileSync(path, file);
  await remit('sender', 'create', ...senderFlags('customer-1'));
  const opening = balanceOf(bench);
  const plan = await remit('batch', 'plan', path, '--name', name, '--max-input', 'EUR=100000', '-o', 'json');
  expect(plan.code, plan.stderr).toBe(0);
  const { digest } = JSON.parse(plan.stdout).data;
  const approved = await remit('batch', 'approve', name, '--digest', digest, '--yes');
  expect(approved.code, approved.stderr).toBe(0);
  return { file, opening };
}

async function standsWell(
  name: string,
  given: { file: string; opening: unknown },
  rows: number,
): Promise<void> {
  const { wrong, funded } = await auditRun({ bench, ...given });
  expect(wrong).toEqual([]);
  expect(funded).toBe(rows);
  const status = JSON.parse((await remit('batch', 'status', name, '-o', 'json')).stdout).data;
  const { created = 0, paid = 0, ...others } = status.states;
  expect([created + paid, others, status.ending, status.agrees]).toEqual([rows, {}, 'done', true]);
}

it(`one of ${WORKERS} workers is killed, ${KILLS} times: each row is paid once`, {
  timeout: 600_000,
}, async () => {
  const random = seededRandom(16_03);
  const rows = KILLS * 60;
  const given = await planned(rows, 'killed');
  const live = Array.from({ length: WORKERS }, () => work('--per-second', '60'));
  let killed = 0;
  while (killed < KILLS && (await count()) < rows) {
    const before = await count();
    await until(async () => (await count()) >= Math.min(rows, before + Math.floor(random.next() * 30)));
    const at = Math.floor(random.next() * WORKERS);
    live[at]?.signal('SIGKILL');
    live[at] = work('--per-second', '60');
    killed += 1;
  }
  await until(async () => (await count()) === rows);
  for (const one of live) one.signal('SIGINT');
  await Promise.all(live.map(({ ended }) => ended));
  // Whatever the last kill left open is looked for by whoever comes next.
  const last = await remit('batch', 'run', 'killed', '--yes');
  expect(last.code, last.stderr).toBe(0);
  expect(killed).toBeGreaterThan(KILLS / 2);
  await standsWell('killed', given, rows);
});

it('a worker that is stopped for longer than its lease, and woken up, pays nothing twice', {
  timeout: 120_000,
}, async () => {
  const rows = 300;
  const given = await planned(rows, 'slept');
  const sleeper = work('--per-second', '100');
  await until(async () => (await count()) > 20);
  sleeper.signal('SIGSTOP');
  const other = work('--once');
  expect((await other.ended).code, other.stderr()).toBe(0);
  expect(await count()).toBe(rows);
  sleeper.signal('SIGCONT');
  const before = await count();
  sleeper.signal('SIGINT');
  await sleeper.ended;
  expect(await count()).toBe(before);
  await standsWell('slept', given, rows);
});

it('PostgreSQL is stopped and started again: the run goes on, and each row is paid once', {
  timeout: 120_000,
}, async () => {
  const rows = 200;
  const given = await planned(rows, 'outage');
  const first = work('--per-second', '100');
  await until(async () => (await count()) > 30);
  await postgres.halt();
  await first.says('the store cannot be reached');
  await postgres.start();
  await until(async () => (await count()) === rows);
  first.signal('SIGINT');
  await first.ended;
  const again = await remit('batch', 'run', 'outage', '--yes');
  expect(again.code, again.stderr).toBe(0);
  await standsWell('outage', given, rows);
});

it('the same run is started by four at once: each row is paid once, and each says the same', {
  timeout: 120_000,
}, async () => {
  const rows = 240;
  const given = await planned(rows, 'at-once');
  const runs = Array.from({ length: 4 }, () => startRemit(['batch', 'run', 'at-once', '--yes'], env()));
  workers.push(...runs);
  const codes = await Promise.all(runs.map(async ({ ended }) => (await ended).code));
  expect(codes, runs.map((one) => one.stderr()).join('\n')).toEqual([0, 0, 0, 0]);
  await standsWell('at-once', given, rows);
});

it.skipIf(!isBouncerHere)(
  'PgBouncer in transaction mode between: two workers pay a run, each row once',
  { timeout: 120_000 },
  async () => {
    const bouncer = await startBouncer(postgres.url);
    store = bouncer.url;
    try {
      const rows = 240;
      const given = await planned(rows, 'bounced');
      const two = [work('--once'), work('--once')];
      const codes = await Promise.all(two.map(async ({ ended }) => (await ended).code));
      expect(codes, two.map((one) => one.stderr()).join('\n')).toEqual([0, 0]);
      await standsWell('bounced', given, rows);
    } finally {
      store = postgres.url;
      await bouncer.stop();
    }
  },
);
