/**
 * A pay run whose process is killed at random instants, over a network that cuts connections and a service with every fault of
 * the sandbox, and run again each time. An auditor that reads the file and the ledger alone finds each row paid once.
 * REMIT_KILLS says how often it is killed: 20 unless told.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { senderFlags } from '../support/cli.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { auditRun, balanceOf, fileOfRows } from '../support/payrun-audit.ts';
import { type Program, runRemit, startRemit, temporaryHome } from '../support/program.ts';
import { type Bench, credentials, type Json, startBench } from '../support/sandbox.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? 20);
const ROWS_A_KILL = 30;

let bench: Bench;
let listening: Listening;
let proxy: CuttingProxy;
let home: ReturnType<typeof temporaryHome>;
beforeEach(async () => {
  bench = await startBench();
  listening = await listen(bench.sandbox, { port: 0 });
  home = temporaryHome();
});
afterEach(async () => {
  await proxy?.close();
  await listening.close();
  await bench.sandbox.close();
  home.remove();
});

const env = (dir = home.dir) => ({
  REMIT_BASE_URL: `http://127.0.0.1:${proxy.port}/v1`,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
  REMIT_CONFIG_DIR: dir,
});
const remit = (...argv: string[]) => runRemit(argv, env());
const count = async (): Promise<number> =>
  (await bench.call('GET', '/transactions?per=1')).body.meta.pagination.total_count;

const FAULTS: Json[] = [
  { fault: 'response-lost' },
  { fault: 'reset-before-commit' },
  { fault: '5xx', status: 503 },
  { fault: '5xx', status: 500 },
  { fault: 'refused' },
  { fault: 'slow', delay_ms: 20 },
];
/** The next few calls that pay meet one of them. */
async function armOne(random: { next(): number }): Promise<void> {
  const { status, text } = await bench.call('POST', '/_sandbox/faults', {
    ...FAULTS[Math.floor(random.next() * FAULTS.length)],
    operation: 'transactions.create_and_fund',
    times: 2,
  });
  expect(status, text).toBe(200);
}

/** Killed once so many more payments are there. */
async function killAfter(program: Program, more: number, lingerMs: number): Promise<void> {
  const before = await count();
  while ((await count()) < before + more && program.process.exitCode === null)
    await new Promise((resolve) => setImmediate(resolve));
  setTimeout(() => program.process.kill('SIGKILL'), lingerMs);
  await program.ended;
}

it(`killed ${KILLS} times while it pays, each row is paid once`, { timeout: 600_000 }, async () => {
  const random = seededRandom(16_01);
  proxy = await startCuttingProxy(listening.port, { random: seededRandom(16_02), share: 0.01 });
  const file = fileOfRows(KILLS * ROWS_A_KILL);
  writeFileSync(join(home.dir, 'wages.csv'), file);
  await remit('sender', 'create', ...senderFlags('customer-1'));
  const opening = balanceOf(bench);
  const planned = await remit(
    ...['batch', 'plan', join(home.dir, 'wages.csv'), '--name', 'wages', '--max-input', 'EUR=100000'],
  );
  expect(planned.code, planned.stderr).toBe(0);
  let killed = 0;
  for (let round = 0; round < KILLS; round++) {
    await armOne(random);
    const program = startRemit(['batch', 'run', 'wages', '--yes'], env());
    await killAfter(program, Math.floor(random.next() * 20), random.next() * 8);
    if (program.process.signalCode === 'SIGKILL') killed += 1;
  }
  proxy.calm();
  const last = await remit('batch', 'run', 'wages', '--yes', '-o', 'json');
  expect([0, 8], last.stderr).toContain(last.code);
  const { wrong, funded } = await auditRun({ bench, file, opening });
  expect(wrong).toEqual([]);
  expect(funded).toBe(KILLS * ROWS_A_KILL);
  console.log(
    JSON.stringify({
      killed,
      cuts: proxy.cuts,
      faults: (await bench.call('GET', '/_sandbox/faults')).body,
      funded,
    }).slice(0, 1500),
  );
  expect(killed).toBeGreaterThan(KILLS / 2);
  const watched = await remit('batch', 'watch', 'wages', '--timeout', '60s', '-o', 'json');
  expect(JSON.parse(watched.stdout).data.agrees, watched.stderr).toBe(true);
});
