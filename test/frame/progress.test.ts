import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { thousands } from '../../src/core/amount-words.ts';
import { createProgress, progressLine, withProgress } from '../../src/frame/terminal/progress.ts';
import type { Ticker } from '../../src/frame/terminal/sticky-line.ts';
import { buildStreams } from '../../src/frame/terminal/streams.ts';
import type { Context } from '../../src/payments/cli/context.ts';

interface Stage {
  context: Context;
  err(): string;
  ticker: Ticker;
  /** Time goes on, and the timer fires. */
  pass(ms: number): void;
  ticking(): boolean;
}

function stage(over: { terminal?: boolean; quiet?: boolean; term?: string } = {}): Stage {
  const stderr = new PassThrough();
  const stdout = new PassThrough();
  const terminal = over.terminal ?? true;
  let now = 1_000;
  let tick: (() => void) | undefined;
  let text = '';
  stderr.on('data', (chunk) => {
    text += chunk;
  });
  stdout.on('data', (chunk) => {
    text += chunk;
  });
  const streams = buildStreams({
    stdin: Readable.from([]),
    stdout,
    stderr,
    stdinIsTerminal: terminal,
    stdoutIsTerminal: terminal,
    stderrIsTerminal: terminal,
    columns: 100,
    env: {},
  });
  const context = {
    streams,
    process: { clock: { now: () => now }, env: { TERM: over.term ?? 'xterm' } },
    globals: { quiet: over.quiet ?? false },
  } as unknown as Context;
  return {
    context,
    err: () => text,
    ticker: (given) => {
      tick = given;
      return () => {
        tick = undefined;
      };
    },
    pass(ms) {
      now += ms;
      tick?.();
    },
    ticking: () => tick !== undefined,
  };
}

/** What is left in the last line when the terminal has drawn it all. */
const lastLine = (text: string): string =>
  text.split('\n').at(-1)?.split('\r').at(-1)?.replace('\u001b[K', '') ?? '';

describe('a progress line', () => {
  it('comes after a second and is gone at the end, its timer too', () => {
    const { context, err, ticker, pass, ticking } = stage();
    const progress = createProgress(context, 'reading things', ticker);
    progress.tell(50, 200);
    pass(900);
    expect(err()).toBe('');
    pass(200);
    expect(lastLine(err())).toMatch(
      /^⠙ reading things {2}█{5}░{15} 25 % {2}50 of 200, 45 a second, 4 s left$/,
    );
    progress.stop();
    progress.stop();
    expect(lastLine(err())).toBe('');
    expect(ticking()).toBe(false);
  });

  it('makes way for whatever else is written, and comes back below it', () => {
    const { context, err, ticker, pass } = stage();
    const { out, err: write } = context.streams;
    const progress = createProgress(context, 'reading', ticker);
    pass(2_000);
    context.streams.err('a note\n');
    expect(err().endsWith('\r\u001b[Ka note\n')).toBe(true);
    pass(200);
    expect(lastLine(err())).toMatch(/reading {2}3 s$/);
    context.streams.out('a row\n');
    expect(err().endsWith('\r\u001b[Ka row\n')).toBe(true);
    progress.stop();
    expect([context.streams.out, context.streams.err]).toEqual([out, write]);
  });

  it.each([
    ['without a terminal', { terminal: false }],
    ['with --quiet', { quiet: true }],
    ['on a terminal that cannot move its cursor', { term: 'dumb' }],
  ])('is not there %s', (_, over) => {
    const { context, err, ticker, pass, ticking } = stage(over);
    const progress = createProgress(context, 'reading', ticker);
    pass(5_000);
    expect([err(), ticking()]).toEqual(['', false]);
    progress.stop();
  });

  it('goes away when the work fails', async () => {
    const { context } = stage();
    const { err } = context.streams;
    await expect(withProgress(context, 'reading', () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(context.streams.err).toBe(err);
  });
});

describe('its words', () => {
  const shown = { words: 'reading transactions', done: 72_000, total: 200_000, ms: 8_000, frame: 0 };
  it('have a bar, the rate and the time left where the length is known', () => {
    expect(progressLine(shown, 100)).toBe(
      '⠋ reading transactions  ███████░░░░░░░░░░░░░ 36 %  72,000 of 200,000, 9,000 a second, 15 s left',
    );
  });
  it('have none where it is not', () => {
    expect(progressLine({ ...shown, total: undefined }, 100)).toBe(
      '⠋ reading transactions  72,000, 9,000 a second',
    );
    expect(progressLine({ ...shown, done: 0, total: undefined }, 100)).toBe('⠋ reading transactions  8 s');
  });
  it('fit a narrow terminal, a column free', () => {
    for (const columns of [10, 40, 60, 80]) expect(progressLine(shown, columns).length).toBeLessThan(columns);
    expect(progressLine(shown, 80)).toContain('72,000 of 200,000');
  });
  it('show what is hostile in a name, and long times in minutes and hours', () => {
    expect(progressLine({ ...shown, words: 'of \u001b[2J' }, 200)).toContain('\\x1b[2J');
    expect(progressLine({ ...shown, done: 1_000, ms: 10_000 }, 100)).toContain('34 min left');
    expect(progressLine({ ...shown, done: 80, ms: 10_000 }, 100)).toContain('7 h left');
  });
  it('have thousands apart', () => {
    expect([0, 999, 1_000, 1_234_567].map(thousands)).toEqual(['0', '999', '1,000', '1,234,567']);
  });
});
