/** A service that is started beside the audit is waited for, and what was never started is not judged. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { openGate } from '../../src/audit/gate.ts';
import { untilReady } from '../../src/audit/ready.ts';
import { ACCOUNT } from '../../src/audit/run-case.ts';
import { createNetworkTransport } from '../../src/client/network-transport.ts';
import { auditOf, node, optionsFor } from '../support/audits.ts';
import { useBench } from '../support/cli.ts';
import { freePort } from '../support/fire-listener.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Answers each status once, and the last one for ever; or 200 from when it is up. */
async function serverOf(...statuses: number[]) {
  let asked = 0;
  let isUp = false;
  const server = createServer((_request, response) => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 200;
    response.writeHead(isUp ? 200 : status).end();
    asked += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`,
    asked: () => asked,
    isUp: () => {
      isUp = true;
    },
  };
}

async function waitFor(url: string, limitMs: number, signal = new AbortController().signal) {
  const network = await createNetworkTransport();
  closing.push(() => network.close());
  return untilReady({ url, send: network.send, signal, limitMs });
}

/** A port that was free a moment ago may be another test's by now: nobody can have this one. */
const NOBODY = 'http://127.0.0.1:9/';

describe('a URL is ready', () => {
  it('when it answers 2xx, and not while a gateway answers for what starts', async () => {
    const { url, asked } = await serverOf(502, 404, 204);
    expect(await waitFor(url, 20_000)).toBeUndefined();
    expect(asked()).toBe(3);
  });

  it('when it sends elsewhere: that is not followed', async () => {
    const { url, asked } = await serverOf(302);
    expect([await waitFor(url, 20_000), asked()]).toEqual([undefined, 1]);
  });

  it.each([
    ['answers 404', async () => (await serverOf(404)).url, 'it answered 404'],
    ['is not there', async () => NOBODY, 'ECONNREFUSED'],
  ])('never, where it %s: that is said', async (_, urlOf, says) => {
    const url = await urlOf();
    const why = await waitFor(url, 300);
    expect(why).toContain(`${url} was not ready within 0.3 s`);
    expect(why).toContain(says);
  });

  it('and is no longer waited for after an interrupt', async () => {
    expect(await waitFor(NOBODY, 3_600_000, AbortSignal.timeout(50))).toContain('not ready');
  });
});

it('a service that is started after the audit began is waited for before the first trigger', async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const health = await serverOf(503);
  const gate = await openGate(port);
  const trigger = resolve('test/fixtures/audit/trigger.mjs');
  const audited = auditOf([process.execPath, trigger, `http://127.0.0.1:${servicePort}/`], {
    most: 1,
    program: { attached: { gate, idleMs: 1_000 }, ready: health.url },
  });
  await expect.poll(health.asked).toBeGreaterThan(1);
  const service = spawn(process.execPath, [resolve('test/fixtures/audit/service.mjs')], {
    env: {
      ...{ PATH: process.env.PATH, PORT: String(servicePort), REMIT_BASE_URL: `http://127.0.0.1:${port}/v1` },
      ...{ REMIT_API_KEY: ACCOUNT.key, REMIT_API_SECRET: ACCOUNT.secret },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closing.push(async () => {
    const ended = once(service, 'exit');
    service.kill('SIGKILL');
    await ended;
  });
  await once(service.stdout, 'data');
  health.isUp();
  expect((await audited).found).toMatchObject([{ kind: 'paid_twice' }]);
  await gate.close();
});

describe('where a case cannot begin', () => {
  /** Ends with 1 at its turns that are named, counted over all cases. */
  const failing = (file: string, turns: string): string[] => [
    process.execPath,
    '-e',
    `const { appendFileSync, readFileSync } = require('node:fs');
     appendFileSync(${JSON.stringify(file)}, '.');
     process.exit(${turns}.test(String(readFileSync(${JSON.stringify(file)}).length)) ? 1 : 0);`,
  ];
  const file = (): string => join(temporaryFolder(), 'turns');

  it('it is not judged, and that is said', async () => {
    const before = failing(file(), '/^3$/');
    const audited = await auditOf(node('once'), { most: 2, mustPay: true, program: { before } });
    expect(audited.counts).toMatchObject({ not_met: 1, said_failed: 1, finding: 0 });
    expect(audited.notTried).toContainEqual(
      expect.stringMatching(/^1 of the cases, in which the program was not started: .* ended with exit 1$/s),
    );
    expect(audited.notTried).not.toContainEqual(expect.stringContaining('had no occasion'));
  });

  it('and none can, nothing was audited', async () => {
    const before = failing(file(), '/^[3-9]$/');
    const end = await audit(optionsFor(node('once'), { most: 2, program: { before } }));
    expect(end).toMatchObject({ kind: 'nothing_audited', why: expect.stringContaining('ended with exit 1') });
  });
});

const bench = useBench();
it('a program that is never ready is not started, and that is the reason why nothing was audited', async () => {
  const text = 'require("node:fs").writeFileSync("ran", "")';
  const run = await bench.run([
    ...['sandbox', 'audit', '--ready', NOBODY, '--limit', '1s', '--', process.execPath, '-e', text],
  ]);
  expect([run.code, run.stderr]).toEqual([
    2,
    expect.stringContaining('was not ready within 1 s: no answer came'),
  ]);
  expect(run.stderr).toContain('nothing was audited');
  expect(existsSync(join(bench.dir, 'ran'))).toBe(false);
});
