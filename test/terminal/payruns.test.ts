/**
 * Pay runs as people see them, on a real pseudo-terminal of two widths. Screens are kept in `screens/payruns`, to be read by eye.
 * Whether and when a payment is answered, the test says.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import {
  type Bench,
  baseUrl,
  controlToken,
  createBench,
  credentials,
  senderFlags,
  words,
} from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { brokenLines, screenOf } from '../support/screen.ts';
import { gate } from '../support/servers.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

const WIDTHS = [60, 100];
const ROWS = 50;
const sizeOf = (cols: number) => ({ cols, rows: ROWS });

let bench: Bench;
let listening: Listening;
let env: Record<string, string>;
let arrived: number;
/** Payments from this one on wait until `letGo`. */
let heldFrom: number;
let letGo: () => void;
/** Opens when the last payment that can be on its way has come. */
let isFull: ReturnType<typeof gate<void>>;
let fullAt: number;

beforeEach(async () => {
  bench = await createBench();
  const { sandbox } = bench;
  arrived = 0;
  heldFrom = Number.POSITIVE_INFINITY;
  [isFull, fullAt] = [gate<void>(), Number.POSITIVE_INFINITY];
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const handle: typeof sandbox.handle = async (request) => {
    if (request.url.endsWith('/create_and_fund')) {
      arrived += 1;
      if (arrived === fullAt) isFull.open();
      if (arrived >= heldFrom) await released;
    }
    return sandbox.handle(request);
  };
  listening = await listen({ ...sandbox, handle }, { port: 0 });
  keepControlToken({ REMIT_CONFIG_DIR: bench.dir }, listening.url, controlToken);
  // One name on every machine.
  env = { ...variablesFor(listening, bench.dir), USER: 'finance', TZ: 'UTC' };
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
});
afterEach(async () => {
  letGo();
  await listening.close();
  await bench.close();
});

const open = (cols: number, ...argv: string[]): Terminal =>
  openTerminal(['batch', ...argv], env, sizeOf(cols));

async function shown(cols: number, ...argv: string[]): Promise<{ terminal: Terminal; code: number }> {
  const terminal = open(cols, ...argv);
  return { terminal, code: await terminal.exit };
}

/** The run `wages`, planned from a file of so many rows. */
async function plan(rows: string): Promise<void> {
  const { code, terminal } = await shown(
    100,
    'plan',
    file(rows),
    '--name',
    'wages',
    '--max-input',
    'EUR=9000000',
  );
  expect(code, terminal.screen()).toBe(0);
}

function file(rows: string): string {
  const path = join(bench.dir, 'wages.csv');
  writeFileSync(path, rows);
  return path;
}

/** What differs from run to run. */
const plain = (text: string): string =>
  text
    .replaceAll(bench.dir, '/folder')
    .replace(/\b[0-9a-f]{12}\b/g, '0a0a0a0a0a0a')
    .replace(/\b[0-9a-f]{8}\b/g, '0a0a0a0a')
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, '2026-01-05 09:00');

async function keep(terminal: Terminal, name: string, cols: number): Promise<void> {
  const raw = terminal.raw();
  expect(await brokenLines(raw, sizeOf(cols)), `${name} at ${cols} columns`).toEqual([]);
  await expect(plain(await screenOf(raw, sizeOf(cols)))).toMatchFileSnapshot(
    `screens/payruns/${name}-${cols}.txt`,
  );
}

/** Three rows: one is paid, the bank refuses one, and the service refuses one. */
const mixed = (): string =>
  `${fileOfRows(2, { ending: (i) => (i === 1 ? '19' : '00') })}E-2,KES::Bank,25000,EUR,customer-1,Wanjiru,Kamau,10,0123456700\n`
    .split('\n')
    .map((line, row) =>
      line === '' ? '' : `${line},${row === 0 ? 'street' : row === 3 ? '1 Market Street' : ''}`,
    )
    .join('\n');

