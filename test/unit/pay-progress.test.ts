/** The line of a run that pays: what it counts, and what it does not. */
import { expect, it } from 'vitest';
import { followProgress, payProgress } from '../../src/cli/commands/batch/shared/progress.ts';
import type { Context } from '../../src/cli/context.ts';
import type { PayRow, PayRun, PayRuns } from '../../src/core/ports/payruns.ts';
import { countPaid } from '../../src/desk/payruns/progress.ts';

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
      world: { clock: { now: () => 0 }, env, interrupt: new AbortController().signal },
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

it('says nothing of a run that is watched before it was looked at', () => {
  const printed: string[] = [];
  let tick = (): void => {};
  const context = {
    streams: { stderrIsTerminal: false, err: (text: string) => void printed.push(text) },
    globals: { quiet: false },
    world: { env: {} },
  } as unknown as Context;
  const never = () => () => {};
  const progress = followProgress(context, 'wages', {
    line: never,
    print: (draw) => {
      tick = draw;
      return () => {};
    },
  });
  tick();
  progress.onLook([['paid', 3]]);
  tick();
  progress.stop();
  expect(printed).toEqual(['wages: 3 paid\n']);
});
