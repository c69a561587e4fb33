/** `--admin` of a worker, over a PostgreSQL that is stopped: rows by state, runs that are paused, outcomes that nobody knows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { intentsInPostgres } from '../../src/client/store/postgres-intents.ts';
import { seededRandom } from '../../src/core/random.ts';
import { senderFlags } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { hasEnded, useKillStage } from '../support/kill-stage.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { openPool, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { runRemit } from '../support/program.ts';
import {
  adminOf,
  ask,
  complaintsOf,
  hasPrometheus,
  metricsOf,
  OPENMETRICS,
  readOpenMetrics,
  untilAnswers,
} from '../support/prometheus.ts';

const stage = useKillStage();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const env = (): Record<string, string> => ({ ...stage.env(stage.port), REMIT_STORE: server.url });
async function remit(...argv: string[]): Promise<string> {
  const made = await runRemit(argv, env());
  expect(made.code, made.stderr).toBe(0);
  return made.stdout;
}

async function planned(name: string, rows: number, from: number): Promise<void> {
  const path = join(stage.dir, `${name}.csv`);
  writeFileSync(path, fileOfRows(rows, { from }));
  const plan = ['batch', 'plan', path, '--name', name, '--max-input', 'EUR=1000', '-o', 'json'];
  const { digest } = JSON.parse(await remit(...plan)).data;
  await remit('batch', 'approve', name, '--digest', digest);
}

async function inStore(work: (pool: ReturnType<typeof openPool>) => Promise<unknown>): Promise<void> {
  const pool = openPool(server, 1);
  await work(pool);
  await pool.end();
}

const row = (state: string): string => `remit_run_rows{state="${state}"}`;

it('counts rows, runs and outcomes of its account, and is not ready while the store is away', async () => {
  await remit('sender', 'create', ...senderFlags('customer-1'));
  await planned('wages', 3, 1);
  await planned('bonus', 2, 11);
  let beganAt = 0;
  await inStore(async (pool) => {
    await pool.query("UPDATE remit_payruns SET state = 'paused' WHERE name = 'bonus'");
    const intents = intentsInPostgres(pool, { clock: machine, random: seededRandom(1) });
    const { REMIT_BASE_URL: baseUrl = '' } = env();
    for (const at of [baseUrl, 'http://127.0.0.1:1/another']) {
      const about = { baseUrl, keyLast4: '7f3c', keyPrint: 'p', command: 'tx create', operation: 'x' };
      const rest = { profile: 'local', environment: 'sandbox', summary: '', request: '{}' };
      const opening = await intents.open({ ...about, ...rest, baseUrl: at, digest: at });
      if (!('opened' in opening)) throw new Error('it was not opened');
      await intents.close(opening.opened.id, { state: 'unknown' });
      if (at === baseUrl) beganAt = opening.opened.createdAt;
    }
  });
  const worker = stage.start(['batch', 'work', '--admin', '127.0.0.1:0', '-o', 'ndjson'], env());
  const admin = await adminOf(worker);
  await stage.until(() => stage.count() === 3 || hasEnded(worker));
  const { text } = await untilAnswers(`${admin}/metrics`, (answer) =>
    answer.text.includes(`${row('created')} 3\n`),
  );
  const figures = await metricsOf(admin);
  expect(
    ['planned', 'sending', 'created', 'refused', 'unknown'].map((state) => figures.get(row(state))),
  ).toEqual([2, 0, 3, 0, 0]);
  expect([
    figures.get('remit_runs_paused'),
    figures.get('remit_outcomes_unknown'),
    figures.get('remit_outcomes_unknown_oldest_timestamp_seconds'),
    figures.get('remit_api_requests_total{operation="transactions.create_and_fund",status_class="2xx"}'),
    figures.get('remit_ready'),
  ]).toEqual([1, 1, beganAt / 1000, 3, 1]);
  const { REMIT_API_KEY: key = '-', REMIT_API_SECRET: secret = '-' } = env();
  for (const hidden of ['wages', 'bonus', 'customer-1', 'EUR', key, secret, server.password, '127.0.0.1'])
    expect(text).not.toContain(hidden);
  if (hasPrometheus) {
    expect(complaintsOf(text)).toBe('');
    const open = await ask(`${admin}/metrics`, { headers: OPENMETRICS });
    expect(readOpenMetrics(open.text)).toMatchObject({
      remit_run_rows: 'gauge',
      remit_api_requests: 'counter',
    });
  }
  expect((await ask(`${admin}/readyz`)).text).toBe('ready\n');
  await server.halt();
  const away = await untilAnswers(`${admin}/readyz`, ({ status }) => status === 503);
  expect(away.text).toBe('not ready: the store does not commit\n');
  const without = await metricsOf(admin);
  expect([without.get('remit_ready'), (await ask(`${admin}/livez`)).status]).toEqual([0, 200]);
  expect([...without.keys()].filter((name) => /run|outcomes/.test(name))).toEqual([]);
  await server.start();
  await untilAnswers(`${admin}/readyz`, ({ status }) => status === 200);
  expect((await metricsOf(admin)).get('remit_runs_paused')).toBe(1);
  worker.signal('SIGINT');
  expect((await worker.ended).code, worker.stderr()).toBe(0);
});

it('lives and is not ready while it waits for its store', async () => {
  await server.halt();
  const worker = stage.start(['batch', 'work', '--admin', ':0'], env());
  const admin = await adminOf(worker);
  const answers = await Promise.all(['livez', 'readyz'].map((path) => ask(`${admin}/${path}`)));
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, 'alive\n'],
    [503, 'not ready: the store is not open\n'],
  ]);
  worker.signal('SIGINT');
  await worker.ended;
  await server.start();
});
