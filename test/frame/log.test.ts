/** `--log json` of real processes: every line of stderr is an event of the table, and nothing personal or secret is in one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { senderFlags } from '../support/cli.ts';
import { hasEnded, useKillStage } from '../support/kill-stage.ts';
import { credentialsIn, is, lines, useListening } from '../support/listen-runs.ts';
import { bodyOf, deliverTo, headersFor } from '../support/listening.ts';
import { linesOfLog, ofEvent } from '../support/log-lines.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Program, runRemit } from '../support/program.ts';

const LOG = ['--log', 'json'];
const APART = ['--no-register', '--no-catch-up'];
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('a listener', () => {
  const { home, remit, sender, sandbox, listen, run, stop, handlerFor } = useListening();

  /** Personal in every way that a body can be. */
  const personal = (id: string) =>
    bodyOf(id, {
      object: {
        id,
        state: 'error',
        transaction_id: 't-1',
        first_name: 'Adaobi',
        payout_method: {
          type: 'NGN::Bank',
          details: { bank_account: '0123456789', phone_number: '+2348012345678' },
        },
      },
    });

  it('tells each delivery and what became of it, with its trace, and nothing of its body', async () => {
    await sandbox();
    const handler = await handlerFor();
    let isRefusing = true;
    handler.answers.status = () => (isRefusing ? 500 : 204);
    const to = handler.to.replace('http://', 'http://me:planted-password@');
    const { program, ready } = await listen(
      ...APART,
      ...LOG,
      '--reveal',
      '--admin',
      ':0',
      '--forward-to',
      `${to}?key=planted-key`,
    );
    const url = `${ready.url}/`;
    const by = credentialsIn(home.dir);
    const sent = await fetch(url, {
      method: 'POST',
      body: personal('object-1'),
      headers: {
        ...headersFor(url, personal('object-1'), { nonce: 'planted-nonce-1', by }),
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      },
    });
    expect(sent.status).toBe(200);
    await program.line(is('event', 'object-1'));
    isRefusing = false;
    await program.line(is('settled', 'object-1'));
    await deliverTo(url, personal('object-1'), { url, nonce: 'planted-nonce-1', by });
    await deliverTo(url, personal('object-2'), {
      url,
      nonce: 'planted-nonce-2',
      by: { ...by, secret: 'planted-secret' },
    });
    await program.line((line) => line.includes('"invalid"'));
    await stop(program);
    const told = linesOfLog(program.stderr());
    expect(told.map(({ event }) => event)).toEqual([
      'figures',
      'ready',
      'delivery_verified',
      'delivery_failed',
      'delivery_forwarded',
      'delivery_duplicate',
      'delivery_invalid',
      'draining',
      'listened',
      'stopped',
    ]);
    const [, begun, verified, failed, forwarded, duplicate, invalid] = told;
    expect(begun).toMatchObject({ of: 'listener', profile: 'local', url: ready.url });
    for (const one of [verified, failed, forwarded])
      expect(one).toMatchObject({ object_id: 'object-1', transaction_id: 't-1', trace_id: TRACE });
    expect([failed?.status, failed?.attempt, forwarded?.status, forwarded?.attempt]).toEqual([
      500, 1, 204, 2,
    ]);
    expect(new Set([verified, failed, forwarded, duplicate].map((one) => one?.delivery)).size).toBe(1);
    expect(invalid).not.toHaveProperty('object_id');
    expect(told.at(-1)).toMatchObject({ exit_code: 0 });
    expect(told.at(-2)).toMatchObject({ received: 1, duplicates: 1, invalid: 1, handed_on: 1 });
    for (const hidden of ['Adaobi', '0123456789', '2348012345678', 'planted', by.secret, by.key])
      expect(program.stderr()).not.toContain(hidden);
  });

  it('leaves stdout as it is', async () => {
    await sandbox();
    const kinds = async (...more: string[]) => {
      const { program, ready } = await listen(
        ...APART,
        ...more,
        '--store',
        join(home.dir, `${more.length}.db`),
      );
      await deliverTo(ready.url as string, bodyOf('a'), {
        url: `${ready.url}/`,
        by: credentialsIn(home.dir),
      });
      await program.line(is('event', '"a"'));
      await stop(program);
      return lines(program).map(({ kind, data }) => [kind, Object.keys(data)]);
    };
    expect(await kinds(...LOG)).toEqual(await kinds());
  });

  it('tells what a program printed as a number, and a gap, and requests without their nonce', async () => {
    await sandbox();
    const first = await listen();
    await sender('customer-1');
    await first.program.line(is('event', 'sender.approved'));
    first.program.signal('SIGKILL');
    await first.program.ended;
    await sender('customer-2');
    await remit('sandbox', 'clock', 'advance', '8h');
    const program = join(home.dir, 'print.js');
    writeFileSync(
      program,
      "process.stdout.write('Adaobi 0123456789'); process.stderr.write('no line end');\n",
    );
    const second = await listen(
      ...['--port', new URL(first.ready.url as string).port],
      ...[...LOG, '--debug', '--exec', `${process.execPath} ${program}`],
    );
    await second.program.line(is('event', 'sender'));
    await stop(second.program);
    const told = linesOfLog(second.program.stderr());
    expect(ofEvent(told, 'gap_recovered')).toMatchObject([{ missed: 2, recovered: 2 }]);
    expect(ofEvent(told, 'program_output').length).toBeGreaterThan(0);
    expect(ofEvent(told, 'request')[0]).toEqual({
      ...{ v: 1, time: expect.any(String), level: 'debug', event: 'request' },
      ...{
        operation: expect.any(String),
        method: expect.any(String),
        status: 200,
        ms: expect.any(Number),
        error: null,
      },
    });
    for (const hidden of ['Adaobi', '0123456789', 'nonce'])
      expect(second.program.stderr()).not.toContain(hidden);
  });

  it('a public URL that does not lead here, an error in a flag, and a start that fails are lines too', async () => {
    await sandbox();
    const { program } = await listen(...APART, ...LOG, '--public-url', 'http://127.0.0.1:1/hooks');
    await program.says('url_lost');
    await stop(program);
    expect(ofEvent(linesOfLog(program.stderr()), 'url_lost')).toHaveLength(1);
    const wrong = await home.remit('webhooks', 'listen', ...LOG, '--ports', '1');
    const invalid = await home.remit('webhooks', 'listen', ...LOG, '--max-body', '-1', '--debug');
    mkdirSync(join(home.dir, 'folder'));
    const failed = await home.remit(
      'webhooks',
      'listen',
      ...APART,
      ...LOG,
      '--store',
      join(home.dir, 'folder'),
    );
    for (const { code, stderr } of [wrong, invalid, failed]) {
      const told = linesOfLog(stderr);
      expect(told.map(({ event }) => event).slice(-2)).toEqual(['failed', 'stopped']);
      expect(told.at(-1)).toMatchObject({ exit_code: code });
    }
  });

  it('what Node would print by itself is a line too: a warning, and a defect that nobody caught', async () => {
    const planted = join(home.dir, 'planted.cjs');
    writeFileSync(
      planted,
      `process.on('SIGUSR2', () => {
        process.emitWarning('account 0123456789 is planted');
        setImmediate(() => { throw new Error('planted defect'); });
      });`,
    );
    const { program } = await run(['sandbox', 'start', '--port', '0', ...LOG], {
      NODE_OPTIONS: `--require=${planted}`,
    });
    program.signal('SIGUSR2');
    expect((await program.ended).code).toBe(1);
    const [, warned, crashed, ...more] = linesOfLog(program.stderr());
    expect([warned?.event, warned?.level, warned?.message]).toEqual([
      'said',
      'warn',
      'Warning: account ••••6789 is planted',
    ]);
    expect(crashed).toMatchObject({
      ...{ event: 'crashed', message: 'planted defect' },
      stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
    });
    expect(more).toEqual([]);
  });

  it('a sandbox and a console say where they are, and no key and no code', async () => {
    const { program, ready } = await run(['sandbox', 'start', '--port', '0', ...LOG]);
    const page = await run(['console', '--no-browser', ...LOG]);
    const { secret } = credentialsIn(home.dir);
    await stop(page.program);
    await stop(program);
    for (const one of [program, page.program]) {
      const told = linesOfLog(one.stderr());
      expect(told.map(({ event }) => event)).toEqual(['ready', 'draining', 'stopped']);
      for (const hidden of [secret, ready.key ?? '-', '#/start']) expect(one.stderr()).not.toContain(hidden);
    }
    expect(page.ready.url).toContain('#/start/');
  });
});