describe.each(some(WIDTHS, 1))('at %i columns', (cols) => {
  it.runIf(isLong)('batch plan asks for the limit, with what it should cost', async () => {
    const terminal = open(cols, 'plan', file(fileOfRows(3)), '--name', 'wages');
    await terminal.answers(/The most that the run may cost/, 'much');
    await terminal.sees('is not an amount');
    terminal.types(`${keys.backspace.repeat(4)}5${keys.enter}`);
    await terminal.sees('Planned; nothing was sent.');
    expect(await terminal.exit).toBe(0);
    expect(arrived).toBe(0);
    await keep(terminal, 'plan', cols);
  });

  it('batch plan asks for the number of changed payees: a y keeps nothing, the number keeps the run', async () => {
    await plan(fileOfRows(1));
    const paid = open(cols, 'run', 'wages');
    await paid.answers(/recipient\?/, 'y');
    expect(await paid.exit).toBe(0);
    const moved = file(fileOfRows(1, { ending: () => '29' }));
    const planned = () =>
      open(cols, 'plan', moved, '--name', 'next', '--max-input', 'EUR=9', '--repeat', 'wages');
    const no = planned();
    await no.answers(/type "1"/, 'y');
    expect(await no.exit).toBe(130);
    const yes = planned();
    await yes.answers(/type "1"/, '1');
    expect(await yes.exit).toBe(0);
    await keep(yes, 'plan-changed', cols);
  });

  it('batch run asks with the totals: Enter is No and sends nothing, y pays', async () => {
    await plan(fileOfRows(3));
    const no = open(cols, 'run', 'wages');
    await no.answers(/Pay 1\.80 EUR\s+from the sandbox balance,\s+to 3\s+recipients\?/);
    expect(await no.exit).toBe(130);
    expect(arrived).toBe(0);
    await keep(no, 'run-no', cols);
    const yes = open(cols, 'run', 'wages');
    await yes.answers(/recipients\?/, 'y');
    await yes.sees('All 3 rows are paid for.');
    expect(await yes.exit).toBe(0);
    expect(arrived).toBe(3);
    await keep(yes, 'run-yes', cols);
    const again = await shown(cols, 'run', 'wages');
    expect([again.code, arrived]).toEqual([0, 3]);
    expect(again.terminal.screen()).not.toContain('recipients?');
  });

  it.runIf(isLong)('one line says how far it is, and is gone at the end', async () => {
    await plan(fileOfRows(5));
    heldFrom = 3;
    const terminal = open(cols, 'run', 'wages', '--yes', '--in-flight', '1');
    await terminal.sees(/wages: 2 of 5 paid for · 1\.20 EUR/);
    expect(await terminalLines(terminal, cols)).toContainEqual(
      expect.stringMatching(/^wages: 2 of 5 paid for/),
    );
    letGo();
    expect(await terminal.exit).toBe(0);
    expect((await terminalLines(terminal, cols)).filter((line) => /^wages: /.test(line))).toEqual([]);
    await keep(terminal, 'run-progress', cols);
  });

  it.runIf(isLong)(
    'Ctrl-C while it pays: what is on its way gets its answer, and it says how to go on',
    async () => {
      // So many that two may be on their way: near the limit of a run its rows go one by one.
      await plan(fileOfRows(8));
      [heldFrom, fullAt] = [3, 4];
      const terminal = open(cols, 'run', 'wages', '--yes', '--in-flight', '2');
      await terminal.sees('2 of 8 paid for');
      await isFull.passed;
      terminal.types(keys.ctrlC);
      await terminal.sees(/Stopping/);
      letGo();
      expect(await terminal.exit).toBe(8);
      expect(terminal.screen()).toMatch(/Go on with\s+remit batch run wages/);
      expect(arrived).toBe(4);
      await keep(terminal, 'run-stopped', cols);
      const after = await shown(cols, 'run', 'wages', '--yes');
      expect([after.code, arrived]).toEqual([0, 8]);
    },
  );

  it.runIf(isLong)('too little balance pauses the run before anything is sent', async () => {
    await plan(fileOfRows(2).replaceAll(/,100(\d),/g, ',400000000$1,'));
    const { terminal, code } = await shown(cols, 'run', 'wages', '--yes');
    expect([code, arrived]).toEqual([8, 0]);
    await keep(terminal, 'run-paused', cols);
    await keep((await shown(cols, 'status', 'wages')).terminal, 'status-paused', cols);
    await keep((await shown(cols, 'list')).terminal, 'list-paused', cols);
  });

  it.runIf(isLong)(
    'while it is not known whether rows were paid, no screen says that nothing was',
    async () => {
      await plan(fileOfRows(3));
      [heldFrom, fullAt] = [2, 2];
      const terminal = open(cols, 'run', 'wages', '--yes', '--in-flight', '1');
      await terminal.sees('1 of 3 paid for');
      await isFull.passed;
      terminal.kills();
      await terminal.exit;
      const { terminal: status, code } = await shown(cols, 'status', 'wages');
      expect(code).toBe(9);
      await keep(status, 'status-unknown', cols);
      const row = await shown(cols, 'show', 'wages', 'E-1');
      expect(row.terminal.screen()).toMatch(/cost +not known/);
      await keep(row.terminal, 'show-unknown', cols);
    },
  );

  it.runIf(isLong)('what became of the rows: watch, status, rows, list, show', async () => {
    await plan(mixed());
    await shown(cols, 'run', 'wages', '--yes');
    for (const [name, code, ...argv] of [
      ['watch', 10, 'watch', 'wages'],
      ['status', 10, 'status', 'wages'],
      ['rows', 0, 'rows', 'wages'],
      ['rows-refused', 0, 'rows', 'wages', '--state', 'refused'],
      ['show', 0, 'show', 'wages', 'E-1'],
      ['list', 0, 'list'],
    ] as const) {
      const seen = await shown(cols, ...argv);
      expect([name, seen.code]).toEqual([name, code]);
      await keep(seen.terminal, name, cols);
    }
  });
});

