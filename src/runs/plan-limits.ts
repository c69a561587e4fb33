/** Limits of a plan: the most that it may cost, and what a plan of a known name may not say otherwise. */

import { money } from '../core/amount-words.ts';
import { type Decimal, eq, gt, mul } from '../core/money.ts';
import { hint } from '../core/next.ts';
import { type Problem, refuse, usage } from '../core/problem.ts';
import type { ProfileLimits } from '../profiles/schema.ts';
import { rowCosts } from './estimate.ts';
import { notBeforeWords } from './not-before.ts';
import { type NotBefore, type Plan, type PlanTotal, planOf } from './plan-text.ts';
import { toleranceOf } from './spending.ts';
import type { PayRun } from './store/port.ts';

/** The most that the run may cost, by input currency, as it was given or as the user is asked. */
interface Asked {
  maxInput: Readonly<Record<string, Decimal>>;
  /** Asked where no ceiling is given for a currency. @throws without a user to ask */
  askCeiling: (totals: readonly PlanTotal[]) => Promise<Readonly<Record<string, Decimal>>>;
}

export async function ceilingsOf(
  { maxInput, askCeiling }: Asked,
  totals: readonly PlanTotal[],
): Promise<Readonly<Record<string, Decimal>>> {
  const costs = rowCosts(totals);
  const open = totals.filter(({ inputCurrency }) => maxInput[inputCurrency] === undefined);
  const ceilings = { ...maxInput, ...(open.length > 0 ? await askCeiling(open) : {}) };
  for (const [currency, cost] of Object.entries(costs)) {
    const most = ceilings[currency];
    if (most === undefined)
      throw usage(
        `no limit is given for ${currency}`,
        hint`${{ give: 'max_input', value: `${currency}=${cost}` }}`,
      );
    if (gt(cost, most))
      throw refuse(
        'check',
        'above_max_input',
        `it would cost ${money(cost, currency)} by the rates of now, more than the limit of ${money(most, currency)}`,
        { hint: 'raise the limit, or pay less', note: 'nothing was kept, and nothing was sent' },
      );
  }
  const needed = Object.keys(costs).map((currency) => [currency, ceilings[currency] as Decimal] as const);
  return Object.fromEntries(needed);
}

/** @throws Problem (usage) where rates may move further than the profile allows */
export function refuseTolerance(profile: string, limits: ProfileLimits, tolerance: Decimal): void {
  const most = toleranceOf({ tolerance }, limits);
  if (!gt(tolerance, most)) return;
  throw usage(
    `profile "${profile}" lets a rate move by ${mul(most, '100')} % at most (max_rate_tolerance), and ${mul(tolerance, '100')} % was given`,
    hint`${{ give: 'rate_tolerance', value: mul(most, '100') }}; if it is meant: ${{ do: 'change_profile', profile, setting: 'max_rate_tolerance', value: mul(tolerance, '100') }}`,
  );
}

/** A payer may be stricter than the plan, and never more generous. @throws Problem (usage) */
export function refuseWider(run: PayRun, said: Decimal | undefined): void {
  const { tolerance } = planOf(run);
  if (said === undefined || !gt(said, tolerance)) return;
  throw usage(
    `the run "${run.name}" was planned with a rate tolerance of ${mul(tolerance, '100')} %: whoever pays it may lower that, and not raise it`,
    hint`leave ${{ give: 'rate_tolerance' }} out`,
  );
}

interface Limits {
  ceilings: Readonly<Record<string, Decimal>>;
  tolerance: Decimal;
}

/** A name stands for its rows and its limits: a plan of a known run that says otherwise is refused. */
export function nameTaken(run: PayRun, differs: readonly string[]): Problem {
  const isFixed = planOf(run).fixes?.some(({ key }) => differs.includes(key));
  const named = differs.slice(0, 10).join(', ');
  const more = differs.length > 10 ? `, and ${differs.length === 100 ? 'more' : differs.length - 10}` : '';
  return refuse(
    'conflict',
    'run_differs',
    `there is a run "${run.name}" already, with other rows: ${named}${more}`,
    {
      hint: isFixed
        ? hint`rows were corrected in the run, and not in this file: ${{ do: 'show_run', name: run.name }}`
        : hint`look at it with ${{ do: 'show_run', name: run.name }}; other rows need another name`,
      fields: differs.map((key) => ({ path: key, words: ['is not in both, or says something else'] })),
      note: 'nothing was kept, and nothing was sent',
    },
  );
}

/** @throws Problem (conflict) */
export function refuseOtherMoment({ name }: PayRun, kept: Plan, wanted: NotBefore | undefined): void {
  if (wanted === undefined || wanted.at === (kept.notBefore?.at ?? Math.min(wanted.at, kept.at ?? 0))) return;
  throw refuse(
    'conflict',
    'moment_differs',
    `the run "${name}" was planned ${kept.notBefore === undefined ? 'to be paid at once' : `not before ${notBeforeWords(kept.notBefore)}`}`,
    {
      hint: hint`for another time it needs another name, once this one is cancelled; to stop it for a while: ${{ do: 'hold_run', name }}`,
      note: 'the time that stands is as before, and nothing was sent',
    },
  );
}

/** A limit that was given and is dropped would be believed. @throws Problem (conflict) */
export function refuseOtherLimits({ name }: PayRun, kept: Limits, wanted: Limits): void {
  const currencies = new Set([...Object.keys(kept.ceilings), ...Object.keys(wanted.ceilings)]);
  const isOther = (currency: string): boolean => {
    const [stands, given] = [kept.ceilings[currency], wanted.ceilings[currency]];
    return stands === undefined || given === undefined || !eq(stands, given);
  };
  if (![...currencies].some(isOther) && eq(kept.tolerance, wanted.tolerance)) return;
  const most = Object.entries(kept.ceilings).map(([currency, limit]) => money(limit, currency));
  throw refuse(
    'conflict',
    'limits_differ',
    `the run "${name}" was planned with other limits: at most ${most.join(' and ')}, rate tolerance ${mul(kept.tolerance, '100')} %`,
    {
      hint: hint`look at it with ${{ do: 'show_run', name }}; with other limits it needs another name, once this one is cancelled`,
      note: 'the limits that stand are as before, and nothing was sent',
    },
  );
}
