/** `--on EVENT=FILE`: real programs, each told by one line of JSON, and whatever becomes of them changes nothing of the command. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../src/frame/run-to-end.ts';
import { happenedShape } from '../../src/payments/shapes/machine.ts';
import { lost, only, paymentFlags, useBench, words } from '../support/cli.ts';
import { useListening } from '../support/listen-runs.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');

/** A program that does this, in the shell's words; `$0.told` is the file beside it. */
function program(name: string, does = 'cat >> "$0.told"', dir = bench.dir): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${does}\n`);
  chmodSync(path, 0o700);
  return path;
}
const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** The lines that a program was told, each a whole record. */
function toldTo(path: string) {
  const lines = textOf(`${path}.told`).split('\n').slice(0, -1);
  return lines.map((line) => {
    const { version, kind, data } = JSON.parse(line);
    expect([version, kind]).toEqual([1, 'happened']);
    return happenedShape.schema.parse(data);
  });
}
const plan = async (rows = 3): Promise<void> => {
  writeFileSync(join(bench.dir, 'wages.csv'), fileOfRows(rows));
  const planned = await bench.run('batch plan wages.csv --name wages --max-input EUR=1000');
  expect(planned.code, planned.stderr).toBe(0);
};
const run = (...argv: string[]) => bench.run(['batch', 'run', 'wages', ...argv]);

describe('a pay run', () => {
  it('that is through has ended: each program is told its own event, once, with ids and no names', async () => {
    await plan();
    const [ended, paused] = [program('ended'), program('paused')];
    const { code, stderr } = await run('--on', `ended=${ended}`, '--on', `paused=${paused}`);
    expect(code, stderr).toBe(0);
    const [about, ...more] = toldTo(ended);
    expect(about).toEqual({
      event: 'ended',
      at: expect.any(String),
      command: 'batch run',
      environment: 'sandbox',
      profile: expect.any(String),
      of: 'run',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'wages',
      ending: 'done',
      ...{ transaction_id: null, why: null, count: null, amount: null, currency: null },
    });
    expect([more, toldTo(paused)]).toEqual([[], []]);
    // Nothing happens to a run that is over.
    await run('--on', `ended=${ended}`);
    expect(toldTo(ended)).toHaveLength(1);
  });

  it('that pauses is told as paused with the reason, and not as ended', async () => {
    await plan();
    await bench.run('sandbox fail corridor-inactive --corridor NGN::Bank --always');
    const all = program('all');
    const { code } = await run('--on', `paused=${all}`, '--on', `ended=${all}`);
    expect(code).toBe(8);
    expect(toldTo(all).map(({ event, of, name, why }) => [event, of, name, why])).toEqual([
      ['paused', 'run', 'wages', expect.stringContaining('payout type')],
    ]);
  });

  it('that pauses at its last row is told as paused alone', async () => {
    await plan(1);
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      const body = answer.body.replace(/"input_amount":"?0\.60?"?/g, '"input_amount":"0.70"');
      return isPayment(request) ? { ...answer, body } : answer;
    });
    const all = program('all');
    await run('--on', `paused=${all}`, '--on', `ended=${all}`);
    expect(toldTo(all).map(({ event, why }) => [event, why])).toEqual([
      ['paused', expect.stringContaining('0.60 EUR was planned')],
    ]);
  });

  it('that somebody stopped has not ended while rows are left', async () => {
    await plan(5);
    const interrupt = new AbortController();
    bench.intercept((request, next) => {
      if (isPayment(request)) interrupt.abort('SIGINT');
      return next(request);
    });
    const all = program('all');
    const argv = words(`batch run wages --in-flight 1 --on ended=${all} --on paused=${all}`);
    expect((await bench.run(argv, { interrupt: interrupt.signal })).code).toBe(8);
    expect(toldTo(all)).toEqual([]);
    bench.restore();
    await run('--on', `ended=${all}`);
    expect(toldTo(all)).toHaveLength(1);
  });

  it('with rows of unknown outcome says how many, and that it ended so', async () => {
    await plan(2);
    bench.intercept(only(isPayment, lost));
    const all = program('all');
    const { code } = await run('--on', `unknown_outcome=${all}`, '--on', `ended=${all}`);
    expect(code).toBe(9);
    expect(toldTo(all).map(({ event, count, ending }) => [event, count, ending])).toEqual([
      ['ended', null, 'unknown'],
      ['unknown_outcome', 2, null],
    ]);
  });

  it('whose external id another payment has needs somebody', async () => {
    await plan(1);
    const [row] = (await bench.run('batch rows wages -o json')).data<{ external_id: string }[]>();
    await bench.run([
      'tx',
      'create',
      ...paymentFlags('customer-1', '0123456700'),
      '--external-id',
      row?.external_id ?? '',
    ]);
    const needs = program('needs');
    await run('--on', `needs_you=${needs}`);
    expect(toldTo(needs).map(({ event, of, count }) => [event, of, count])).toEqual([
      ['needs_you', 'run', 1],
    ]);
  });
});

describe('the books', () => {
  it('say once what no payment explains, and that they ended', async () => {
    const all = program('all');
    await bench.run('books sync');
    await bench.run('sandbox balance EUR +500');
    await bench.run('sandbox clock advance 2h');
    const sync = () => bench.run(['books', 'sync', '--on', `unexplained=${all}`, '--on', `ended=${all}`]);
    expect((await sync()).code).toBe(0);
    expect(
      toldTo(all).map(({ event, of, amount, currency, ending }) => [event, of, amount, currency, ending]),
    ).toEqual([
      ['unexplained', 'balance', '500', 'EUR', null],
      ['ended', 'books', null, null, 'done'],
    ]);
    await bench.run('sandbox clock advance 2h');
    await sync();
    expect(toldTo(all).map(({ event }) => event)).toEqual(['unexplained', 'ended', 'ended']);
  });
});

describe('what becomes of a program', () => {
  it.each([
    ['it is not there', 'could not be started', undefined],
    ['it fails', 'exit 3', 'cat > /dev/null; exit 3'],
    ['it takes no input and fails', 'exit 4', 'exec 0<&-; exit 4'],
    ['it is killed', 'ended by SIGTERM', 'kill -TERM $$'],
  ])('%s: said on stderr, and nothing else', async (_, said, does) => {
    await plan();
    const path = does === undefined ? join(bench.dir, 'nowhere') : program('told', does);
    const { code, stdout, stderr } = await run('--on', `ended=${path}`, '-o', 'json');
    expect([code, JSON.parse(stdout).data.ending]).toEqual([0, expect.any(String)]);
    expect(stderr).toMatch(new RegExp(`remit: ${path} was to be told of ended: .*${said}`));
  });

  it('it may not be run: that is said', async () => {
    await plan();
    const path = program('told');
    chmodSync(path, 0o600);
    const { code, stderr } = await run('--on', `ended=${path}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('it could not be started')]);
  });

  it('one that reads nothing and ends well has not failed', async () => {
    await plan();
    const { code, stderr } = await run('--on', `ended=${program('told', 'exec 0<&-; exit 0')}`);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('was to be told')]);
  });

  it('one that closes its input before all of it is written has not failed', async () => {
    const end = await runToEnd({
      ...{ command: ['/bin/true'], cwd: '/', env: {}, timeoutMs: 20_000, onOutput: () => {} },
      input: 'x'.repeat(10_000_000),
    });
    expect(end).toEqual({ ok: true, answer: 'exit 0' });
  });

  it('it prints: that goes to stderr, and stdout stays the result', async () => {
    await plan();
    const { stdout, stderr } = await run(
      '--on',
      `ended=${program('told', 'echo hello; cat > /dev/null')}`,
      '-o',
      'json',
    );
    expect([JSON.parse(stdout).kind, stderr]).toEqual([
      expect.any(String),
      expect.stringContaining('hello\n'),
    ]);
  });

  it('it hangs: after its time it ends with all that it started, and the command has its result', async () => {
    await plan();
    const path = program('told', 'sleep 1000 & echo $! > "$0.pid"; echo $$ >> "$0.pid"; wait');
    const { code, stderr } = await run('--on', `ended=${path}`, '--on-timeout', '1');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('was to be told of ended: stopped after 1 s'),
    ]);
    const pids = textOf(`${path}.pid`).trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('it is waited for: what it does is done when the command ends', async () => {
    await plan();
    const path = program(
      'told',
      'cat > "$0.read"; mkfifo "$0.pipe"; (echo done > "$0.pipe") & cat < "$0.pipe" > "$0.told"',
    );
    await run('--on', `ended=${path}`);
    expect(textOf(`${path}.told`)).toBe('done\n');
  });

  it('those of one event run one after the other, and all of them do', async () => {
    await plan();
    const order = join(bench.dir, 'order');
    const names = ['a', 'b', 'c'];
    const paths = names.map((name) =>
      program(name, `echo begin ${name} >> ${order}; cat > /dev/null; echo end ${name} >> ${order}`),
    );
    await run(...paths.flatMap((path) => ['--on', `ended=${path}`]));
    expect(textOf(order).split('\n')).toEqual([
      ...names.flatMap((name) => [`begin ${name}`, `end ${name}`]),
      '',
    ]);
  });

  it('its environment has no secret, ours or of others', async () => {
    await plan();
    const path = program('told', 'env > "$0.env"; echo "$#" >> "$0.env"');
    const secret = 'made-up-and-secret';
    const env = {
      ...{ PATH: process.env.PATH, HOME: bench.dir, LC_ALL: 'C', TZ: 'UTC' },
      ...{
        PGPASSWORD: secret,
        AWS_SECRET_ACCESS_KEY: secret,
        remit_api_secret: secret,
        HTTPS_PROXY: `http://u:${secret}@127.0.0.1:9`,
      },
    };
    expect((await bench.run(['batch', 'run', 'wages', '--on', `ended=${path}`], { env })).code).toBe(0);
    const [count, ...variables] = textOf(`${path}.env`).trim().split('\n').reverse();
    expect(count).toBe('0');
    const names = variables
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name));
    expect(names.sort()).toEqual(['HOME', 'LC_ALL', 'PATH', 'TZ']);
    expect(textOf(`${path}.env`)).not.toContain(secret);
  });
});

