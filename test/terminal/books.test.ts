/** The books in a real pseudo-terminal: what is copied, compared and found, and going on from what was found. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import {
  type Bench,
  controlToken,
  createBench,
  paymentFlags,
  paymentJson,
  senderFlags,
  words,
} from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { brokenLines, screenOf } from '../support/screen.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

const WIDTHS = [80, 120];
const sizeOf = (cols: number) => ({ cols, rows: 50 });

let bench: Bench;
let listening: Listening;
let env: Record<string, string>;
let reached: string[];

beforeEach(async () => {
  bench = await createBench();
  reached = [];
  const { sandbox } = bench;
  const handle: typeof sandbox.handle = async (request) => {
    reached.push(request.url);
    return sandbox.handle(request);
  };
  listening = await listen({ ...sandbox, handle }, { port: 0 });
  keepControlToken({ REMIT_CONFIG_DIR: bench.dir }, listening.url, controlToken);
  env = { ...variablesFor(listening, bench.dir), TZ: 'UTC' };
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
  await pay('INV-2044', 'Zoë', '0123456719');
  await pay('INV-2045', 'Bola', '0123456700');
  const synced = await shown(100, 'books', 'sync');
  expect(synced.code, synced.terminal.screen()).toBe(0);
  reached = [];
});
afterEach(async () => {
  await listening.close();
  await bench.close();
});

async function pay(id: string, first: string, account: string): Promise<void> {
  const flags = paymentFlags('customer-1', account).map((one) => one.replace('=Ada', `=${first}`));
  const made = await bench.run([
    'tx',
    'create',
    ...flags,
    '--external-id',
    id,
    '--fund',
    '--max-input',
    '20',
  ]);
  expect(made.code, made.stderr).toBe(0);
}

const open = (cols: number, ...argv: string[]): Terminal => openTerminal(argv, env, sizeOf(cols));

async function shown(cols: number, ...argv: string[]): Promise<{ terminal: Terminal; code: number }> {
  const terminal = open(cols, ...argv);
  return { terminal, code: await terminal.exit };
}

/** What differs from run to run: the folder, times of this machine, how long it took, the size of a file. */
const plain = (text: string): string =>
  text
    .replaceAll(bench.dir, '/folder')
    .replace(/-books-[0-9a-f]+\.db/g, '-books-0a0a0a0a.db')
    .replace(/\b[0-9a-f]{64}\b/g, '0a'.repeat(32))
    .replace(/(manifest )[0-9a-f]{12}\b/g, `$1${'0a'.repeat(6)}`)
    .replace(/\b[0-9a-f]{8}\b/g, '0a0a0a0a')
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, '2026-01-05 09:00')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-01-05T09:00:00Z')
    // The day on which the tests run.
    .replace(/\bon 20\d\d-\d\d-\d\d,/g, 'on 2026-11-26,')
    .replace(/in \d+\.\d s/g, 'in 0.1 s')
    .replace(/(size +)\d+ kB/g, '$141 kB');

async function keep(terminal: Terminal, name: string, cols: number): Promise<void> {
  const raw = terminal.raw();
  expect(await brokenLines(raw, sizeOf(cols)), `${name} at ${cols} columns`).toEqual([]);
  await expect(plain(await screenOf(raw, sizeOf(cols)))).toMatchFileSnapshot(
    `screens/books/${name}-${cols}.txt`,
  );
}

const state = async (id: string): Promise<string> =>
  (await bench.run(['recipient', 'show', id, '-o', 'json'])).data<{ state: string }>().state;

