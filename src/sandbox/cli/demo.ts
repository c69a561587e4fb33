/** The main job, or a pay run, end to end, on a sandbox of its own: nothing real is reached, nothing is kept. */
import { usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { type BreakableRule, breakableRules } from '../settings.ts';
import { payments, payroll } from './demo/acts.ts';
import { showConsole } from './demo/console.ts';
import { showDemo } from './demo/play.ts';

const WHICH = ['payroll', 'console'] as const;

export const command = defineCommand({
  description:
    'Starts a sandbox on a free port of this machine and a listener for its webhooks, and does what a partner does, over HTTP. Every step is checked. With `payroll` it pays a file of twelve people instead: the run is killed half way with kill -9, run again, and followed until every amount adds up. With `console` it makes sample payments and pay runs, and opens the page of remit console over them until Ctrl-C.',
  args: [
    {
      name: 'WHICH',
      summary:
        'payroll: a pay run of twelve, one kill -9, nobody paid twice; console: the page, with something on it',
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
  examples: ['remit demo', 'remit demo payroll', 'remit demo console'],
  read(input) {
    const [given] = input.args;
    const which = WHICH.find((one) => one === given);
    if (given !== undefined && which === undefined)
      throw usage(
        `there is no demo "${given}"`,
        `remit demo, ${WHICH.map((one) => `remit demo ${one}`).join(' or ')}`,
      );
    const breakRule = [input.flags.breakRule].filter((rule) => rule !== undefined) as BreakableRule[];
    if (which !== undefined && breakRule.length > 0)
      throw usage('--break-rule is for remit demo alone', `remit demo ${which} breaks nothing but itself`);
    return { which, breakRule };
  },
  run(context, { which, breakRule }) {
    if (which === 'console') return showConsole(context);
    return which === 'payroll' ? showDemo(context, payroll) : showDemo(context, payments, breakRule);
  },
});
