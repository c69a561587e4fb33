/**
 * The approver of a run gives its digest, which stands for its rows, totals, rates, ceilings and rule. Where two persons are wanted
 * (`rule.ts`), it is another key than the one that planned it. See docs/pay-runs.md for what this does not protect from.
 */

import { counted, money, thousands } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { hint } from '../core/next.ts';
import { type Problem, refuse, usage } from '../core/problem.ts';
import { byName, byTotal } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer, type WritePermit, type WriteStep } from '../payments/gate.ts';
import { runName } from '../payments/store/daily-allowance-port.ts';
import { payQuestion, spoken } from '../payments/words/questions.ts';
import { isNamed, shownDigest } from '../profiles/digest.ts';
import { refuseAltered } from './altered.ts';
import { rowCosts } from './estimate.ts';
import { notBeforeWords } from './not-before.ts';
import { foundWords } from './paid-before.ts';
import { acceptChanged, showPayeesOf } from './payees.ts';
import { whoFixed, whoPlanned, whoRejected, whoSays } from './persons.ts';
import { type Plan, type PlannedAlike, planOf } from './plan-text.ts';
import { isTwoPerson, plannedWith, refuseUnruly } from './rule.ts';
import { refuseUnsignedNow } from './signed.ts';
import { mostOf } from './spending.ts';
import { type PayRun, type PayRuns, type RowSum, rowStates } from './store/port.ts';
import type { PayStore } from './terms.ts';
import { roundPercent } from './watchful.ts';

/**
 * Lines of a plan, and the last question for its payer.
 * @param sums where it was begun before, the question is about the rest of it
 */
export function runStep(run: PayRun, sums: readonly RowSum[]): WriteStep {
  const plan = planOf(run);
  const rest = sums.filter(({ state }) => rowStates[state].open);
  const isBegun = sums.some(({ state }) => state !== 'planned');
  const rows = isBegun ? rest.reduce((all, sum) => all + sum.rows, 0) : rowsToPay(plan);
  const to = `to ${isBegun ? 'the remaining ' : ''}${counted(rows, 'recipient')}?`;
  const costs = Object.entries(rowCosts(isBegun ? rest : plan.totals));
  const words = costs.map(([currency, amount]) => spoken(amount, currency)).join(' and ');
  const [first] = costs;
  return {
    effect: 'money',
    what: planLines(run, plan),
    warnings: repeatedLines(plan),
    question: (account) =>
      first !== undefined && costs.length === 1
        ? payQuestion(first[1], first[0])(account).replace(/\?$/, `, ${to}`)
        : `Pay ${words} ${to}`,
    // The whole of a run that goes on after a pause was counted when it began.
    amounts: amountsOf(costs).map((one) => ({ ...one, names: [runName(run.id)] })),
    confirm: byTotal(amountsOf(costs), byName(run.name)),
  };
}

const amountsOf = (costs: readonly [string, string][]) =>
  costs.map(([currency, amount]) => ({ amount, currency }));

/** The same for its confirmer: who planned it, and a question that says what it may cost. Nothing is paid by the answer. */
function approveStep(run: PayRun, until: number | undefined): WriteStep {
  const plan = planOf(run);
  const costs = Object.entries(rowCosts(plan.totals));
  const most = mostOf(plan, plan);
  const each = costs.map(
    ([currency, amount]) => `about ${spoken(amount, currency)}, at most ${spoken(most[currency], currency)},`,
  );
  return {
    effect: 'money',
    what: [
      ...planLines(run, plan),
      `planned by ${whoPlanned(run)}`,
      ...(until === undefined ? [] : [`signed until ${isoTime(until)}`]),
    ],
    warnings: [...rejectionLines(run), ...repeatedLines(plan)],
    question: (account) =>
      `Approve this run: ${each.join(' and ')} from the ${account} balance, to ${counted(rowsToPay(plan), 'recipient')}?`,
    amounts: amountsOf(costs).map((one) => ({ ...one, isLater: true })),
    confirm: byTotal(amountsOf(costs), byName(run.name)),
  };
}

const rejectionLines = (run: PayRun): string[] =>
  run.rejection === undefined
    ? []
    : [`It was rejected by ${whoRejected(run.rejection)}: ${run.rejection.because}`];

const rowsToPay = ({ totals }: Plan): number => totals.reduce((all, { rows }) => all + rows, 0);

