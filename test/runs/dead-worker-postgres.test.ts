/**
 * A worker of another machine that was killed is replaced within two seconds: PostgreSQL ends its session at once. One that is only
 * stopped keeps its session, and so its windows until its lease is over. The fence makes a wrong guess harmless.
 */
import { type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { openPool as openOurPool } from '../../src/disk/postgres-pool.ts';
import { sessionAt } from '../../src/disk/postgres-session.ts';
import type { Lease, PayRun } from '../../src/runs/store/port.ts';
import { openPostgresStore, type PostgresStore } from '../../src/runs/store/postgres.ts';
import { bundleProgram, ended, firstLine, startProgram } from '../support/child-program.ts';
import { senderFlags } from '../support/cli.ts';
import { hasEnded, useKillStage } from '../support/kill-stage.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { approved, newIntent, newRows } from '../support/payrun-stores.ts';
import { isBouncerHere, startBouncer } from '../support/pgbouncer.ts';
import { openPool } from '../support/postgres.ts';
import { type Program, runRemit } from '../support/program.ts';
import { standingClock } from '../support/stores.ts';

const LEASE = 3_600_000;
const TAKEN_OVER_MS = 2_000;
const root = join(import.meta.dirname, '../..');
const server = usePostgres();

/** Takes a window as a process of another machine would, says so, and stays. */
const TAKER = `
import { openPostgresStore } from ${JSON.stringify(join(root, 'src/runs/store/postgres.ts'))};
import { seededRandom } from ${JSON.stringify(join(root, 'src/core/random.ts'))};
import { real } from ${JSON.stringify(join(root, 'test/support/clock.ts'))};
const [url, id] = process.argv.slice(2);
const store = await openPostgresStore({ url }, { clock: real, random: seededRandom(id) });
const lease = await store.payruns.take(id, 'elsewhere - 7 1 w', { after: -1, leaseMs: ${LEASE} });
console.log(JSON.stringify(lease));
process.stdin.resume();
`;
let program: string;
beforeAll(async () => {
  program = await bundleProgram(TAKER);
});

let store: PostgresStore;
let run: PayRun;
let names = 0;
const children: ChildProcessWithoutNullStreams[] = [];
const openStore = (url = server().url) =>
  openPostgresStore({ url }, { clock: standingClock(), random: seededRandom(`dead ${names++}`) });
const take = (by = store, worker = 'here - 1 1 w'): Promise<Lease | undefined> =>
  by.payruns.take(run.id, worker, { after: -1, leaseMs: LEASE });
async function takenElsewhere(url = server().url): Promise<ChildProcessWithoutNullStreams> {
  const child = startProgram(program, url, run.id);
  children.push(child);
  expect(JSON.parse(await firstLine(child))).toMatchObject({ window: 0 });
  return child;
}
beforeEach(async () => {
  store = await openStore();
  run = await approved(store.payruns, newRows(2), { name: `dead ${names++}`, windowSize: 2 });
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.splice(0).map(ended));
  await store.close();
});

/** How long it took until a window came free. */
async function freeAfter(from: number): Promise<number> {
  while ((await take()) === undefined) expect(performance.now() - from).toBeLessThan(LEASE);
  return performance.now() - from;
}