describe('it is refused', () => {
  it.each([
    ['books sync', 'paused=/x', 'paused cannot happen here', 'here it is ended, unexplained'],
    [
      'batch run wages',
      'unexplained=/x',
      'unexplained cannot happen here',
      'paused, ended, needs_you, unknown_outcome',
    ],
    ['batch work', 'frob=/x', 'frob cannot happen here', 'paused, ended, needs_you, unknown_outcome'],
    ['webhooks listen', 'paused=/x', 'paused cannot happen here', 'needs_you, ended'],
    ['batch run wages', 'ended', 'names no program', '--on paused=/'],
    ['batch run wages', 'ended=tell.sh', 'no absolute path', '--on ended=/'],
    ['batch run wages', 'ended=', 'no absolute path', '--on ended=/'],
  ])('%s --on %s', async (line, on, said, next) => {
    const { code, stderr, requests } = await bench.run([...words(line), '--on', on]);
    expect([code, requests]).toEqual([2, []]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(said);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(next);
  });

  it.each(['0', '-1', 'x', '3601', '1.5'])('--on-timeout %s', async (seconds) => {
    expect((await run('--on-timeout', seconds)).code).toBe(2);
  });

  it('books sync --check changes nothing, and tells nobody', async () => {
    expect((await bench.run('books sync --check --on ended=/x')).stderr).toContain('leave --on out');
  });
});

describe('a listener', () => {
  const { home, remit, sandbox, listen, sender, stop } = useListening();

  it('tells of a payout that needs somebody, once, and that it ended', async () => {
    await sandbox();
    await sender('customer-1');
    const path = program('told', undefined, home.dir);
    const listening = await listen('--on', `needs_you=${path}`, '--on', `ended=${path}`);
    for (const account of ['0123456719', '0123456700'])
      await remit('tx', 'create', ...paymentFlags('customer-1', account), '--fund', '--max-input', '20');
    await remit('sandbox', 'clock', 'advance', '30m');
    await expect.poll(() => toldTo(path).length).toBe(1);
    await stop(listening.program);
    expect(
      toldTo(path).map(({ event, of, command, why, ending }) => [event, of, command, why, ending]),
    ).toEqual([
      ['needs_you', 'recipient', 'webhooks listen', expect.any(String), null],
      ['ended', 'listener', 'webhooks listen', null, 'interrupt'],
    ]);
    expect(toldTo(path)[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(textOf(`${path}.told`)).not.toMatch(/Obi|0123456719/);
  });
});

/** One that has ended may still have its number, until somebody asks how it ended. */
const isAlive = (pid: number): boolean =>
  /^\s*[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
