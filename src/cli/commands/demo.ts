/** The main job, or a pay run, end to end, on a sandbox of its own: nothing real is reached, nothing is kept. */

import { usage } from '../../core/problem.ts';
import { demoPaymentShape } from '../../desk/shapes/payments.ts';
import { amountText } from '../../desk/words/amount.ts';
import { type BreakableRule, breakableRules } from '../../sandbox/settings.ts';
import { command, type Result, result } from '../command.ts';
import type { Context } from '../context.ts';
import {
  addUp,
  advance,
  awaitPaid,
  awaitRefusal,
  balance,
  calculate,
  cancel,
  create,
  edit,
  expectExpired,
  findOrCreateSender,
  fund,
  type Line,
  type Play,
  showBalances,
} from '../demo/acts.ts';
import { paymentTo } from '../demo/cast.ts';
import { performPayroll } from '../demo/payroll.ts';
import { setPayrollStage } from '../demo/payroll-stage.ts';
import { payrollView, payrollWords } from '../demo/payroll-table.ts';
import { setStage } from '../demo/stage.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatInfo, ON_SCREEN } from '../terminal/format.ts';
import { paintFor } from '../terminal/paint.ts';
import { drawTable } from '../terminal/table.ts';
import type { View } from '../terminal/view.ts';

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
  async run(context, { payroll, breakRule }) {
    const forPeople = formatInfo(context.globals.output ?? ON_SCREEN).isForPeople === true;
    if (payroll) return runPayroll(context, forPeople);
    const stage = await setStage(context.world, breakRule);
    try {
      const play: Play = { stage, tell: teller(context, forPeople) };
      const { lines, opening, cost, closing } = await perform(play);
      if (!forPeople) return result(lineView, lines.map(shown));
      context.streams.out(closingWords(context, { lines, opening, cost, closing }));
      return { done: true };
    } finally {
      await stage.close();
    }
  },
});

async function runPayroll(context: Context, forPeople: boolean): Promise<Result> {
  const stage = await setPayrollStage(context.world);
  try {
    const end = await performPayroll({ stage, tell: teller(context, forPeople), mask: context.mask });
    if (!forPeople) return result(payrollView, end.lines);
    context.streams.out(payrollWords(end, paintFor(context.streams.colour.stdout)));
    return { done: true };
  } finally {
    await stage.close();
  }
}

async function perform(
  play: Play,
): Promise<{ lines: Line[]; opening: string; cost: string; closing: string }> {
  const { stage, tell } = play;
  tell.title('The sandbox and a listener, both on this machine');
  tell.step(`the service answers at ${stage.baseUrl}; webhooks go to ${stage.listenerUrl}`);
  const opening = await showBalances(play);
  tell.title('A sender');
  const senderId = await findOrCreateSender(play);
  const lines = [
    await payOne(play, senderId),
    await payAfterCorrection(play, senderId),
    await cancelOne(play, senderId),
    await leaveOne(play, senderId),
  ];
  return { lines, opening, ...(await addUp(play, opening, lines)) };
}

async function payOne(play: Play, senderId: string): Promise<Line> {
  play.tell.title('1. A payment that arrives');
  const payment = paymentTo(senderId, 'demo-1', '0123456700');
  const transaction = await create(play, payment, await calculate(play, payment));
  await fund(play, transaction);
  const paid = await awaitPaid(play, transaction);
  return { payment: paid, story: 'paid', cost: paid.input_amount ?? '0' };
}

async function payAfterCorrection(play: Play, senderId: string): Promise<Line> {
  play.tell.title('2. A payment that the bank refuses, corrected');
  const payment = paymentTo(senderId, 'demo-2', '0123456719');
  const transaction = await create(play, payment, await calculate(play, payment));
  await fund(play, transaction);
  const recipient = await awaitRefusal(play, transaction);
  await edit(play, transaction, recipient, '0123456700');
  await advance(play, 1, 'the payout is tried again');
  const paid = await awaitPaid(play, transaction);
  return { payment: paid, story: 'refused, edited, paid', cost: paid.input_amount ?? '0' };
}

async function cancelOne(play: Play, senderId: string): Promise<Line> {
  play.tell.title('3. A payment that is cancelled');
  const before = await balance(play);
  const payment = paymentTo(senderId, 'demo-3', '0123456708');
  const transaction = await create(play, payment, await calculate(play, payment));
  await fund(play, transaction);
  await awaitRefusal(play, transaction);
  const refunded = await cancel(play, transaction, before);
  return { payment: refunded, story: 'cancelled, refunded', cost: '0' };
}

async function leaveOne(play: Play, senderId: string): Promise<Line> {
  play.tell.title('4. A payment that nobody funds');
  const before = await balance(play);
  const payment = paymentTo(senderId, 'demo-4', '0123456700');
  const transaction = await create(play, payment, await calculate(play, payment));
  await advance(play, 61, 'the hour to fund it is over');
  const expired = await expectExpired(play, transaction, before);
  return { payment: expired, story: 'not funded, cancelled by the service', cost: '0' };
}

function teller(context: Context, forPeople: boolean): Play['tell'] {
  const { streams } = context;
  const paint = paintFor(forPeople ? streams.colour.stdout : streams.colour.stderr);
  const say = (text: string): void => (forPeople ? streams.out(text) : streams.err(text));
  return {
    title: (text) => say(`\n${paint.bold(text)}\n`),
    step: (text) => say(`  ${paint.green('✓')} ${text}\n`),
  };
}

interface Shown {
  external_id: string;
  story: string;
  state: string;
  input: string;
  cost: string;
}

const shown = ({ payment, story, cost }: Line): Shown => ({
  external_id: payment.external_id ?? '',
  story,
  state: payment.state ?? '',
  input: amountText(payment.input_amount, 'EUR') ?? '',
  cost: amountText(cost, 'EUR') ?? '',
});

const lineView: View<Shown> = {
  shape: demoPaymentShape,
  columns: [
    { name: 'external_id', get: (row) => row.external_id },
    { name: 'story', get: (row) => row.story },
    { name: 'state', get: (row) => row.state },
    { name: 'input', get: (row) => row.input },
    { name: 'cost', get: (row) => row.cost },
  ],
};

function closingWords(
  context: Context,
  end: { lines: Line[]; opening: string; cost: string; closing: string },
): string {
  const paint = paintFor(context.streams.colour.stdout);
  const columns = [
    { head: 'PAYMENT' },
    { head: 'WHAT HAPPENED' },
    { head: 'STATE' },
    { head: 'INPUT EUR', right: true },
    { head: 'COST EUR', right: true },
  ];
  const euros = (amount: string): string => amountText(amount, 'EUR') ?? '';
  const rows = [
    ...end.lines.map(shown).map((row) => [row.external_id, row.story, row.state, row.input, row.cost]),
    ['', 'balance before', '', '', euros(end.opening)],
    ['', 'less the cost of all four', '', '', euros(`-${end.cost}`)],
    ['', 'balance after, as the service says', '', '', euros(end.closing)],
  ];
  const next = ['remit sandbox start', 'remit tx create', 'remit webhooks listen', 'remit --help'];
  const whys = [
    'a sandbox to try things in, in a second terminal',
    'a payment, question by question',
    'see webhooks arrive',
    'everything else',
  ];
  return [
    '',
    drawTable(
      columns.map((column) => ({ ...column, head: paint.bold(column.head) })),
      rows,
    ),
    '',
    `${paint.green('Every amount adds up.')} Next:`,
    ...next.map((line, index) => `  ${line.padEnd(22)} ${paint.dim(whys[index] ?? '')}`),
    '',
  ].join('\n');
}