describe('the window of a worker of another machine', () => {
  it('is free as soon as its process was killed', async () => {
    const child = await takenElsewhere();
    expect(await take()).toBeUndefined();
    const from = performance.now();
    child.kill('SIGKILL');
    const took = await freeAfter(from);
    console.log(`free ${took.toFixed(1)} ms after the kill`);
    expect(took).toBeLessThan(TAKEN_OVER_MS);
  });

  it('stays its own while it is stopped', async () => {
    const child = await takenElsewhere();
    child.kill('SIGSTOP');
    const own = await openStore();
    // Each look is a transaction of its own, so that the server has had time to notice.
    for (let looks = 0; looks < 50; looks++) expect(await take(own)).toBeUndefined();
    expect(await own.payruns.isTaken(run.id, 'here - 1 1 w')).toBe(true);
    await own.close();
  });

  it('stays its own where the session is hidden from whoever asks', async () => {
    const role = `hidden_${names++}`;
    const admin = openPool(server(), 1);
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'made-up'`);
    await admin.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await admin.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    expect(await take()).toBeDefined();
    const url = new URL(server().url);
    url.username = role;
    url.password = 'made-up';
    const own = await openStore(url.href);
    expect(await take(own, 'there - 1 1 w')).toBeUndefined();
    await own.close();
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
  });

  it('is known by its process alone, and not by its session, to whoever asks what others have', async () => {
    await take();
    expect(await store.payruns.isTaken(run.id, 'here - 1 1 w')).toBe(false);
    expect(await store.payruns.isTaken(run.id, 'here - 1 1 v')).toBe(true);
  });
});

describe('a session that broke while its worker lives', () => {
  const endSessions = async (): Promise<void> => {
    const admin = openPool(server(), 1);
    await admin.query(
      `SELECT pg_terminate_backend(split_part(split_part(worker, '@', 2), '.', 1)::int, 10000)
       FROM remit_payrun_windows WHERE worker LIKE '%@%.%' AND run = (SELECT seq FROM remit_payruns WHERE id = $1)`,
      [run.id],
    );
    await admin.end();
  };

  it('costs the worker its window at most: the fence lets it open nothing more', async () => {
    const lease = await take();
    if (!lease) throw new Error('no window to take');
    await endSessions();
    const own = await openStore();
    const next = await take(own, 'there - 1 1 w');
    expect(next?.fence).toBeGreaterThan(lease.fence);
    expect(await store.payruns.open(lease, 1, newIntent(1))).toBe('lost');
    expect(await store.payruns.renew(lease, LEASE)).toBeUndefined();
    await own.close();
  });

  it('is another one from the next renewal on, and the window stays', async () => {
    const lease = await take();
    if (!lease) throw new Error('no window to take');
    await endSessions();
    expect(await store.payruns.renew(lease, LEASE)).toMatchObject({ fence: lease.fence });
    const own = await openStore();
    expect(await take(own, 'there - 1 1 w')).toBeUndefined();
    await endSessions();
    expect(await take(own, 'there - 1 1 w')).toMatchObject({ window: 0 });
    await own.close();
  });
});

describe.runIf(isBouncerHere)('behind PgBouncer', () => {
  it('no session is claimed, and a window is left to its holder until the lease is over', async () => {
    const bouncer = await startBouncer(server().url);
    const direct = await openOurPool({ url: server().url }, { max: 1, holds: 'journal' });
    const pooled = await openOurPool({ url: bouncer.url }, { max: 1, holds: 'journal' });
    const sessions = [sessionAt(direct.pool), sessionAt(pooled.pool)];
    const named = await Promise.all(sessions.map((one) => one.name()));
    expect(named).toEqual([expect.stringMatching(/^\d+\.\d{16}$/), undefined]);
    const child = await takenElsewhere(bouncer.url);
    child.kill('SIGKILL');
    await ended(child);
    for (let looks = 0; looks < 50; looks++) expect(await take()).toBeUndefined();
    for (const one of sessions) one.end();
    await Promise.all([direct.close(), pooled.close()]);
    await bouncer.stop();
  });
});

/** A process table of its own, as another machine has: nobody outside sees by its process id that it ended. */
const ELSEWHERE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasElsewhere =
  process.platform === 'linux' && spawnSync(ELSEWHERE[0] ?? '', [...ELSEWHERE.slice(1), 'true']).status === 0;
const stage = useKillStage();

/** The last statement of some session asked whether others have windows of a run: then its process looks again a second later. */
async function isWaiting(): Promise<boolean> {
  const admin = openPool(server(), 1);
  const asked = "query LIKE 'SELECT 1 FROM remit_payrun_windows%' AND pid <> pg_backend_pid()";
  const { rowCount } = await admin.query(`SELECT 1 FROM pg_stat_activity WHERE ${asked}`);
  await admin.end();
  return rowCount !== 0;
}

it.runIf(hasElsewhere)('a run of a machine that died goes on elsewhere within two seconds', async () => {
  const env = { ...stage.env(stage.port), REMIT_STORE: server().url };
  const remit = (...argv: string[]) => runRemit(argv, env);
  await remit('sender', 'create', ...senderFlags('customer-1'));
  const path = join(stage.dir, 'wages.csv');
  writeFileSync(path, fileOfRows(3));
  const plan = ['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=1000'];
  const made = await remit(...plan, '-o', 'json');
  expect(made.code, made.stderr).toBe(0);
  const { digest } = JSON.parse(made.stdout).data;
  expect((await remit('batch', 'approve', 'wages', '--digest', digest, '--yes')).code).toBe(0);
  await stage.bench.sandbox.control.ask('sandbox.faults.arm', {
    body: { fault: 'slow', operation: 'transactions.create_and_fund', delay_ms: LEASE, times: 1 },
  });
  const running: Program[] = [];
  const start = (argv: string[], through: string[] = []): Program => {
    const one = stage.start(argv, env, through);
    running.push(one);
    return one;
  };
  try {
    const first = start(['batch', 'run', 'wages', '--in-flight', '1', '--yes'], ELSEWHERE);
    const sends = () => stage.arrived.filter((path) => path.endsWith('/create_and_fund')).length;
    await stage.until(() => sends() === 1 || hasEnded(first));
    expect(sends(), first.stderr()).toBe(1);
    const second = start(['batch', 'run', 'wages', '--yes']);
    while (!(await isWaiting())) expect(hasEnded(second), second.stderr()).toBe(false);
    const waiting = stage.arrived.length;
    const from = performance.now();
    first.signal('SIGKILL');
    await stage.until(() => stage.arrived.slice(waiting).some((path) => path.includes('transactions')));
    const took = performance.now() - from;
    console.log(`taken over ${took.toFixed(0)} ms after the kill`);
    expect(took).toBeLessThan(TAKEN_OVER_MS);
  } finally {
    for (const one of running) one.signal('SIGKILL');
    await Promise.all(running.map((one) => one.ended));
  }
});
