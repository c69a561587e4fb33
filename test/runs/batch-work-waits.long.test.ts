/** A worker that is started while its PostgreSQL is away says so once and waits; one that is not let in does not. */
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { senderFlags } from '../support/cli.ts';
import { hasEnded, useKillStage } from '../support/kill-stage.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { openPool, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Program, runRemit } from '../support/program.ts';

const stage = useKillStage();
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const env = (url: string) => ({ ...stage.env(stage.port), REMIT_STORE: url });
async function remit(...argv: string[]): Promise<string> {
  const made = await runRemit(argv, env(server.url));
  expect(made.code, made.stderr).toBe(0);
  return made.stdout;
}
const work = (url: string, ...more: string[]): Program => stage.start(['batch', 'work', ...more], env(url));

/** Whoever comes is sent away, and counted. */
async function inPlaceOf(url: string) {
  let visits = 0;
  const bell = new EventEmitter();
  const door = createServer((socket) => {
    socket.on('error', () => {});
    socket.destroy();
    visits += 1;
    bell.emit('visit');
  });
  door.listen(Number(new URL(url).port), '127.0.0.1');
  await once(door, 'listening');
  return {
    async visits(count: number) {
      while (visits < count) await once(bell, 'visit');
    },
    close: () => new Promise((resolve) => door.close(resolve)),
  };
}

it('waits, and pays when the store is there', async () => {
  await remit('sender', 'create', ...senderFlags('customer-1'));
  const path = join(stage.dir, 'wages.csv');
  writeFileSync(path, fileOfRows(2));
  const planned = await remit('batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=9', '-o', 'json');
  await remit('batch', 'approve', 'wages', '--digest', JSON.parse(planned).data.digest);
  await server.halt();
  const empty = await inPlaceOf(server.url);
  const ending = await runRemit(['batch', 'work', '--once'], env(server.url));
  expect([ending.code, ending.stderr]).toEqual([75, expect.stringContaining('does not answer')]);
  const worker = work(server.url, '-o', 'ndjson');
  await empty.visits(3);
  expect(worker.stderr().split('cannot be reached')).toHaveLength(2);
  expect(stage.count()).toBe(0);
  await empty.close();
  await server.start();
  await stage.until(() => stage.count() === 2 || hasEnded(worker));
  // What is on its way gets its answer, and its row.
  worker.signal('SIGINT');
  expect((await worker.ended).code, worker.stderr()).toBe(0);
  const pool = openPool(server, 1);
  const { rows } = await pool.query('SELECT state FROM remit_payrun_rows');
  await pool.end();
  expect([stage.count(), rows.map(({ state }) => state)]).toEqual([2, ['created', 'created']]);
});

it('does not wait for a store that refuses its password', async () => {
  const worker = work(server.url.replace('hush-hush', 'wrong'));
  expect((await worker.ended).code, worker.stderr()).toBe(78);
});
