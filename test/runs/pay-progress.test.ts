/** The line of a run that pays: what it counts, and what it does not. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { Context } from '../../src/payments/cli/context.ts';
import { followProgress, payProgress } from '../../src/runs/cli/batch/shared/progress.ts';
import { countPaid } from '../../src/runs/progress.ts';
import type { PayRow, PayRun, PayRuns } from '../../src/runs/store/port.ts';

it.each([
  ['where there is no terminal', { stderrIsTerminal: false }, {}],
  ['on a terminal that cannot go back', { stderrIsTerminal: true, columns: 80 }, { TERM: 'dumb' }],
])(
  'counts, in lines, what this run paid; what somebody else paid is none of the cost: %s',
  async (_, terminal, env) => {
    const printed: string[] = [];
    let tick = (): void => {};
    const context = {
      streams: { ...terminal, err: (text: string) => void printed.push(text) },
      globals: { output: 'text', quiet: false },
      process: { clock: { now: () => 0 }, env, interrupt: new AbortController().signal },
    } as unknown as Context;
    const payruns = { sums: async () => [{ state: 'planned', rows: 4 }] } as unknown as PayRuns;
    const never = () => () => {};
    const progress = await payProgress(
      context,
      await countPaid(
        payruns,
        { name: 'wages', rows: 4, plan: '{"version":1,"rates":{}}' } as PayRun,
        'none',
      ),
      {
        line: never,
        print: (draw) => {
          tick = draw;
          return () => {};
        },
      },
    );
    const row = { n: 1, inputCurrency: 'EUR' } as PayRow;
    progress.onRow(row, { state: 'created', cost: '5' });
    progress.onRow({ ...row, n: 2 }, { state: 'paid', cost: '7', found: 'before' });
    progress.onRow({ ...row, n: 3 }, { state: 'created', cost: '11', found: 'elsewhere' });
    tick();
    await progress.stop();
    expect(printed).toEqual(['wages: 3 of 4 paid for · 5.00 EUR\n']);
  },
);

/** A run that is watched; each turn is one draw of its line, or one that is printed. */
function watched(streams: object, globals = { quiet: false }) {
  const shown: string[] = [];
  const turns: (() => void)[] = [];
  const ticker = (draw: () => void) => {
    turns.push(draw);
    return () => {};
  };
  const context = {
    streams: { ...streams, err: (text: string) => void shown.push(text) },
    globals,
    process: { env: {} },
  } as unknown as Context;
  const progress = followProgress(context, 'wages', { line: ticker, print: ticker });
  const turn = (): void => {
    for (const draw of turns) draw();
  };
  return { progress, turn, shown };
}

it('says nothing of a run that is watched before it was looked at', () => {
  const { progress, turn, shown } = watched({ stderrIsTerminal: false });
  turn();
  progress.onLook([['paid', 3]]);
  turn();
  progress.stop();
  expect(shown).toEqual(['wages: 3 paid\n']);
});

it('leaves the last column of a terminal free, where a line would break', () => {
  const { progress, turn, shown } = watched({ stderrIsTerminal: true, columns: 12 });
  progress.onLook([['paid', 3_000]]);
  turn();
  const drawn = stripVTControlCharacters(shown.join('')).trim();
  progress.stop();
  expect(drawn).toMatch(/^wages: /);
  expect(drawn).toHaveLength(11);
});

it.each([true, false])('shows nothing with --quiet (a terminal: %s)', (stderrIsTerminal) => {
  const { progress, turn, shown } = watched({ stderrIsTerminal, columns: 80 }, { quiet: true });
  progress.onLook([['paid', 3]]);
  turn();
  progress.stop();
  expect(shown).toEqual([]);
});
