/** Plays the scenario of a demo, prints each step with its comment, and adds up what the payments cost. */
import { pages } from '../../../client/pages.ts';
import { getAccount } from '../../../contract/operations/accounts.ts';
import { listTransactions } from '../../../contract/operations/transactions.ts';
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { amountText, money } from '../../../core/amount-words.ts';
import { type Decimal, eq, isZero, sub, sum } from '../../../core/money.ts';
import { refuse } from '../../../core/problem.ts';
import { paintFor } from '../../../frame/terminal/paint.ts';
import { drawTable } from '../../../frame/terminal/table.ts';
import type { View } from '../../../frame/terminal/view.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import type { MaskLevel } from '../../../payments/words/mask.ts';
import { runScenario } from '../../scenario/run.ts';
import type { BreakableRule } from '../../settings.ts';
import { type DemoStage, setStage } from './stage.ts';

export interface Demo<Line extends { cost: Decimal | null }> {
  text: string;
  /** The files that the program finds where it runs, by name. */
  files?: Readonly<Record<string, string>>;
  prepare?(stage: DemoStage): Promise<void>;
  /** Returns a line for each payment, out of those that the service has in the end. */
  lines(stage: DemoStage, made: readonly Transaction[], mask: MaskLevel): Promise<Line[]>;
  view: View<Line>;
  /** Heads of the table; the cost is in the fifth column. */
  heads: readonly string[];
  cells(line: Line): string[];
  /** The lines that one sum is made of, by the words for it. */
  sums(lines: readonly Line[]): Readonly<Record<string, readonly Line[]>>;
  next: readonly (readonly [line: string, why: string])[];
}

const CURRENCY = 'EUR';
const OUTPUT_IS_FOR_PEOPLE = new Set(['table', 'text', undefined]);

export const euros = (amount: Decimal): string => amountText(amount, CURRENCY) ?? '';

/** Fails where a sentence of the demo is not so: a demo that only says it would be worth nothing. */
export function hold(condition: boolean, sentence: string): void {
  if (condition) return;
  throw refuse('internal', 'demo', `the demo expected that ${sentence}, and it is not so`, {
    hint: 'the sandbox or the client is broken: please report it',
  });
}

export async function showDemo<Line extends { cost: Decimal | null }>(
  context: Context,
  demo: Demo<Line>,
  breakRule: readonly BreakableRule[] = [],
): Promise<Result> {
  const { streams, process, globals, mask } = context;
  const forPeople = OUTPUT_IS_FOR_PEOPLE.has(globals.output);
  const stage = await setStage(process, { breakRule, files: demo.files ?? {} });
  try {
    const say = (text: string): void => (forPeople ? streams.out(text) : streams.err(text));
    const paint = paintFor(forPeople ? streams.colour.stdout : streams.colour.stderr);
    const opening = await balance(stage);
    say(`\n${paint.bold('The sandbox and a listener, both on this machine')}\n`);
    say(
      `  ${paint.green('✓')} the service answers at ${stage.client.baseUrl}; webhooks go to ${stage.listenerUrl},\n    and one counts only when its signature verifies on the raw bytes\n`,
    );
    say(`  ${paint.green('✓')} the balance is ${money(opening, CURRENCY)}\n`);
    await demo.prepare?.(stage);
    await playScenario(context, { stage, text: demo.text, say });
    const lines = await demo.lines(stage, await transactions(stage), mask);
    const closing = await balance(stage);
    hold(eq(sub(opening, costOf(lines)), closing), 'every amount adds up');
    stage.audit();
    if (!forPeople) return result(demo.view, lines);
    say(closingWords(context, demo, { lines, opening, closing }));
    return { done: true };
  } finally {
    await stage.close();
  }
}

/** A comment on a line of its own is a heading, and one behind a step says what it means. */
async function playScenario(
  { process, streams, globals }: Context,
  { stage, text, say }: { stage: DemoStage; text: string; say: (text: string) => void },
): Promise<void> {
  const paint = paintFor(
    OUTPUT_IS_FOR_PEOPLE.has(globals.output) ? streams.colour.stdout : streams.colour.stderr,
  );
  const raw = text.split('\n');
  let told = 0;
  const onDone = ({ line }: { line: number }): void => {
    for (const each of raw.slice(told, line)) {
      const [, step = '', comment = ''] = /^([^#]*)(?:# )?(.*)/.exec(each) ?? [];
      if (step !== '') say(`  ${paint.green('✓')} ${paint.dim(step)}${comment}\n`);
      else if (comment !== '') say(`\n${paint.bold(comment)}\n`);
    }
    told = line;
  };
  const { failed } = await runScenario(stage.stage, text, { onDone, more: stage.verbs });
  if (process.interrupt.aborted)
    throw refuse('interrupted', 'interrupted', 'the demo was stopped; nothing of it is left');
  if (failed)
    hold(false, `"${failed.step}" holds (${failed.expected} is expected, and ${failed.found} found)`);
}

async function balance({ client }: DemoStage): Promise<Decimal> {
  const { object } = await client.call(getAccount, { path: { currency: CURRENCY } });
  return object.amount ?? '0';
}

async function transactions({ client }: DemoStage): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for await (const page of pages(client, listTransactions, { query: { per: 100 } })) all.push(...page);
  return all;
}

const costOf = (lines: readonly { cost: Decimal | null }[]): Decimal =>
  sum(lines.map(({ cost }) => cost ?? '0'));

function closingWords<Line extends { cost: Decimal | null }>(
  { streams }: Context,
  { heads, cells, sums, next }: Demo<Line>,
  { lines, opening, closing }: { lines: readonly Line[]; opening: Decimal; closing: Decimal },
): string {
  const paint = paintFor(streams.colour.stdout);
  const total = (words: string, amount: string): string[] =>
    heads.map((_, at) => (at === 1 ? words : at === 4 ? amount : ''));
  const rows = [
    ...lines.map(cells),
    total('balance before', euros(opening)),
    ...Object.entries(sums(lines)).map(([words, of]) => {
      const cost = costOf(of);
      return total(words, isZero(cost) ? 'none' : euros(`-${cost}`));
    }),
    total('balance after, by the service', euros(closing)),
  ];
  const columns = heads.map((head, at) => ({ head: paint.bold(head), right: at === 3 || at === 4 }));
  const width = Math.max(...next.map(([line]) => line.length));
  return [
    '',
    drawTable(columns, rows),
    '',
    `${paint.green('Every amount adds up.')} Next:`,
    ...next.map(([line, why]) => `  ${line.padEnd(width)}  ${paint.dim(why)}`),
    '',
  ].join('\n');
}