describe.each(some(WIDTHS, 1))('at %i columns', (cols) => {
  it.runIf(isLong)('what is copied, how old it is, and what differs', async () => {
    const status = await shown(cols, 'books', 'status');
    expect(status.code).toBe(0);
    await keep(status.terminal, 'status', cols);
    const same = await shown(cols, 'books', 'sync', '--check');
    expect(same.code).toBe(0);
    await keep(same.terminal, 'check-same', cols);
    await pay('INV-2046', 'Chidi', '0123456700');
    await bench.run(['recipient', 'cancel', 'INV-2044', '--yes', '--wait']);
    const differs = await shown(cols, 'books', 'sync', '--check');
    expect(differs.code).toBe(10);
    await keep(differs.terminal, 'check-differs', cols);
    const sync = await shown(cols, 'books', 'sync');
    expect(sync.code).toBe(0);
    await keep(sync.terminal, 'sync', cols);
  });

  it('what is found stands in a table, and one of it is looked at as it is now', async () => {
    const terminal = open(cols, 'search', 'obi', 'EUR');
    await terminal.sees('Which one?');
    await terminal.sees('⏎ select');
    await keep(terminal, 'search', cols);
    expect(reached).toEqual([]);
    terminal.types(`2044${keys.enter}`);
    await terminal.sees('What now?');
    expect(reached.length).toBeGreaterThan(0);
    await terminal.sees('⏎ select');
    await keep(terminal, 'search-chosen', cols);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it.runIf(isLong)(
    'a month that has open differences, that is closed with them, and its papers',
    async () => {
      await bench.run('sandbox clock set 2026-02-02T08:00:00Z');
      await shown(cols, 'books', 'sync');
      writeFileSync(
        join(bench.dir, 'ledger.csv'),
        'reference,date,amount,currency\nINV-2044,2026-01-05,14.99,EUR\nINV-2050,2026-01-20,99.50,EUR\n',
      );
      const closed = join(bench.dir, 'closed');
      const ledger = join(bench.dir, 'ledger.csv');
      const close = ['books', 'close', '2026-01', '--ledger', ledger, '--folder', closed];
      for (const [name, code, argv] of [
        ['close-open', 10, close],
        ['close', 0, [...close, '--with-open']],
        ['verify', 0, ['books', 'verify', closed]],
        ['closed-status', 0, ['books', 'status']],
      ] as const) {
        const screen = await shown(cols, ...argv);
        expect(screen.code, screen.terminal.screen()).toBe(code);
        await keep(screen.terminal, name, cols);
      }
    },
  );

  it.runIf(isLong)('what payments came to stands in columns, with bars where there is room', async () => {
    for (const by of ['corridor', 'state']) {
      const summary = await shown(cols, 'summary', '--by', by);
      expect(summary.code).toBe(0);
      await keep(summary.terminal, `summary-${by}`, cols);
    }
  });

  it('nothing found asks nothing', async () => {
    const { terminal, code } = await shown(cols, 'search', 'nobody');
    expect([code, reached]).toEqual([0, []]);
    expect(terminal.screen()).not.toContain('Which one');
    await keep(terminal, 'search-nothing', cols);
  });
});

it.runIf(isLong)(
  'a payout is cancelled from what was found, and the list shows it as it is then',
  async () => {
    const terminal = open(120, 'search', 'zoe');
    await terminal.sees('Which one?');
    // The books have it in error, and the service too.
    terminal.types(keys.down + keys.enter);
    await terminal.sees('What now?');
    await terminal.sees('⏎ select');
    terminal.types(keys.down + keys.enter);
    await terminal.answers(/Cancel 25,000 NGN to Zoë Obi, on the\s+sandbox\?/, 'y');
    await terminal.sees(/\$ remit recipient cancel \S+ --wait/);
    await terminal.sees('What now?');
    await terminal.sees('⏎ select');
    terminal.types(keys.up + keys.up + keys.enter);
    await terminal.sees('Which one?');
    await terminal.sees(/INV-2044 {2}refunded/);
    terminal.types(keys.down + keys.enter);
    await terminal.sees('RECIPIENT');
    expect(await terminal.exit).toBe(0);
    expect(await state('INV-2044')).toBe('refunded');
  },
);

it.runIf(isLong)('the books are old: what is offered is what the service has now', async () => {
  await bench.run(['recipient', 'cancel', 'INV-2044', '--yes', '--wait']);
  const terminal = open(120, 'search', 'zoe');
  await terminal.sees(/failing/);
  await terminal.sees('Which one?');
  terminal.types(keys.down + keys.enter);
  await terminal.sees('What now?');
  await terminal.sees('Show the history');
  expect(terminal.screen()).not.toContain('Cancel the payout');
  terminal.types(keys.ctrlC);
  expect(await terminal.exit).toBe(130);
});

it.runIf(isLong)('what the service refuses is told, and the list stays', async () => {
  env = { ...env, REMIT_API_SECRET: 'another-secret' };
  const terminal = open(120, 'search', 'zoe');
  await terminal.sees('Which one?');
  terminal.types(keys.down + keys.enter);
  await terminal.sees('remit: ');
  await terminal.sees('Which one?');
  await terminal.sees('⏎ select');
  terminal.types(keys.down + keys.enter);
  expect(await terminal.exit).toBe(4);
});

it.runIf(isLong)(
  'what came from outside moves no cursor and breaks no line in the list of choices',
  async () => {
    await pay(`eve\u202e\u001b[31m${'x'.repeat(60)}`, 'Eve\u001b[2J', '0123456700');
    await shown(100, 'books', 'sync');
    const terminal = open(80, 'search', 'eve');
    await terminal.sees('Which one?');
    await terminal.sees('⏎ select');
    expect(await brokenLines(terminal.raw(), sizeOf(80))).toEqual([]);
    expect(terminal.raw()).not.toMatch(/\u202e|\u001b\[31mx|\u001b\[2J/);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  },
);

it.runIf(isLong)(
  'each recipient of a payment to several has a row of its own, and is chosen by it',
  async () => {
    writeFileSync(join(bench.dir, 'two.json'), JSON.stringify(paymentJson('0123456700', '0123456719')));
    await bench.run(words('tx create --file two.json --external-id two --fund --max-input 40'));
    await shown(100, 'books', 'sync');
    const terminal = open(120, 'search', 'ada');
    await terminal.sees(/paid +25000 NGN {2}••••6700 {2}Ada Obi/);
    await terminal.sees('⏎ select');
    terminal.types(`failing${keys.enter}`);
    await terminal.sees('Correct the recipient');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  },
);

it.each([['--no-input'], ['-o', 'table'], ['--fields', 'id,state']])('%s asks nothing', async (...flags) => {
  const { terminal, code } = await shown(120, 'search', 'zoe', ...flags);
  expect([code, reached]).toEqual([0, []]);
  expect(terminal.screen()).not.toContain('Which one');
});
