/** A name stands for its rows and its limits: a plan of a known run that says otherwise is refused. */
import { type Decimal, eq, mul } from '../../core/money.ts';
import { said } from '../../core/next.ts';
import type { PayRun } from '../../core/ports/payruns.ts';
import { Problem } from '../../core/problem.ts';
import { money } from '../words/amount.ts';

interface Limits {
  ceilings: Readonly<Record<string, Decimal>>;
  tolerance: Decimal;
}

export function nameTaken(run: PayRun, differs: readonly string[]): Problem {
  const named = differs.slice(0, 10).join(', ');
  const more = differs.length > 10 ? `, and ${differs.length === 100 ? 'more' : differs.length - 10}` : '';
  return new Problem({
    category: 'conflict',
    code: 'run_differs',
    message: `there is a run "${run.name}" already, with other rows: ${named}${more}`,
    hint: said`look at it with ${{ do: 'show_run', name: run.name }}; other rows need another name`,
    fields: differs.map((key) => ({ path: key, words: ['is not in both, or says something else'] })),
    outcome: 'not applied',
    outcomeNote: 'nothing was kept, and nothing was sent',
  });
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
  throw new Problem({
    category: 'conflict',
    code: 'limits_differ',
    message: `the run "${name}" was planned with other limits: at most ${most.join(' and ')}, rate tolerance ${mul(kept.tolerance, '100')} %`,
    hint: said`look at it with ${{ do: 'show_run', name }}; with other limits it needs another name, once this one is cancelled`,
    outcome: 'not applied',
    outcomeNote: 'the limits that stand are as before, and nothing was sent',
  });
}
