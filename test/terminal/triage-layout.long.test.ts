/** The board: read again, in order, at other sizes, and where something fails. */
import { describe, expect, it } from 'vitest';
import { screenOf } from '../support/screen.ts';
import { keys } from '../support/terminal.ts';
import { NARROW, useBoard, WIDE } from '../support/triage-board.ts';

const board = useBoard();
const { pay, open, keep } = board;

describe('the board', () => {
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
    await board.bench.run(['sandbox', 'clock', 'advance', '2h']);
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
    await board.bench.run(['sandbox', 'clock', 'advance', '90m']);
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
    board.gate = Promise.reject(new Error('the line broke'));
    board.gate.catch(() => {});
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
