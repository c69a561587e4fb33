/** While a write is under way in another process, the same waits for its outcome, and nobody says how it ended. */
import { join } from 'node:path';
import { ppid } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import type { Intent } from '../../src/client/store/port.ts';
import { isRunning } from '../../src/profiles/worker.ts';
import { payArgv, type Run, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { gate } from '../support/servers.ts';

const bench = useBench({ sender: true });

const argv = payArgv();
const made = async (): Promise<number> =>
  (await bench.run(['tx', 'list', '-o', 'json'])).data<unknown[]>().length;

/** The payment leaves, and stays on its way until it is released. */
async function held(): Promise<{ release(): Promise<Run> }> {
  const [arrived, released] = [gate(), gate()];
  bench.intercept(async (request, next) => {
    if (!request.url.endsWith('/accounts/debits')) return next(request);
    arrived.open();
    await released.passed;
    return next(request);
  });
  const first = bench.run(argv);
  await arrived.passed;
  return {
    release() {
      released.open();
      return first;
    },
  };
}

async function alter(sql: string): Promise<void> {
  const { openDatabase } = await import('../../src/disk/driver.ts');
  const { STORE_VERSION } = await import('../../src/client/store/tables.ts');
  const database = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  database.exec(sql);
  database.close();
}

it('Ctrl-C ends the waiting for it: nothing of this run is on its way', async () => {
  const { release } = await held();
  const ctrlC = new AbortController();
  const { sleep } = machine;
  // It comes as soon as the second one waits.
  machine.sleep = async (ms) => {
    ctrlC.abort('SIGINT');
    await sleep(ms);
  };
  onTestFinished(() => {
    machine.sleep = sleep;
  });
  const second = bench.run(argv, { interrupt: ctrlC.signal });
  const { code, stderr } = await second;
  expect(code, stderr).toBe(130);
  expect(stderr).toContain('under way in another process: waiting');
  expect(stderr).not.toContain('it is on its way');
  expect((await release()).code).toBe(0);
  expect(await made()).toBe(1);
});

it('nobody settles it by hand or otherwise, so that it is not made beside itself', async () => {
  const { release } = await held();
  await alter(`UPDATE intents SET about = json_set(about, '$.pid', ${ppid})`);
  const listed = await bench.run(['history', '-o', 'json']);
  const [{ id } = { id: '' }] = listed.data<{ id: string }[]>();
  for (const rest of [['--as', 'not-applied', '--because', 'the operator said so'], [], ['--look']]) {
    const run = await bench.run(['history', 'settle', id, ...rest, '-o', 'json']);
    expect([run.code, run.error().code, run.error().outcome]).toEqual([9, 'under_way', 'unknown']);
    expect(run.error().hint).toContain('remit history settle');
  }
  expect((await bench.run(['history', 'settle', '--all'])).code).toBe(9);
  expect((await release()).code).toBe(0);
  expect(await made()).toBe(1);
});

it('what was left behind is not waited for, though its process id belongs to somebody else by now', async () => {
  for (const age of [`'$.pid', ${ppid}`, `'$.pid', ${process.pid}`]) {
    await bench.run([...argv, '--new-payment']);
    await alter(
      `UPDATE intents SET state = 'open', told_at = NULL, about = json_set(about, ${age}), created_at = created_at - 3600000`,
    );
    const again = await bench.run(argv);
    expect([again.code, again.error().code]).toEqual([9, 'unsettled_intent']);
    expect(again.stderr).not.toContain('waiting');
  }
});

it('a process that lives is at it for ten minutes at most, and one of our own id only since we began', () => {
  const now = machine.now();
  const self = { pid: process.pid, beganAt: now - 1_000 };
  const runs = (pid: number, createdAt: number) =>
    isRunning({ state: 'open', pid, createdAt } as Intent, self, now);
  expect([runs(ppid, now - 60_000), runs(ppid, now - 3_600_000)]).toEqual([true, false]);
  expect([runs(self.pid, now), runs(self.pid, self.beganAt - 1)]).toEqual([true, false]);
});
