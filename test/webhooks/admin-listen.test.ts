/** `--admin` of a listener, a sandbox and a console: real processes, and real HTTP on loopback. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/disk/driver.ts';
import { freePort } from '../support/fire-listener.ts';
import { credentialsIn, is, parse, useListening } from '../support/listen-runs.ts';
import { bodyOf, deliverTo } from '../support/listening.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { adminOf, ask, metricsOf, untilAnswers } from '../support/prometheus.ts';
import { gate } from '../support/servers.ts';

const { home, remit, sender, sandbox, listen, stop, run, handlerFor } = useListening();
const database = usePostgres();
const ADMIN = ['--admin', '127.0.0.1:0'];
const APART = ['--no-register', '--no-catch-up'];

async function watched(...argv: string[]) {
  const { program, ready } = await listen(...APART, ...argv, ...ADMIN);
  return { program, url: ready.url as string, admin: await adminOf(program) };
}
const series = (verdict: string, cause = 'none'): string =>
  `remit_deliveries_total{verdict="${verdict}",cause="${cause}"}`;

describe('a listener', () => {
  it('counts exactly what was delivered, and names the cause of what is invalid', async () => {
    await sandbox();
    const { program, url, admin } = await watched();
    const before = await metricsOf(admin);
    expect([before.get(series('verified')), before.get('remit_ready')]).toEqual([0, 1]);
    expect(before.has('remit_delivery_last_verified_timestamp_seconds')).toBe(false);
    const by = credentialsIn(home.dir);
    const at = `${url}/`;
    const send = async (body: string, more: Record<string, unknown> = {}) =>
      (await deliverTo(url, body, { url: at, by, ...more })).status;
    const sent = [
      await send(bodyOf('object-1'), { nonce: 'nonce-of-one' }),
      await send(bodyOf('object-1'), { nonce: 'nonce-of-one' }),
      await send(bodyOf('object-2')),
      await send('{"not":"one"}'),
      await send(bodyOf('object-3'), { signedUrl: `${url}/other` }),
      await send(bodyOf('object-4'), { by: { ...by, secret: 'wrong-secret' } }),
    ];
    expect(sent).toEqual([200, 200, 200, 400, 401, 401]);
    const after = await metricsOf(admin);
    const invalid = [...after].filter(([name]) => name.includes('verdict="invalid"'));
    expect(invalid.reduce((sum, [, count]) => sum + count, 0)).toBe(2);
    expect(invalid.filter(([name, count]) => count > 0 && !name.includes('not_examined'))).toHaveLength(1);
    expect([
      after.get(series('verified')),
      after.get(series('duplicate')),
      after.get(series('malformed', 'not_a_delivery')),
      after.get('remit_handover_dead'),
    ]).toEqual([2, 1, 1, 0]);
    expect(after.get('remit_delivery_last_verified_timestamp_seconds')).toBeGreaterThan(1.7e9);
    const { text } = await ask(`${admin}/metrics`);
    for (const hidden of ['object-', 'w-1', 'nonce-', by.key, by.secret, url, home.dir, 'recipient.error'])
      expect(text).not.toContain(hidden);
    await stop(program);
  });

  it('answers GET to who names this machine, on three paths', async () => {
    await sandbox();
    const { program, admin } = await watched();
    const status = async (path: string, options?: Parameters<typeof ask>[1]) =>
      (await ask(`${admin}${path}`, options)).status;
    const hosts = ['evil.example', 'evil.example:80', 'localhost:1', '[::1]:9'];
    expect([
      await status('/livez'),
      await status('/metrics?x=1'),
      await status('/'),
      await status('/metrics/'),
      await status('/__proto__'),
      await status('/livez', { method: 'POST' }),
      await status('/metrics', { method: 'HEAD' }),
      await status('/readyz', { method: 'DELETE' }),
      ...(await Promise.all(hosts.map((host) => status('/livez', { headers: { host } })))),
    ]).toEqual([200, 200, 404, 404, 404, 405, 405, 405, 403, 403, 200, 200]);
    await stop(program);
  });

  it('is not ready while it drains, and answers until the end', async () => {
    await sandbox();
    const handler = await handlerFor();
    const held = gate();
    handler.answers.held = held.passed;
    const { program, url, admin } = await watched('--forward-to', handler.to);
    await deliverTo(url, bodyOf('a'), { url: `${url}/`, by: credentialsIn(home.dir) });
    await handler.got.count(1);
    const waiting = await metricsOf(admin);
    expect([waiting.get('remit_handover_pending'), (await ask(`${admin}/readyz`)).status]).toEqual([1, 200]);
    expect(waiting.get('remit_handover_oldest_timestamp_seconds')).toBe(
      waiting.get('remit_delivery_last_verified_timestamp_seconds'),
    );
    program.signal('SIGINT');
    const { text } = await untilAnswers(`${admin}/readyz`, ({ status }) => status === 503);
    expect([text, (await ask(`${admin}/livez`)).status]).toEqual(['not ready: it is ending\n', 200]);
    expect((await metricsOf(admin)).get('remit_ready')).toBe(0);
    held.open();
    expect((await program.ended).code).toBe(0);
  });

  it('counts what was given up', async () => {
    await sandbox();
    const handler = await handlerFor();
    handler.answers.status = () => 500;
    const { program, url, admin } = await watched('--forward-to', handler.to, '--attempts', '1');
    await deliverTo(url, bodyOf('a'), { url: `${url}/`, by: credentialsIn(home.dir) });
    await untilAnswers(`${admin}/metrics`, ({ text }) => text.includes('\nremit_handover_dead 1\n'));
    expect((await metricsOf(admin)).get('remit_handover_pending')).toBe(0);
    await stop(program);
  });

  it('is not ready when its file is gone: SQLite goes on writing to it', async () => {
    await sandbox();
    const store = join(home.dir, 'own.db');
    const { program, admin } = await watched('--store', store);
    expect((await ask(`${admin}/readyz`)).text).toBe('ready\n');
    rmSync(store);
    const { text } = await untilAnswers(`${admin}/readyz`, ({ status }) => status === 503);
    expect(text).toBe('not ready: the store does not commit\n');
    expect((await metricsOf(admin)).get('remit_ready')).toBe(0);
    await stop(program);
  });

  it('is not ready after a delivery could not be kept, though small notes can, until one could be kept again', async () => {
    await sandbox();
    const store = join(home.dir, 'own.db');
    const { program, url, admin } = await watched('--store', store);
    const { DatabaseSync } = loadSqlite(store);
    const inbox = new DatabaseSync(store, { timeout: PATIENCE_MS });
    const fail = () =>
      inbox.exec(
        `CREATE TRIGGER fails BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'it fails'); END`,
      );
    const mend = () => inbox.exec('DROP TRIGGER fails');
    const send = async (name: string) =>
      (
        await deliverTo(url, bodyOf(name), {
          url: `${url}/`,
          by: credentialsIn(home.dir),
          nonce: `nonce-${name}`,
        })
      ).status;
    const readiness = async () => (await ask(`${admin}/readyz`)).text;
    expect([await send('a'), await readiness()]).toEqual([200, 'ready\n']);
    fail();
    // At once, whatever was found of the store within the last second.
    expect([await send('b'), await readiness()]).toEqual([
      503,
      expect.stringContaining('a delivery could not be kept'),
    ]);
    expect((await metricsOf(admin)).get('remit_ready')).toBe(0);
    mend();
    expect(await send('c')).toBe(200);
    await untilAnswers(`${admin}/readyz`, ({ status }) => status === 200);
    fail();
    expect(await send('d')).toBe(503);
    await untilAnswers(`${admin}/readyz`, ({ text }) => text.endsWith('the store does not commit\n'));
    mend();
    // Without another delivery: a proxy that asks sends none to one that is not ready.
    await untilAnswers(`${admin}/readyz`, ({ status }) => status === 200);
    expect(await send('d')).toBe(200);
    const figures = await metricsOf(admin);
    expect(['verified', 'duplicate', 'not_kept'].map((verdict) => figures.get(series(verdict)))).toEqual([
      3, 1, 2,
    ]);
    inbox.close();
    await stop(program);
  });

  it('tells whether the public URL leads to it, and is ready either way: a proxy that asked would keep it out for ever', async () => {
    await sandbox();
    const port = await freePort();
    const reached = 'remit_public_url_reached';
    const nowhere = ['--public-url', 'http://127.0.0.1:1/hooks'];
    const here = ['--public-url', `http://127.0.0.1:${port}/hooks`, '--port', String(port)];
    for (const [argv, value] of [
      [nowhere, 0],
      [here, 1],
    ] as const) {
      const { program, admin } = await watched(...argv);
      await untilAnswers(`${admin}/metrics`, ({ text }) => text.includes(`\n${reached} `));
      const figures = await metricsOf(admin);
      expect([figures.get(reached), figures.get('remit_ready')]).toEqual([value, 1]);
      expect((await ask(`${admin}/readyz`)).status).toBe(200);
      await stop(program);
    }
  });

  it('answers for the others of its inbox where the public URL leads to it, and for no other inbox', async () => {
    await sandbox();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const shared = { REMIT_STORE: database().url };
    const told = async (argv: string[], env: Record<string, string> = {}) => {
      const line = ['webhooks', 'listen', ...APART, '--public-url', url, ...argv, ...ADMIN];
      const { program } = await run(line, env);
      const admin = await adminOf(program);
      await untilAnswers(`${admin}/metrics`, ({ text }) => text.includes('\nremit_public_url_reached '));
      return { program, reached: (await metricsOf(admin)).get('remit_public_url_reached') };
    };
    const there = await told(['--port', String(port)], shared);
    const beside = await told([], shared);
    const stranger = await told([]);
    expect([there.reached, beside.reached, stranger.reached]).toEqual([1, 1, 0]);
    expect(
      (await ask(url, { headers: { 'remit-probe': `${'0'.repeat(48)}.${'0'.repeat(64)}` } })).status,
    ).toBe(405);
    for (const { program } of [there, beside, stranger]) await stop(program);
  });

  it('counts its requests to the service by operation', async () => {
    await sandbox();
    const { program } = await listen(...ADMIN);
    const figures = await metricsOf(await adminOf(program));
    const creation = 'remit_api_requests_total{operation="webhooks.create",status_class="2xx"}';
    expect([figures.get(creation), figures.get('remit_gaps_recovered_total')]).toEqual([1, 0]);
    const requests = [...figures].filter(([name]) => name.startsWith('remit_api_requests_total'));
    expect(figures.get('remit_api_request_duration_seconds_count')).toBe(
      requests.reduce((sum, [, count]) => sum + count, 0),
    );
    await stop(program);
  });

  it('counts what it fetched from the log', async () => {
    await sandbox();
    const first = await listen();
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    first.program.signal('SIGKILL');
    await first.program.ended;
    await sender('customer-2');
    await remit('sandbox', 'clock', 'advance', '8h');
    const second = await listen('--port', new URL(first.ready.url as string).port, ...ADMIN);
    const gap = parse(await second.program.line(is('gap')));
    const figures = await metricsOf(await adminOf(second.program));
    expect([gap.data.recovered, figures.get('remit_gaps_recovered_total')]).toEqual([2, 2]);
    await stop(second.program);
  });
});

describe('other commands', () => {
  it('a sandbox and a console answer for their process', async () => {
    const { program } = await run(['sandbox', 'start', '--port', '0', ...ADMIN]);
    const page = await run(['console', '--no-browser', ...ADMIN]);
    for (const admin of [await adminOf(program), await adminOf(page.program)]) {
      const figures = await metricsOf(admin);
      expect([(await ask(`${admin}/readyz`)).status, figures.get('remit_ready')]).toEqual([200, 1]);
      expect(figures.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
      expect([...figures.keys()].filter((name) => /deliver|handover|run|outcome/.test(name))).toEqual([]);
    }
    await stop(page.program);
    await stop(program);
  });

  it('a port that is taken ends the start, and nothing listens', async () => {
    const { program } = await run(['sandbox', 'start', '--port', '0', ...ADMIN]);
    const address = new URL(await adminOf(program)).host;
    const second = await home.remit('webhooks', 'listen', ...APART, '--admin', address);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('EADDRINUSE')]);
    await stop(program);
  });
});