export function planLines(run: PayRun, plan: Plan): string[] {
  return [
    `run ${run.name}: ${counted(run.rows, 'row')}, digest ${shownDigest(run.digest)}`,
    ...plan.totals.map(
      ({ type, rows, amount, currency, estimate, inputCurrency }) =>
        `${rows} × ${type}: ${money(amount, currency)}${currency === inputCurrency ? '' : `, about ${money(estimate, inputCurrency)}`}`,
    ),
    ...alreadyLines(plan),
    ...Object.entries(plan.rates).map(([pair, rate]) => `rate ${pair.replace(' ', ' to ')}: ${rate}`),
    ...fixedLines(plan),
    ...(plan.notBefore === undefined ? [] : [`not before ${notBeforeWords(plan.notBefore)}`]),
    ...mostLines(plan),
  ];
}

/** The figures that a yes to the run is a yes to. */
function mostLines(plan: Plan): string[] {
  const totals = rowCosts(plan.totals);
  return Object.entries(mostOf(plan, plan)).map(([currency, most]) => {
    const limit = plan.ceilings[currency];
    const of = limit === undefined ? '' : `, the limit is ${money(limit, currency)}`;
    return `in all ${money(totals[currency], currency)}, and at most ${money(most, currency)}: rates may move by ${roundPercent(plan.tolerance)}${of}`;
  });
}

/** Corrections that are named; the others are counted. */
const FIXES_SHOWN = 20;