describe('a worker', () => {
  const stage = useKillStage();

  it('tells rows, runs, and a store that goes away', async () => {
    const server: PostgresServer = await startPostgres();
    const env = { ...stage.env(stage.port), REMIT_STORE: server.url };
    await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
    const plan = async (name: string, from: number): Promise<string> => {
      const path = join(stage.dir, `${name}.csv`);
      writeFileSync(path, fileOfRows(2, { from }));
      const made = await runRemit(
        ['batch', 'plan', path, '--name', name, '--max-input', 'EUR=1000', '-o', 'json'],
        env,
      );
      return JSON.parse(made.stdout).data.digest;
    };
    await runRemit(['batch', 'approve', 'wages', '--digest', await plan('wages', 1)], env);
    const worker: Program = stage.start(['batch', 'work', ...LOG, '-o', 'ndjson'], env);
    await stage.until(() => stage.count() === 2 || hasEnded(worker));
    await worker.says('run_ended');
    await server.halt();
    await worker.says('store_lost');
    await server.start();
    await worker.says('store_back');
    worker.signal('SIGINT');
    expect((await worker.ended).code, worker.stderr()).toBe(0);
    await server.stop();
    const told = linesOfLog(worker.stderr());
    expect(told[0]).toMatchObject({ event: 'ready', of: 'worker', url: null });
    const created = ofEvent(told, 'row_changed').filter(({ state }) => state === 'created');
    expect(created.map(({ run, row }) => [run, row]).sort()).toEqual([
      ['wages', 1],
      ['wages', 2],
    ]);
    expect(ofEvent(told, 'run_ended')).toMatchObject([{ run: 'wages', rows: 2 }]);
    expect(told.filter(({ event }) => event.startsWith('store')).map(({ event }) => event)).toEqual([
      'store_lost',
      'store_back',
    ]);
    expect(told.slice(-2).map(({ event }) => event)).toEqual(['draining', 'stopped']);
    const { REMIT_API_SECRET: secret = '-', REMIT_API_KEY: key = '-' } = stage.env(stage.port);
    for (const hidden of [secret, key, server.password, 'Ada', '0000000100'])
      expect(worker.stderr()).not.toContain(hidden);
  });
});
