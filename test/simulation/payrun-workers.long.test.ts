/**
 * Several workers on a real PostgreSQL: killed at random, stopped for longer than their lease and woken up, and without their
 * database for a while. The auditor finds each row paid once.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { hasEnded } from '../support/kill-stage.ts';
import { PayrunStage } from '../support/payrun-stage.ts';
import { isBouncerHere, startBouncer } from '../support/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Program } from '../support/program.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? 20);
const WORKERS = 4;

/** A run is left for the next one after so many kills: only the first process of a run reads the rates. */
const KILLS_A_RUN = Math.max(10, KILLS / 10);
const ROWS_A_KILL = 40;
/** Every so often a run is watched from another terminal. */
const WATCHED = 4;

let postgres: PostgresServer;
/** Where the workers find it. */
let store: string;
beforeAll(async () => {
  postgres = await startPostgres();
  store = postgres.url;
});
afterAll(() => postgres.stop());

const stage = new PayrunStage({ seed: 16_05, store: () => store });
const { count } = stage;

const work = (...more: string[]): Program =>
  stage.start('batch', 'work', '--yes', '--lease', '2s', '--in-flight', '8', ...more);

async function planned(name: string, rows: number): Promise<void> {
  const digest = await stage.plan(name, rows);
  const approved = await stage.remit('batch', 'approve', name, '--digest', digest, '--yes');
  expect(approved.code, approved.stderr).toBe(0);
}

/** Everybody who pays one run: workers, and somebody who runs it, again whenever it has paused. */
class Crew {
  readonly #name: string;
  readonly #live: Program[];

  constructor(name: string, workers: Program[]) {
    this.#name = name;
    this.#live = [this.#run(), ...workers];
  }

  #run = (): Program =>
    stage.start('batch', 'run', this.#name, '--yes', '--in-flight', '8', '--per-second', '60');

  /** Resolves when so many more are paid for, or no row of the run is left to be sent. */
  async pay(more: number): Promise<'paid' | 'over'> {
    const goal = count() + more;
    await stage.until(() => {
      if (this.#runHasEnded() && !this.#isOver()) this.#live[0] = this.#run();
      return count() >= goal || this.#isOver();
    });
    return this.#isOver() ? 'over' : 'paid';
  }

  #runHasEnded = (): boolean => this.#live[0] !== undefined && hasEnded(this.#live[0]);
  #isOver = (): boolean => [0, 10].includes(this.#live[0]?.process.exitCode ?? -1);

  /** One of them is killed, and replaced. A worker never ends by itself before that. Whether it was killed. */
  async killOne(random: { next(): number }): Promise<boolean> {
    const at = Math.floor(random.next() * this.#live.length);
    const victim = this.#live[at];
    if (victim === undefined) return false;
    const isKilled = await stage.killAfter(victim, () => true, random.next() * 8);
    if (at > 0) expect(isKilled, victim.stderr()).toBe(true);
    this.#live[at] = at === 0 ? this.#run() : work('--per-second', '60');
    return isKilled;
  }

  /** The one who runs it is killed, and not replaced. The others are left. */
  leave(): Program[] {
    this.#live[0]?.signal('SIGKILL');
    return this.#live.slice(1);
  }
}

it(`one of ${WORKERS} is killed, ${KILLS} times: each row is paid once`, {
  timeout: 300_000 + KILLS * 6_000,
}, async () => {
  const random = seededRandom(16_07);
  await stage.beginTrouble();
  let workers = Array.from({ length: WORKERS - 1 }, () => work('--per-second', '60'));
  let killed = 0;
  for (let run = 0; killed < KILLS; run++) {
    const name = `killed-${run}`;
    await stage.worsen(6);
    await planned(name, KILLS_A_RUN * ROWS_A_KILL);
    const crew = new Crew(name, workers);
    for (let kills = 0; kills < KILLS_A_RUN && killed < KILLS; kills++) {
      await stage.worsen();
      if ((await crew.pay(Math.floor(random.next() * 30))) === 'over') break;
      stage.meanwhile();
      if (kills % WATCHED === 0) stage.watch(name);
      if (await crew.killOne(random)) killed += 1;
    }
    workers = crew.leave();
  }
  for (const one of workers) one.signal('SIGINT');
  await Promise.all(workers.map(({ ended }) => ended));
  const met = await stage.finish();
  console.log(JSON.stringify({ killed, ...met }, undefined, 1));
  await stage.audit();
  expect(met.missed).toEqual([]);
});

it('a worker that is stopped for longer than its lease, and woken up, pays nothing twice', async () => {
  const rows = 300;
  await planned('slept', rows);
  const sleeper = work('--per-second', '100');
  await stage.until(() => count() > 20);
  sleeper.signal('SIGSTOP');
  const other = work('--once');
  expect((await other.ended).code, other.stderr()).toBe(0);
  expect(count()).toBe(rows);
  sleeper.signal('SIGCONT');
  const before = count();
  sleeper.signal('SIGINT');
  await sleeper.ended;
  expect(count()).toBe(before);
  await stage.audit();
});

it('PostgreSQL is stopped and started again: the run goes on, and each row is paid once', async () => {
  const rows = 200;
  await planned('outage', rows);
  const first = work('--per-second', '100');
  await stage.until(() => count() > 30);
  await postgres.halt();
  await first.says('the store cannot be reached');
  await postgres.start();
  await stage.until(() => count() === rows);
  first.signal('SIGINT');
  await first.ended;
  const again = await stage.remit('batch', 'run', 'outage', '--yes');
  expect(again.code, again.stderr).toBe(0);
  await stage.audit();
});

it('the same run is started by four at once: each row is paid once, and each says the same', async () => {
  const rows = 240;
  await planned('at-once', rows);
  const runs = Array.from({ length: 4 }, () => stage.start('batch', 'run', 'at-once', '--yes'));
  const codes = await Promise.all(runs.map(async ({ ended }) => (await ended).code));
  expect(codes, runs.map((one) => one.stderr()).join('\n')).toEqual([0, 0, 0, 0]);
  await stage.audit();
});

it.skipIf(!isBouncerHere)(
  'PgBouncer in transaction mode between: two workers pay a run, each row once',
  async () => {
    const bouncer = await startBouncer(postgres.url);
    store = bouncer.url;
    try {
      const rows = 240;
      await planned('bounced', rows);
      const two = [work('--once'), work('--once')];
      const codes = await Promise.all(two.map(async ({ ended }) => (await ended).code));
      expect(codes, two.map((one) => one.stderr()).join('\n')).toEqual([0, 0]);
      await stage.audit();
    } finally {
      store = postgres.url;
      await bouncer.stop();
    }
  },
);