function fixedLines({ fixes = [] }: Plan): string[] {
  const lines = fixes
    .slice(0, FIXES_SHOWN)
    .map((one) => `corrected: row ${one.n} (${one.key}), ${one.set.join(', ')}, by ${whoFixed(one)}`);
  const more = fixes.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${counted(more, 'correction')} more`];
}

/** Returns lines on the payments that the service had already when the run was planned. */
function alreadyLines({ before, elsewhere, unasked }: Plan): string[] {
  return [
    ...(before === undefined ? [] : [`paid before this run, and not paid again: ${foundWords(before)}`]),
    ...(elsewhere === undefined
      ? []
      : [`paid elsewhere under the ids of this run, and not paid again: ${foundWords(elsewhere)}`]),
    ...(unasked ? ['the service was not asked which rows are paid already'] : []),
  ];
}

/** Rows that may be the same payments as those of an earlier run. */
export function repeatedLines({ repeated, alike }: Plan): string[] {
  return [...alikeLines(repeated), ...comparedLines(repeated), ...paidLines(alike)];
}

/** Rows that are paid again beside a payment of no run, as the planner said. */
function paidLines({ rows, first, unread = [] }: PlannedAlike = { rows: 0, first: [] }): string[] {
  const named = first.map(({ key, id }) => `${key} (payment ${id})`).join(', ');
  return [
    ...(rows > 0
      ? [`PAID AGAIN: ${counted(rows, 'row')} with the account and amount of another payment: ${named}`]
      : []),
    ...unread,
  ];
}

/** Returns a line where runs were forgotten: whom a forgotten run paid is unknown. */
const comparedLines = ({ from }: Plan['repeated']): string[] =>
  from === undefined
    ? []
    : [
        `Its rows are compared with those of runs that were planned after ${isoTime(from)}: what was planned up to then was forgotten, or some of it`,
      ];

function alikeLines({ rows, first }: Plan['repeated']): string[] {
  if (rows === 0) return [];
  const named = first.map(({ n, run, key }) => `row ${n} (${key} of ${run})`).join(', ');
  const more = rows > first.length ? `, and ${thousands(rows - first.length)} more` : '';
  return [
    `Look again: ${rows === 1 ? '1 row has' : `${thousands(rows)} rows have`} the same account and amount as in a run of the last 35 days: ${named}${more}`,
  ];
}

/** Tells who approves, and the number of changed payees that they say. */
export interface Approving {
  confirmer: Confirmer;
  changed?: number | undefined;
}

/** True if it is not approved, or was rejected since. */
export const awaitsApproval = ({ state, rejection }: PayRun): boolean =>
  state === 'planned' || rejection !== undefined;

/** A run that is approved already is left as it is, and nothing is asked. @throws Problem where the digest is another, or this key may not approve it */
export async function approveRun(
  desk: Desk,
  store: PayStore,
  { run, digest, ...asked }: { run: PayRun; digest: string } & Approving,
): Promise<PayRun> {
  refuseOtherDigest(run, digest);
  refuseCancelled(run);
  if (!awaitsApproval(run)) return run;
  await authorizeApproval(desk, store, { run, ...asked });
  const approved = await keepApproval(desk, store.payruns, run);
  const [now] = await store.payruns.find(run.account.baseUrl, run.id);
  return now?.hold === undefined ? approved : { ...approved, hold: now.hold };
}

/** @throws Problem (conflict), or (usage) for a digest that is not whole */
export function refuseOtherDigest(run: PayRun, digest: string): void {
  if (isNamed(run.digest, digest)) return;
  throw refuse(
    'conflict',
    'digest_differs',
    `the run "${run.name}" has another digest: it was planned anew, or this is another run`,
    {
      hint: hint`look at it again: ${{ do: 'show_run', name: run.name }}`,
      note: 'nothing was approved, and nothing was sent',
    },
  );
}

/**
 * Looks and asks before anybody approves. The key of the account matters where this approval takes the run
 * out of the state `planned`; a signature beside it is by a key of its own.
 * @param until when a signed approval ends
 */
export async function authorizeApproval(
  desk: Desk,
  { payruns, intents }: PayStore,
  { run, confirmer, changed, until }: { run: PayRun; until?: number } & Approving,
): Promise<void> {
  await refuseAltered(payruns, run);
  const account = await desk.connection();
  const isTwo = isTwoPerson(run) || account.limits.two_person;
  if (awaitsApproval(run) && isTwo && plannedWith(run, account, await intents.joins()))
    throw usage(
      `the run was planned with this key (…${run.account.keyLast4}), and two_person wants another`,
      'the second person approves it with a profile of a key of their own',
    );
  const plan = planOf(run);
  await showPayeesOf(desk, payruns, run);
  await acceptChanged(plan, { given: changed, confirmer });
  await authorizeWrite(desk, approveStep(run, until), confirmer);
}

export function refuseCancelled({ state, name }: PayRun): void {
  if (state === 'cancelled') throw usage(`the run "${name}" is cancelled`, 'plan it under another name');
}

/**
 * A pass to pay the run. Where it is not approved and one person is enough, its payer approves it here, with the totals on
 * screen. @throws Problem
 */
export async function authorizeRun(
  desk: Desk,
  store: PayStore,
  asked: { run: PayRun; confirmer: Confirmer; again?: () => Promise<void> },
): Promise<{ permit: WritePermit; run: PayRun }> {
  const { payruns } = store;
  const { run, confirmer } = asked;
  await refuseUnpayable(desk, store, run);
  await showPayeesOf(desk, payruns, run);
  const again = async (): Promise<void> => {
    await refuseUnpayable(desk, store, await asItStood(payruns, run));
    await asked.again?.();
  };
  const step = { ...runStep(run, await payruns.sums(run.id)), again };
  const permit = await authorizeWrite(desk, step, confirmer);
  if (run.state === 'planned') return { permit: permit, run: await keepApproval(desk, payruns, run) };
  if (run.state === 'paused') {
    await payruns.move(run.id, ['paused'], 'approved');
    return { permit: permit, run: { ...run, state: 'approved', why: undefined } };
  }
  return { permit: permit, run };
}

/** @throws Problem where it is cancelled, altered, on hold, rejected, or not approved as its rule and this profile want */
async function refuseUnpayable(desk: Desk, { payruns, intents }: PayStore, run: PayRun): Promise<void> {
  refuseCancelled(run);
  await refuseAltered(payruns, run);
  await refuseUnruly(desk, run, await intents.joins());
  await refuseUnsignedNow(desk, run);
}

/** The run as it is now. @throws Problem (conflict) where it is not the one that was shown */
async function asItStood(payruns: PayRuns, run: PayRun): Promise<PayRun> {
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  if (now.digest !== run.digest) throw changedMeanwhile(run, now);
  return now;
}

/** The digest is checked again in the same step: what was changed meanwhile is not approved. */
async function keepApproval(desk: Desk, payruns: PayRuns, run: PayRun): Promise<PayRun> {
  const approval = await whoSays(desk);
  const over = run.rejection === undefined ? [] : ([run.rejection.at] as const);
  const ended = await payruns.approve(run.id, run.digest, approval, ...over);
  if (ended === 'approved') return { ...run, state: 'approved', approval, rejection: undefined };
  const [now] = await payruns.find(run.account.baseUrl, run.id);
  if (ended === 'not_planned' && now?.state === 'approved') return now;
  throw changedMeanwhile(run, now);
}

export const changedMeanwhile = (run: PayRun, now: PayRun | undefined): Problem =>
  refuse(
    'conflict',
    'run_changed',
    `the run "${run.name}" was changed meanwhile: it is ${now?.state ?? 'gone'}`,
    { note: 'nothing was approved, and nothing was sent' },
  );