/** Nothing that an approval needs is asked of the service: on a terminal it can be seen for production too. */
const LIVE = 'https://api.example.com/v1';
const BY_PROFILE = { REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined };

describe.each(some([80, 120], 1))('a second person approves, at %i columns', (cols) => {
  const as = (profile: string, user: string) => ({
    REMIT_PROFILE: profile,
    REMIT_CONFIG_DIR: bench.dir,
    USER: user,
    TZ: 'UTC',
  });
  const signIn = (profile: string, key: string, environment: string, url: string) =>
    bench.run(
      words(
        `login --profile ${profile} --key ${key} --environment ${environment} --base-url ${url} --secret-stdin --no-check`,
      ),
      { stdin: credentials.secret, env: BY_PROFILE },
    );
  const approving = (digest: string): Terminal =>
    openTerminal(['batch', 'approve', 'wages', '--digest', digest], as('checker', 'director'), sizeOf(cols));
  const run = (...argv: string[]) =>
    bench.run(['batch', ...argv], { env: { ...BY_PROFILE, ...as('maker', 'finance') } });

  /** Planned by one, in a month that looks like the last. */
  async function planned(environment: 'sandbox' | 'production'): Promise<string> {
    const url = environment === 'sandbox' ? baseUrl : LIVE;
    await signIn('maker', credentials.key, environment, url);
    await signIn('checker', 'key_test_9c9c', environment, url);
    for (const profile of ['maker', 'checker'])
      await bench.run(['profiles', 'set', profile, 'two_person=true'], { env: BY_PROFILE });
    const limit = ['--max-input', 'EUR=9'];
    await run('plan', file(fileOfRows(2)), '--name', 'last-month', ...limit);
    const { code, stderr, data } = await run(
      ...['plan', file(fileOfRows(3)), '--name', 'wages', '--repeat', 'last-month', ...limit, '-o', 'json'],
    );
    expect(code, stderr).toBe(0);
    return data<{ digest: string }>().digest;
  }

  it.each(some(['production', 'sandbox'] as const, 1))(
    '%s: Enter is No, a word approves, and nothing is sent',
    async (environment) => {
      const digest = await planned(environment);
      const question =
        environment === 'sandbox'
          ? /^\? Approve this run: about[^?]+sandbox\s+balance/m
          : /Approve this run: about[^?]+LIVE\s+balance/;
      const no = approving(digest);
      await no.answers(question);
      expect(await no.exit).toBe(130);
      await keep(no, `approve-no-${environment}`, cols);
      expect((await run('status', 'wages', '-o', 'json')).data()).toMatchObject({ approved_by: null });
      const yes = approving(digest);
      await yes.answers(question, environment === 'sandbox' ? 'y' : '1.80');
      expect(await yes.exit).toBe(0);
      await keep(yes, `approve-yes-${environment}`, cols);
      expect((await run('status', 'wages', '-o', 'json')).data()).toMatchObject({
        approved_by: 'director, checker, key …9c9c',
      });
      expect(arrived).toBe(0);
    },
  );
});

const terminalLines = async (terminal: Terminal, cols: number): Promise<string[]> =>
  (await screenOf(terminal.raw(), sizeOf(cols))).split('\n');
