/** The board in a real pseudo-terminal; its screens are kept as text in `screens/`. */
import { describe, expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { sends } from '../support/review.ts';
import { screenOf } from '../support/screen.ts';
import { keys } from '../support/terminal.ts';
import { NARROW, useBoard, WIDE } from '../support/triage-board.ts';

/** A service that does not answer for ten seconds is told of. */
const SLOW_MS = 12_000;

const board = useBoard();
const { pay, open, keep, state } = board;

describe('the board', () => {
  it('the sender and the reference are found; a letter soon after Esc begins a new filter', async () => {
    await pay('19');
    await pay('71');
    const terminal = open();
    await terminal.sees('2, all looked at');
    terminal.types('/marques pay-71');
    await terminal.sees('1 of 1 (2 in all)');
    terminal.types('\u001bo');
    await terminal.sees('filter: o');
    await terminal.sees('1 of 2');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it('groups by who must act; one is corrected, and its command printed', async () => {
    for (const ending of ['19', '71', '01']) await pay(ending);
    await board.bench.run(['sandbox', 'clock', 'advance', '90m']);
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

  it.runIf(isLong)(
    'Ctrl-C after a cancel still tells what was done, and never that nothing was sent',
    async () => {
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
    },
  );

  it.runIf(isLong)('a cancel of what is with the bank is asked about as what it is', async () => {
    await pay('01');
    await board.bench.run(['sandbox', 'clock', 'advance', '90m']);
    const terminal = open();
    await terminal.answers('1, all looked at');
    await terminal.sees('Ask the provider to cancel');
    terminal.types(keys.down + keys.enter);
    await terminal.sees('it may still be paid');
    await terminal.sees('Ask the provider to cancel 25,000 NGN to Ada Obi, on the sandbox?');
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it.runIf(isLong)('shows the first page at once, fills in, and keeps what is chosen', async () => {
    for (let i = 0; i < 101; i++) await pay(i < 100 ? '19' : '71', `many-${i}`);
    let letGo = (): void => {};
    board.gate = new Promise((resolve) => {
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

  it('what else is written to stderr leaves the board whole, and comes when it is closed', async () => {
    await pay('19');
    let letGo = (): void => {};
    board.gate = new Promise((resolve) => {
      letGo = resolve;
    });
    const terminal = open(WIDE, '--all', '--debug');
    await terminal.sees('all looked at');
    terminal.types('r');
    await terminal.sees('refreshing…');
    letGo();
    await terminal.sees('1, all looked at');
    await terminal.sees('q end');
    const screen = await screenOf(terminal.raw(), WIDE);
    expect(screen.split('\n').filter((line) => line.startsWith('❯'))).toHaveLength(1);
    expect(screen).not.toContain('GET ');
    const drawn = terminal.raw().length;
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw().slice(drawn)).toContain('GET ');
  });

  it.runIf(isLong)('a service that is slow while the board is read leaves it whole', async () => {
    for (let i = 0; i < 101; i++) await pay('19', `many-${i}`);
    const asked = new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    board.gate = asked.then(() => undefined);
    const terminal = open();
    await terminal.sees(/100 so far, 100 of 101 looked at/);
    await asked;
    await terminal.sees('101, all looked at');
    await terminal.sees('q end');
    const screen = await screenOf(terminal.raw(), WIDE);
    expect(screen.split('\n').filter((line) => line.startsWith('❯'))).toHaveLength(1);
    terminal.types('q');
    expect(await terminal.exit).toBe(0);
  });

  it.runIf(isLong)('fits a narrow terminal, no id in two', async () => {
    await pay('19');
    await pay('71');
    const terminal = open(NARROW);
    await terminal.sees('2, all looked at');
    await terminal.sees('q end');
    await keep(terminal, 'narrow', NARROW);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
  });

  it.runIf(isLong)(
    'what is typed filters, / lets any letter begin it, and escape shows all again',
    async () => {
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
    },
  );
});
