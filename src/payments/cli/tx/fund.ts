/** Funds a transaction from the balance (desk/payments/fund.ts), and waits for what becomes of it where that is asked. */
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { hint } from '../../../core/next.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes, exitOfEnding, worst } from '../../../frame/exit-codes.ts';
import { fund as fundIt, planFunding } from '../../fund.ts';
import { type FundEnding, fundAll, planFundings, refuseAbove } from '../../fund-many.ts';
import { authorizeWrite } from '../../gate.ts';
import { type FoundTransaction, findTransaction, seenIn } from '../../lookup/transaction.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import type { Context } from '../context.ts';
import { readWait, waitFlags } from '../flags/wait.ts';
import { type Result, result } from '../result.ts';
import { fundEndingView, shownFunding } from '../views/funding.ts';
import { transactionView } from '../views/transaction.ts';

type FundOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description:
    'Several transactions are shown with their total and paid one after the other. Each has its own row and ending; the worst ending decides the exit code. Where nobody is asked, with --yes or without a terminal, several need --max-input.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id', many: true }],
  flags: {
    maxInput: { value: 'amount', summary: 'the most that all of them together may cost' },
    ...waitFlags('it is paid or needs someone'),
    newPayment: { summary: 'send it even if an earlier try of it is not settled' },
  },
  shows: [transactionView, fundEndingView],
  effect: 'money',
  exits: [exitCodes.pending],
  examples: [
    'remit tx fund 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit tx fund invoice-2024-17 --wait',
    'remit tx fund wages-8 wages-9 --max-input 30',
  ],
  read: (input) => ({
    ids: [...new Set(input.args)],
    maxInput: input.flags.maxInput,
    waitMs: readWait(input),
    newPayment: input.flags.newPayment,
  }),
  async run(context, options): Promise<Result> {
    const found = await findAll(context, options.ids);
    const [first, ...more] = found;
    return first !== undefined && more.length === 0
      ? one(context, first, options)
      : several(context, found, options);
  },
});

/** Each of them once, and none is paid where one of them cannot be found. */
async function findAll(context: Context, ids: readonly string[]): Promise<FoundTransaction[]> {
  const found = new Map<string, FoundTransaction>();
  for (const id of ids) {
    const one = await findTransaction(context, id, 'write');
    found.set(one.transaction.id ?? id, one);
  }
  return [...found.values()];
}

async function one(context: Context, found: FoundTransaction, options: FundOptions): Promise<Result> {
  const { waitMs, newPayment, maxInput } = options;
  if (found.transaction.state !== 'approved') {
    const made = await fundedEarlier(context, found.transaction);
    if (made !== undefined) return made;
  }
  const plan = planFunding(context, found);
  refuseAbove([plan], maxInput);
  const permit = await authorizeWrite(context, plan.step, context.confirmer);
  const { transaction, notes } = await fundIt(context, permit, plan, { newPayment });
  await context.remember(seenIn(transaction));
  const { failedNotes, lookedAt, waited } = await import('../output/after-funding.ts');
  if (waitMs !== undefined) return waited(context, transaction, { waitMs, notes });
  const now = await lookedAt(context, transaction);
  const next = hint`Next: ${{ do: 'show_transaction', id: now.id ?? '' }}`;
  return result(transactionView, now, { notes: [...notes, ...failedNotes(now), next] });
}

async function several(
  context: Context,
  found: readonly FoundTransaction[],
  options: FundOptions,
): Promise<Result> {
  const { maxInput, waitMs, newPayment } = options;
  const isAsked = context.confirmer.stance(await context.connection()).kind === 'asks';
  if (maxInput === undefined && !isAsked)
    throw usage(
      'several payments at once need a limit where nobody is asked about the total',
      'say the most they may cost: --max-input AMOUNT',
    );
  const plan = await planFundings(context, found, maxInput);
  if (plan.plans.length === 0) return endingsOf(plan.named.filter((one) => 'ending' in one));
  const permit = await authorizeWrite(context, plan.step, context.confirmer);
  const isStopped = (): boolean => context.process.interrupt.aborted;
  const endings = await fundAll(context, permit, plan, { newPayment, isStopped });
  for (const { transaction } of endings) await context.remember(seenIn(transaction));
  return endingsOf(waitMs === undefined ? endings : await waitedFor(context, endings, waitMs));
}

/** All wait for the same moment; one that cannot be read again stays as it was read. */
async function waitedFor(
  context: Context,
  endings: readonly FundEnding[],
  waitMs: number,
): Promise<FundEnding[]> {
  const { waitForTransaction } = await import('../../wait.ts');
  const until = context.clock.now() + waitMs;
  const after: FundEnding[] = [];
  for (const ending of endings) {
    const left = Math.max(0, until - context.clock.now());
    const id = ending.transaction.id ?? '';
    const seen =
      ending.ending === 'funded'
        ? await waitForTransaction(context, id, left).catch(() => undefined)
        : undefined;
    const category =
      seen?.ended === true ? (seen.transaction.state === 'paid' ? undefined : 'conflict') : 'pending';
    if (ending.ending !== 'funded') after.push(ending);
    else
      after.push({
        ...ending,
        ...(seen && { transaction: seen.transaction }),
        ...(category && { category }),
      });
  }
  return after;
}

const endingsOf = (endings: readonly FundEnding[]): Result =>
  result(fundEndingView, endings.map(shownFunding), {
    exit: worst(endings.map(({ category }) => exitOfEnding(category ?? 'done'))),
  });

/** Funded by an earlier run of ours that was not told: this is its answer. */
async function fundedEarlier(context: Context, transaction: Transaction): Promise<Result | undefined> {
  if (!transaction.id) return undefined;
  const { earlierDebit } = await import('../../duplicate-check.ts');
  const note = await earlierDebit(context, transaction.id);
  return note === undefined ? undefined : result(transactionView, transaction, { notes: [note] });
}
