/** The main job, or a pay run, end to end, on a sandbox of its own: nothing real is reached, nothing is kept. */
import { usage } from '../../core/problem.ts';
import { type BreakableRule, breakableRules } from '../../sandbox/settings.ts';
import { command } from '../command.ts';
import { payments, payroll } from '../demo/acts.ts';
import { showDemo } from '../demo/play.ts';
import { exitCodes } from '../exit-codes.ts';

export { demo as command };

const WHICH = 'payroll';

const demo = command({
  description:
    'Starts a sandbox on a free port of this machine and a listener for its webhooks, and does what a partner does, over HTTP. Every step is checked. With `payroll` it pays a file of twelve people instead: the run is killed half way with kill -9, run again, and followed until every amount adds up.',
  args: [
    {
      name: WHICH,
      summary: 'a pay run instead: twelve people, one kill -9, nobody paid twice',
      optional: true,
    },
  ],
  flags: {
    breakRule: {
      value: 'rule',
      summary: 'break one rule of the sandbox on purpose, and see the demo notice',
      choices: Object.keys(breakableRules),
    },
  },
  shows: [payments.view, payroll.view],
  exits: [exitCodes.interrupted],
  examples: ['remit demo', 'remit demo payroll'],
  read(input): { payroll: boolean; breakRule: BreakableRule[] } {
    const [which] = input.args;
    if (which !== undefined && which !== WHICH)
      throw usage(`there is no demo "${which}"`, `remit demo, or remit demo ${WHICH}`);
    const breakRule = [input.flags.breakRule].filter((rule) => rule !== undefined) as BreakableRule[];
    if (which === WHICH && breakRule.length > 0)
      throw usage('--break-rule is for remit demo alone', `remit demo ${WHICH} breaks nothing but itself`);
    return { payroll: which === WHICH, breakRule };
  },
  run: (context, options) =>
    options.payroll ? showDemo(context, payroll) : showDemo(context, payments, options.breakRule),
});
