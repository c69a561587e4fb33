/** Pay runs that wait: on hold with a reason, or until a moment that the service's clock decides. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { type Intercept, type Run, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const server = usePostgres();
const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);
const through: Intercept = (request, next) => next(request);
async function plan(rows: number, ...more: string[]): Promise<Run> {
  const file = join(bench.dir, 'wages.csv');
  writeFileSync(file, fileOfRows(rows));
  return batch('plan', file, '--name', 'wages', '--max-input', 'EUR=1000', ...more);
}
const paid = ({ requests }: Run): number =>
  requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;
interface Status {
  state: string;
  status: string;
  held_by: string | null;
  not_before: string | null;
  digest: string;
  approved_by: string | null;
  states: Record<string, number>;
}
const status = async () => (await batch('status', 'wages', '-o', 'json')).data<Status>();

it('nothing of a run on hold is sent, and it goes on as it was when it is let go', async () => {
  await plan(3);
  const { digest } = await status();
  await batch('approve', 'wages', '--digest', digest);
  const held = await batch('hold', 'wages', '--because', 'the bank asks about E-1');
  expect([held.code, held.requests]).toEqual([0, []]);
  const stands = await status();
  expect(stands).toMatchObject({
    state: 'approved',
    status: 'approved, not all sent, on hold',
    held_by: expect.stringMatching(/key …7f3c: the bank asks about E-1$/),
  });
  const ran = await batch('run', 'wages');
  expect([ran.code, paid(ran)]).toEqual([8, 0]);
  expect(ran.stderr).toContain('the run "wages" is on hold, by ');
  expect(ran.stderr).toContain('remit batch release wages');
  expect((await batch('hold', 'wages', '--because', 'another one')).stderr).toContain('is on hold already');

  const let_go = await batch('release', 'wages');
  expect(let_go.stderr).toContain('let run wages go on: 3 rows not sent yet');
  expect(await status()).toMatchObject({ state: 'approved', held_by: null, approved_by: stands.approved_by });
  const paidAll = await batch('run', 'wages');
  expect([paidAll.code, paid(paidAll)]).toEqual([0, 3]);
  expect((await batch('release', 'wages')).code).toBe(1);
});

it('a hold needs a reason, and a run that is over needs none', async () => {
  await plan(1);
  for (const more of [[], ['--because', ' ']]) {
    const refused = await batch('hold', 'wages', ...more);
    expect([refused.code, refused.stderr.includes('a hold needs its reason')]).toEqual([2, true]);
  }
  await batch('cancel', 'wages');
  expect((await batch('hold', 'wages', '--because', 'too late')).code).toBe(2);
});

it('a run that is held while it is paid ends at once: what is on its way has its answer', async () => {
  await plan(40);
  let sent = 0;
  const holds: Intercept = async (request, next) => {
    if (request.url.endsWith('/create_and_fund') && ++sent === 3)
      await batch('hold', 'wages', '--because', 'somebody called');
    return next(request);
  };
  bench.intercept(holds);
  const told = join(bench.dir, 'told');
  const program = join(bench.dir, 'tell.sh');
  writeFileSync(program, `#!/bin/sh\ncat > ${told}\n`, { mode: 0o700 });
  const ran = await batch('run', 'wages', '--in-flight', '1', '--on', `paused=${program}`);
  bench.intercept(through);
  expect(ran.code).toBe(8);
  expect(JSON.parse(readFileSync(told, 'utf8')).data).toMatchObject({
    event: 'paused',
    why: 'somebody called',
  });
  expect(ran.stderr).toContain('On hold, by ');
  expect(ran.stderr).toContain('somebody called. Nothing more is sent.');
  const { states } = await status();
  expect(states).toEqual({ planned: 37, created: 3 });
  await batch('release', 'wages');
  expect((await batch('run', 'wages')).code).toBe(0);
});

const DAY_MS = 86_400_000;
const wall = (ms: number): string => new Date(machine.now() + ms).toISOString().slice(0, 16);

it('a run that is to be paid later waits for the clock of the service, and says until when', async () => {
  const at = wall(2 * DAY_MS);
  const planned = await plan(2, '--not-before', at);
  expect(planned.stderr).toContain(`not before ${at.replace('T', ' ')} UTC`);
  expect(await status()).toMatchObject({ not_before: `${at}:00.000Z` });
  // The service is asked three times; before the fourth its clock is moved on.
  let asked = 0;
  bench.intercept(async (request, next) => {
    if (request.url.endsWith('/accounts') && ++asked === 4)
      await bench.run(['sandbox', 'clock', 'advance', '3d']);
    if (request.url.endsWith('/create_and_fund')) expect(asked).toBeGreaterThanOrEqual(4);
    return next(request);
  });
  const ran = await batch('run', 'wages');
  bench.intercept(through);
  expect([ran.code, paid(ran)]).toEqual([0, 2]);
  expect(ran.stderr).toContain(
    `run wages waits until ${at.replace('T', ' ')} UTC, by the clock of the service; nothing of it is sent before`,
  );
});

it('the clock of this machine does not make it earlier, and who stops the wait has sent nothing', async () => {
  await plan(2, '--not-before', wall(DAY_MS));
  const stop = new AbortController();
  let asked = 0;
  bench.intercept(async (request, next) => {
    if (request.url.endsWith('/accounts') && ++asked === 5) stop.abort();
    return next(request);
  });
  const now = machine.ms;
  machine.ms += 30 * DAY_MS;
  const ran = await bench.run(['batch', 'run', 'wages'], { interrupt: stop.signal });
  machine.ms = now;
  bench.intercept(through);
  expect([ran.code, paid(ran)]).toEqual([8, 0]);
  expect((await status()).states).toEqual({ planned: 2 });
});

it('the moment is in the digest, and planning again with another one is refused', async () => {
  await plan(2, '--not-before', wall(DAY_MS));
  const { digest } = await status();
  const same = await plan(2, '--not-before', wall(DAY_MS));
  expect([same.code, (await status()).digest]).toEqual([0, digest]);
  const other = await plan(2, '--not-before', wall(2 * DAY_MS));
  expect([other.code, other.stderr.includes('was planned not before ')]).toEqual([1, true]);
  const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  store.exec("UPDATE payruns SET plan = json_remove(plan, '$.notBefore')");
  store.close();
  const ran = await batch('run', 'wages');
  expect([ran.code, paid(ran)]).toEqual([10, 0]);
  expect(ran.stderr).toContain('is not what was planned');
});

it('a moment that has come holds nothing up', async () => {
  await plan(1, '--not-before', '2020-01-01T08:00');
  expect(await status()).toMatchObject({ not_before: null });
  expect((await batch('run', 'wages')).code).toBe(0);
});

it('workers leave alone what is on hold, and what is to be paid later, and say so once', async () => {
  const { url } = server();
  const env = { REMIT_STORE: url };
  const run = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv], { env });
  const file = join(bench.dir, 'rows.csv');
  const make = async (name: string, from: number, ...more: string[]) => {
    writeFileSync(file, fileOfRows(2, { from }));
    const made = await run('plan', file, '--name', name, '--max-input', 'EUR=9', ...more, '-o', 'json');
    expect(made.code, made.stderr).toBe(0);
    expect((await run('approve', name, '--digest', made.data<Status>().digest)).code, made.stderr).toBe(0);
  };
  await make('held', 1);
  await run('hold', 'held', '--because', 'a question');
  await make('later', 5, '--not-before', wall(DAY_MS));
  await make('now', 9);
  const worked = await run('work', '--once');
  expect([worked.code, paid(worked)]).toEqual([8, 2]);
  expect(worked.stderr).toContain('left alone: the run "held" is on hold');
  expect(worked.stderr).toContain('run later waits until ');

  // One that goes on pays each when its time has come.
  const stop = new AbortController();
  let [looks, sent] = [0, 0];
  bench.intercept(async (request, next) => {
    if (request.url.endsWith('/accounts') && ++looks === 2) {
      await bench.run(['sandbox', 'clock', 'advance', '2d']);
      await run('release', 'held');
    }
    const answer = await next(request);
    if (request.url.endsWith('/create_and_fund') && ++sent === 4) stop.abort();
    return answer;
  });
  const went = await bench.run(['batch', 'work'], { env, interrupt: stop.signal });
  for (const name of ['held', 'later'])
    expect((await run('status', name, '-o', 'json')).data<Status>().states).toEqual({ created: 2 });
  expect(went.stderr.split('run later waits until ').length).toBe(2);
});

it.each(['yesterday', '2h', '2026-11', 'soon'])('--not-before %s is no moment', async (time) => {
  expect((await plan(1, '--not-before', time)).code).toBe(2);
});
