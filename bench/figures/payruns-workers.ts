/**
 * Four `remit batch work` processes on one PostgreSQL, beside one, against a server that answers after 50 ms. What is timed is from the
 * first payment to the answer to the last. Where the cores do not suffice for four, the same against a slower server says whether
 * the workers are in each other's way.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { seededRandom } from '../../src/core/random.ts';
import { openPostgresStore } from '../../src/runs/store/postgres.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';
import { startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { IN_FLIGHT, writeRows } from '../support/payrun.ts';
import { endedMs, isOurs, processorMicros, statOf } from '../support/processor.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { type Sample, type Turns, takeTurns } from '../support/turns.ts';

const ROWS = 12_800;
const DELAY_MS = 50;
const SLOW_MS = 400;
const LEAST = 3.6;

export async function payrunsWorkers(place: Place): Promise<Figure[]> {
  const server = await startPostgres({ quick: false });
  try {
    const rows = place.quick ? ROWS / 2 : ROWS;
    const turns = await compared(place, server, { delayMs: DELAY_MS, rows });
    const slow = await compared(place, server, { delayMs: SLOW_MS, rows: rows / 2 });
    return [
      judged(
        `four workers / one, rows/s, the server answers after ${DELAY_MS} ms`,
        turns,
        [turns.ratio('four', 'one', 'rate')],
        { least: LEAST },
        sides(turns),
      ),
      forComparison(
        `the same after ${SLOW_MS} ms`,
        slow.ratio('four', 'one', 'rate').toFixed(2),
        `${sides(slow)}; ${slow.summary}`,
      ),
    ];
  } finally {
    await server.stop();
  }
}

interface Worked extends Sample {
  /** Microseconds a row of the database, and of the server that is paid through. */
  database: number;
  server: number;
}

const sides = (turns: Turns<'one' | 'four'>): string => {
  const shown = (name: 'one' | 'four') => {
    const last = turns.rounds.at(-1)?.[name] as Worked;
    return `${turns.median(name, 'rate').toFixed(0)}/s, ${turns.median(name).toFixed(0)} us a row, database ${last.database.toFixed(0)}, server ${last.server.toFixed(0)}`;
  };
  return `${shown('four')} against ${shown('one')}`;
};

let runs = 0;

async function compared(
  { programs, root, quick }: Place,
  database: PostgresServer,
  { delayMs, rows }: { delayMs: number; rows: number },
): Promise<Turns<'one' | 'four'>> {
  const server = startChild<object, { url: string; made: number; ms: number }>(programs, 'payruns-server', {
    delayMs,
  });
  const { url } = await server.ask({});
  const env = { ...environmentFor(url), REMIT_STORE: database.url };
  const folder = await folderOf(database);
  const file = join(temporaryFolder(), 'wages.csv');
  writeRows(file, rows);
  const batch = (...args: string[]): string[] => [remitOf(root), 'batch', ...args, '--quiet'];
  const side = (workers: number) => async (): Promise<Worked> => {
    const name = `wages-${runs++}`;
    const plan = batch('plan', file, '--name', name, '--max-input', 'EUR=900000000', '-o', 'json');
    await runToEnd(plan, env);
    await approve(database, { name, url });
    await server.ask({});
    const before = { database: databaseMs(folder), server: processorMicros(server.pid) };
    const micros = await together(batch('work', '--once', '--in-flight', String(IN_FLIGHT)), env, workers);
    const { made, ms } = await server.ask({});
    if (made !== rows) throw new Error(`${made} payments were made for ${rows} rows`);
    return {
      micros: micros / rows,
      rate: (rows / ms) * 1000,
      database: ((databaseMs(folder) - before.database) * 1000) / rows,
      server: (processorMicros(server.pid) - before.server) / rows,
    };
  };
  const turns = await takeTurns({ one: side(1), four: side(4) }, quick ? 1 : 3);
  await server.stop();
  return turns;
}

/** What they took of the processor, all together. */
async function together(args: string[], env: Record<string, string>, workers: number): Promise<number> {
  const before = endedMs();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
      isOurs(child.pid);
      const code = await new Promise((resolve) => child.once('exit', resolve));
      if (code !== 0) throw new Error(`a worker ended with ${code}`);
    }),
  );
  return (endedMs() - before) * 1000;
}

async function approve(
  database: PostgresServer,
  { name, url }: { name: string; url: string },
): Promise<void> {
  const dependencies = { clock: { now: () => Date.now() }, random: seededRandom(name) };
  const store = await openPostgresStore({ url: database.url }, dependencies);
  const [run] = await store.payruns.find(url, name);
  if (run === undefined) throw new Error(`no run ${name} was planned`);
  const { profile, keyLast4 } = run.account;
  await store.payruns.approve(run.id, run.digest, { by: 'bench', profile, keyLast4, at: Date.now() });
  await store.close();
}

const TICK_MS = 10;

/** Of all its processes, those that ended included: they have its folder as their own. */
function databaseMs(folder: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isIn(name, folder));
  const ticks = pids.flatMap((pid) => statOf(Number(pid)).slice(11, 15));
  return ticks.reduce((sum, one) => sum + Number(one), 0) * TICK_MS;
}

function isIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

async function folderOf({ url }: PostgresServer): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  await client.end();
  return String(rows[0].data_directory);
}
