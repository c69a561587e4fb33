/** The board in a real pseudo-terminal; its screens are kept as text in `screens/`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import {
  type Bench,
  controlToken,
  createBench,
  credentials,
  paymentFlags,
  senderFlags,
} from '../support/cli.ts';
import { sends } from '../support/review.ts';
import { screenOf } from '../support/screen.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

const WIDE = { cols: 120, rows: 40 };
const NARROW = { cols: 60, rows: 24 };

let bench: Bench;
let listening: Listening;
let env: Record<string, string>;
/** Holds every page but the first back until it is let go. */
let gate: Promise<void>;

beforeEach(async () => {
  gate = Promise.resolve();
  bench = await createBench();
  const { sandbox } = bench;
  const handle: typeof sandbox.handle = async (request) => {
    if (/\/recipients\?.*page=[2-9]/.test(request.url)) await gate;
    return sandbox.handle(request);
  };
  listening = await listen({ ...sandbox, handle }, { port: 0 });
  keepControlToken({ REMIT_CONFIG_DIR: bench.dir }, listening.url, controlToken);
  env = {
    REMIT_BASE_URL: listening.url,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: bench.dir,
  };
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
});
afterEach(async () => {
  await listening.close();
  await bench.close();
});

async function pay(ending: string, externalId = `pay-${ending}`): Promise<void> {
  const flags = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', externalId];
  expect((await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20'])).code).toBe(0);
}

const open = (size = WIDE, ...rest: string[]): Terminal =>
  openTerminal(['recipient', 'triage', ...rest], env, size);
const keep = async (terminal: Terminal, name: string, size = WIDE): Promise<void> =>
  expect(await screenOf(terminal.raw(), size)).toMatchFileSnapshot(`screens/triage-${name}.txt`);
const state = async (id: string): Promise<string> =>
  (await bench.run(['recipient', 'show', id, '-o', 'json'])).data<{ state: string }>().state;

describe('the board', () => {
  it('groups by who must act; one is corrected, and its command printed', async () => {
    for (const ending of ['19', '71', '01']) await pay(ending);
    await bench.run(['sandbox', 'clock', 'advance', '90m']);
    const terminal = open();
    await terminal.sees('3, all looked at');
    await terminal.sees('q end');
    await keep(terminal, 'board');
    terminal.types(keys.enter);
    await terminal.sees('What now?');
    await terminal.sees('⏎ select');
    await keep(terminal, 'recipient');
    terminal.types(keys.enter);
    await terminal.answers('Account number', '0123456700');
    await terminal.sees('❯ Access Bank (044)');
    await terminal.chooses('✔ Bank');
    for (const field of ['First name', 'Middle name', 'Last name', 'Account type', 'Street', 'Email'])
      await terminal.answers(field);
    await terminal.sees('the account is in the name of');
    await terminal.answers('Use this account all the same?', 'y');
    await sends(terminal);
    await terminal.sees(/\$ remit recipient edit \S+ --detail bank_account=0123456700/);
    await terminal.sees('was paid out.');
    await terminal.sees('⏎ select');
    terminal.types(keys.up + keys.up + keys.enter);
    await terminal.sees('CANCEL (1)');
    await terminal.sees('q end');
    terminal.types('q');
    await terminal.sees('RECIPIENT');
    await terminal.sees('changed');
    expect(await terminal.exit).toBe(0);
    expect(await state('pay-19')).toBe('success');
  });

  it('a cancel is asked about, and its ending is told; the row goes', async () => {
    await pay('19');
    await pay('71');
    const terminal = open();
    await terminal.answers('2, all looked at');
    await terminal.sees('What now?');
    terminal.types(keys.down + keys.enter);
    await terminal.answers('Cancel 25,000 NGN to Ada Obi, on the sandbox?');
    await terminal.sees('nothing was changed; nothing was sent');
    await terminal.sees('What now?');
    expect(await state('pay-19')).toBe('error');
    terminal.types(keys.down + keys.enter);
    await terminal.answers('Cancel 25,000 NGN to Ada Obi, on the sandbox?', 'y');
    await terminal.sees('refunded');
    await terminal.sees(/\$ remit recipient cancel \S+ --wait/);
    await terminal.sees('What now?');
    terminal.types(keys.up + keys.up + keys.enter);
    await terminal.sees('CANCEL (1)');
    await terminal.sees('q end');
    await keep(terminal, 'after-cancel');
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
    expect(await state('pay-19')).toBe('refunded');
    expect(await state('pay-71')).toBe('error');
  });

  it('Ctrl-C after a cancel still tells what was done, and never that nothing was sent', async () => {
    await pay('19');
    const terminal = open();
    await terminal.answers('1, all looked at');
    await terminal.sees('What now?');
    terminal.types(keys.down + keys.enter);
    await terminal.answers('Cancel 25,000 NGN to Ada Obi, on the sandbox?', 'y');
    await terminal.sees(/\$ remit recipient cancel \S+ --wait/);
    await terminal.sees('What now?');
    terminal.types(keys.ctrlC);
    await terminal.sees('remit: stopped; what was done before is below');
    await terminal.sees('RECIPIENT');
    await terminal.sees('refunded');
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen()).not.toContain('nothing was sent');
  });

  it('a cancel of what is with the bank is asked about as what it is', async () => {
    await pay('01');
    await bench.run(['sandbox', 'clock', 'advance', '90m']);
    const terminal = open();
    await terminal.answers('1, all looked at');
    await terminal.sees('Ask the provider to cancel');
    terminal.types(keys.down + keys.enter);
    await terminal.sees('it may still be paid');
    await terminal.sees('Ask the provider to cancel 25,000 NGN to Ada Obi, on the sandbox?');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it('shows the first page at once, fills in, and keeps what is chosen', async () => {
    for (let i = 0; i < 101; i++) await pay(i < 100 ? '19' : '71', `many-${i}`);
    let letGo = (): void => {};
    gate = new Promise((resolve) => {
      letGo = resolve;
    });
    const terminal = open();
    await terminal.sees(/100 so far, 100 of 101 looked at/);
    terminal.types(keys.down);
    letGo();
    await terminal.sees('101, all looked at');
    await terminal.sees('q end');
    const screen = await screenOf(terminal.raw(), WIDE);
    expect(screen).toContain('EDIT THE RECIPIENT (100)');
    expect(screen.split('\n').filter((line) => line.startsWith('❯'))).toHaveLength(1);
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
  });

  it('fits a narrow terminal, no id in two', async () => {
    await pay('19');
    await pay('71');
    const terminal = open(NARROW);
    await terminal.sees('2, all looked at');
    await terminal.sees('q end');
    await keep(terminal, 'narrow', NARROW);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it('what is typed filters, / lets any letter begin it, and escape shows all again', async () => {
    await pay('19', 'rent-1');
    await pay('71', 'queue-2');
    const terminal = open();
    await terminal.sees('1 of 2 · ');
    terminal.types('rent');
    // r is a key of its own here.
    await terminal.sees('filter: ent');
    await terminal.sees('1 of 1 (2 in all)');
    terminal.types(keys.escape);
    await terminal.sees('1 of 2 · ');
    terminal.types('/QUE');
    await terminal.sees('filter: QUE');
    await terminal.sees('esc clear the filter');
    await keep(terminal, 'filtered');
    terminal.types('x');
    await terminal.sees('no match among the 2 listed');
    terminal.types(keys.backspace + keys.enter);
    await terminal.sees('queue-2');
    await terminal.sees('What now?');
    await terminal.sees('⏎ select');
    terminal.types(keys.up + keys.up + keys.enter);
    await terminal.sees('filter: QUE');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it('r reads the list again', async () => {
    await pay('19');
    const terminal = open();
    await terminal.sees('1 of 1 · ');
    await pay('71');
    terminal.types('r');
    await terminal.sees('refreshing…');
    await terminal.sees('2, all looked at');
    await terminal.sees('1 of 2 · ');
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
  });

  it('the nearest deadline stands first in its group', async () => {
    await pay('19', 'later');
    await bench.run(['sandbox', 'clock', 'advance', '2h']);
    await pay('19', 'now');
    const terminal = open();
    await terminal.sees('2, all looked at');
    await terminal.sees('q end');
    const screen = await screenOf(terminal.raw(), WIDE);
    const [first, second] = screen.split('\n').filter((line) => line.includes('error'));
    expect(first).toContain('22h');
    expect(second).toContain('1d');
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
  });

  it('is laid out again when the terminal changes its size', async () => {
    await pay('19');
    await pay('71');
    const terminal = open();
    await terminal.sees('2, all looked at');
    await terminal.sees('q end');
    const before = terminal.raw().length;
    terminal.resizes(NARROW);
    await terminal.sees('q end');
    await screenOf(terminal.raw().slice(before), NARROW).then((screen) => {
      expect(screen).not.toContain('REASON');
      for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(NARROW.cols);
    });
    terminal.resizes(WIDE);
    await terminal.sees('REASON');
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
  });

  it('the menu is whole at 40 columns, and no word of its commands is broken', async () => {
    await pay('01');
    await bench.run(['sandbox', 'clock', 'advance', '90m']);
    const size = { cols: 40, rows: 60 };
    const terminal = open(size);
    await terminal.answers('1, all looked at');
    await terminal.sees('What now?');
    await terminal.sees('⏎ select');
    terminal.types(keys.down);
    await terminal.sees('--request');
    await keep(terminal, 'menu-40', size);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it('says that nobody is needed', async () => {
    const terminal = open();
    await terminal.sees('no recipient needs anyone');
    await terminal.sees('r refresh · enter or q end');
    expect(terminal.screen()).not.toContain('look at one');
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
  });

  it('a page that fails is told on the board and by the exit code, what was read stays', async () => {
    for (let i = 0; i < 101; i++) await pay('19', `many-${i}`);
    gate = Promise.reject(new Error('the line broke'));
    gate.catch(() => {});
    const terminal = open();
    await terminal.sees('reading stopped after 100');
    terminal.types('q');
    expect(await terminal.exit).not.toBe(0);
  });
});

it.each([
  ['--no-input', ['--no-input']],
  ['-o json', ['-o', 'json']],
])('%s asks nothing on a terminal either', async (_, flags) => {
  await pay('19');
  const terminal = open(WIDE, ...flags);
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toMatch(/error/);
  expect(terminal.screen()).not.toContain('q end');
});
