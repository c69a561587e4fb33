/** A service that runs on: it is met at one address, and each case has a sandbox of its own behind it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGate } from '../../src/audit/gate.ts';
import { lossModeNames } from '../../src/audit/loss-modes.ts';
import { ACCOUNT } from '../../src/audit/run-case.ts';
import { auditOf, givesUp } from '../support/audits.ts';
import { useBench } from '../support/cli.ts';
import { freePort } from '../support/fire-listener.ts';
import { isLong } from '../support/long.ts';

/** They wait. */
const inLong = it.runIf(isLong);

const bench = useBench();
const file = (name: string): string => resolve(`test/fixtures/audit/${name}.mjs`);
let port = 0;
let service: ReturnType<typeof spawn>;
let trigger = '';

beforeAll(async () => {
  port = await freePort();
  const env = {
    ...{ PATH: process.env.PATH, PORT: '0', REMIT_BASE_URL: `http://127.0.0.1:${port}/v1` },
    ...{ REMIT_API_KEY: ACCOUNT.key, REMIT_API_SECRET: ACCOUNT.secret },
    ...givesUp,
  };
  service = spawn(process.execPath, [file('service')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(service.stdout ?? service, 'data');
  trigger = `${process.execPath} ${file('trigger')} http://127.0.0.1:${Number(String(said))}/`;
});
afterAll(async () => {
  const ended = once(service, 'exit');
  service.kill('SIGKILL');
  await ended;
});

it('is seen to pay twice long after the request that made it pay was answered', async () => {
  const gate = await openGate(port);
  const audited = await auditOf(trigger.split(' '), {
    most: 1,
    program: { attached: { gate, idleMs: 1_000 } },
  });
  await gate.close();
  expect(audited.found).toMatchObject([
    { kind: 'paid_twice', payment: '25.50 EUR to …6700 (NGN::Bank)', count: 1 },
  ]);
  expect(audited.wished.payments).toEqual(['1 × 25.50 EUR to …6700 (NGN::Bank)']);
  expect(audited.notTried).toContain('a restart of the service: it was attached to, and not started here');
});

inLong('a request that is held back belongs to its case, however long that is', async () => {
  const gate = await openGate(port);
  const skip = lossModeNames.filter((way) => way !== 'late');
  const audited = await auditOf(trigger.split(' '), {
    ...{ skip, most: 1 },
    program: { attached: { gate, idleMs: 1_000 } },
  });
  await gate.close();
  expect(audited.found).toMatchObject([{ kind: 'paid_twice', ways: ['late'] }]);
});

inLong('a service that is never quiet is waited for as long as one start may take', async () => {
  const gate = await openGate(port);
  const busy = setInterval(() => void fetch(`http://127.0.0.1:${port}/v1/balances`).catch(() => {}), 100);
  const audited = await auditOf(trigger.split(' '), {
    ...{ most: 1, skip: lossModeNames.filter((way) => way !== 'cut') },
    program: { attached: { gate, idleMs: 1_000 }, limitMs: 5_000 },
  });
  clearInterval(busy);
  await gate.close();
  expect(audited.found).toMatchObject([{ kind: 'paid_twice', ways: ['cut'] }]);
});

const audit = (...argv: string[]) =>
  bench.run(['sandbox', 'audit', '--attach', String(port), '--trigger', 'true', ...argv]);

it('its address, key and secret are said, and a trigger that pays nothing is no audit', async () => {
  const run = await audit('--idle', '10ms');
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('sent no write')]);
  expect(run.stderr).toContain(`http://127.0.0.1:${port}/v1, key ${ACCOUNT.key}, secret ${ACCOUNT.secret}`);
});

it('a port that is taken is said', async () => {
  const gate = await openGate(port);
  const run = await audit();
  await gate.close();
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`port ${port} is taken`)]);
});

it.each([
  [['--kill'], 'neither killed nor started again'],
  [['--tries', '2'], 'neither killed nor started again'],
])('%s is refused', async (flags, says) => {
  const run = await audit(...flags);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(says)]);
});

it('--attach without --trigger, and --idle without --attach, are refused', async () => {
  expect((await bench.run('sandbox audit --attach 4010')).stderr).toContain('--attach needs --trigger');
  expect((await bench.run('sandbox audit --idle 1s -- true')).stderr).toContain(
    'for a service that runs already',
  );
  expect((await bench.run('sandbox audit')).stderr).toContain('which program is audited?');
});
