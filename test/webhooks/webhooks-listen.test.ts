/** `webhooks listen` as a process of its own, beside a sandbox that sends: what it says, hands on, catches up and leaves behind. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { credentialsIn, is, lines, parse, useListening } from '../support/listen-runs.ts';
import { bodyOf, headersFor } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { runRemit } from '../support/program.ts';

const { home, env, remit, sender, listOf, sandbox, listen, stop } = useListening();

describe('the stream', () => {
  it('says ready, one event for each delivery, and stopped; registers itself and takes that away', async () => {
    await sandbox();
    const file = join(home.dir, 'ready.json');
    const { program, ready } = await listen('--ready-file', file);
    expect(lines(program)[0]?.kind).toBe('ready');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      url: ready.url,
      pid: program.process.pid,
    });
    expect(await listOf('webhooks', 'list')).toMatchObject([{ url: ready.registered, id: ready.webhook }]);
    await sender('customer-1');
    const { data } = parse(await program.line(is('event', 'sender.approved')));
    expect(data).toMatchObject({
      webhook: ready.webhook,
      event: 'sender.approved',
      object: { state: 'approved' },
      signature: 'valid',
      cause: null,
      duplicate: false,
      repeat: false,
      late: false,
      forward_status: null,
      latency_ms: null,
    });
    expect(data.body_b64).toBeNull();
    await stop(program);
    expect(lines(program).at(-1)).toMatchObject({
      kind: 'stopped',
      data: { reason: 'interrupt', received: 2, invalid: 0, handed_on: 2, waiting: 0 },
    });
    expect(existsSync(file)).toBe(false);
    expect(await listOf('webhooks', 'list')).toEqual([]);
    expect((await listOf('webhooks', 'events')).map(({ state }: { state: string }) => state)).toEqual([
      'handed_on',
      'handed_on',
    ]);
  });

  it.runIf(isLong)(
    'takes everything away and says that it stopped, also when one thing cannot be taken away',
    async () => {
      await sandbox();
      const file = join(home.dir, 'ready.json');
      const { program } = await listen('--ready-file', file);
      rmSync(file);
      mkdirSync(file);
      program.signal('SIGINT');
      const { code } = await program.ended;
      expect([code, program.stderr()]).toEqual([1, expect.stringContaining(file)]);
      expect(lines(program).at(-1)?.kind).toBe('stopped');
      expect(await listOf('webhooks', 'list')).toEqual([]);
      await stop((await listen()).program);
    },
  );

  it.runIf(isLong)('ends when its port is taken, and hands nothing on before it listens', async () => {
    await sandbox();
    const first = await listen('--no-register');
    const port = new URL(first.ready.url as string).port;
    const by = credentialsIn(home.dir);
    const url = `http://127.0.0.1:${port}/`;
    const other = join(home.dir, 'other.db');
    const second = await listen('--no-register', '--store', other, '--forward-to', 'http://127.0.0.1:1/');
    const at = `${second.ready.url}/`;
    const headers = headersFor(at, bodyOf('a'), { by });
    expect((await fetch(at, { method: 'POST', body: bodyOf('a'), headers })).status).toBe(200);
    await stop(second.program);
    const third = await runRemit(
      [
        'webhooks',
        'listen',
        '--no-register',
        '--no-catch-up',
        '--port',
        port,
        '--store',
        other,
        '-o',
        'ndjson',
      ],
      env(),
    );
    expect([third.code, third.stdout]).toEqual([78, '']);
    expect(third.stderr).toContain('the port is in use');
    expect(third.stderr).not.toContain('closed');
    expect((await fetch(url)).status).toBe(405);
    await stop(first.program);
  });

  it.runIf(isLong)(
    'verifies for the URL that it registered, whatever a sender says its host is',
    async () => {
      await sandbox();
      const { program, ready } = await listen();
      const by = credentialsIn(home.dir);
      const send = (signedFor: string, path = '') => {
        const headers = headersFor(signedFor, bodyOf('a'), { by });
        return fetch(`${ready.registered}${path}`, { method: 'POST', body: bodyOf('a'), headers });
      };
      expect((await send(`${ready.registered}x`, 'x')).status).toBe(401);
      expect((await send(ready.registered as string)).status).toBe(200);
      await stop(program);
    },
  );

  it('names the cause of what does not verify, and does not end for it', async () => {
    await sandbox();
    const { program, ready } = await listen('--count', '2', '--reveal');
    const answer = await fetch(ready.url as string, { method: 'POST', body: bodyOf('x') });
    expect(answer.status).toBe(401);
    const { data } = parse(await program.line(is('event', 'invalid')));
    expect(data).toMatchObject({ signature: 'invalid', cause: 'missing_header', event: null, object: null });
    expect(Buffer.from(String(data.body_b64), 'base64').toString('utf8')).toBe(bodyOf('x'));
    await sender('customer-1');
    expect((await program.ended).code).toBe(0);
    expect(lines(program).at(-1)?.data).toMatchObject({ reason: 'count', received: 2, invalid: 1 });
    expect(await listOf('webhooks', 'events', '--state', 'invalid')).toHaveLength(1);
    const shown = await remit('webhooks', 'verify', String(data.id), '-o', 'json');
    expect([shown.code, JSON.parse(shown.stdout).data.verdict]).toEqual([7, 'MALFORMED']);
  });

  it('goes on with what was not printed, and never prints again what was', async () => {
    await sandbox();
    const first = await listen('--port', '0');
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    await stop(first.program);
    const printed = lines(first.program).flatMap(({ kind, data }) => (kind === 'event' ? [data.id] : []));
    expect((await remit('webhooks', 'replay', String(printed[0]))).code).toBe(0);
    const second = await listen();
    const { data } = parse(await second.program.line(is('event')));
    expect(data.id).toBe(printed[0]);
    await stop(second.program);
    expect(lines(second.program).filter(({ kind }) => kind === 'event')).toHaveLength(1);
  });
});

describe.runIf(isLong)('registration', () => {
  it('that was left by one that was killed is removed at the next start', async () => {
    await sandbox();
    const first = await listen();
    first.program.signal('SIGKILL');
    await first.program.ended;
    expect(await listOf('webhooks', 'list')).toHaveLength(1);
    const second = await listen();
    expect(await listOf('webhooks', 'list')).toMatchObject([{ url: second.ready.registered }]);
    await stop(second.program);
  });

  it('is of the events that are asked for; names that nobody knows are warned about', async () => {
    await sandbox();
    const { program } = await listen('--events', 'sender.approved,sender.praised', '--no-register');
    expect(program.stderr()).toContain('no event called sender.praised');
    await stop(program);
    const named = await listen('--events', 'sender.approved');
    expect(await listOf('webhooks', 'list')).toMatchObject([{ events: ['sender.approved'] }]);
    await stop(named.program);
  });
});

describe.runIf(isLong)('catching up', () => {
  it('fetches at the start what was missed while nobody listened, says when that was, and hands it on in order', async () => {
    const service = await sandbox();
    const first = await listen('--port', '0');
    const port = new URL(first.ready.url as string).port;
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    first.program.signal('SIGKILL');
    await first.program.ended;
    await sender('customer-2');
    await remit('sandbox', 'clock', 'advance', '8h');
    const second = await listen('--port', port);
    const { data: gap } = parse(await second.program.line(is('gap')));
    expect(gap).toMatchObject({ missed: 2, recovered: 2, unrecoverable: 0 });
    expect(gap.events).toEqual({ 'sender.created': 1, 'sender.approved': 1 });
    const recovered = (line: string): boolean => is('event', '"recovered":true')(line);
    await second.program.line((line) => recovered(line) && line.includes('sender.approved'));
    // What was printed a moment before the kill may be printed again: that was not recorded yet.
    const events = lines(second.program).filter(({ kind, data }) => kind === 'event' && data.recovered);
    expect(events.map(({ data }) => [data.event, data.signature, data.recovered])).toEqual([
      ['sender.created', 'recovered', true],
      ['sender.approved', 'recovered', true],
    ]);
    await second.program.says('2 deliveries were missed');
    await stop(second.program);
    expect(service.url).toContain('127.0.0.1');
  });
});

describe('for people', () => {
  it('one line each, with whole ids where nobody looks at a terminal', async () => {
    await sandbox();
    const program = home.start(['webhooks', 'listen', '--count', '2']);
    await program.says('listening on');
    await sender('customer-1');
    expect(await program.line((line) => line.includes('verified'))).toMatch(
      /Z {2}verified {2}sender\.\w+ {2}[0-9a-f-]{36} {2}approved$/,
    );
    expect((await program.ended).code).toBe(0);
    expect(program.stderr()).toContain('stopped: 2 received');
  });
});

/** Of the sandbox's own profile, which keeps its secret in a file here. */
