/**
 * A digest is approved, and rows of a store that others can write to are sent. So the digest is made again
 * from the rows that would be sent: whole, before anybody approves a run or begins to pay it, and window by
 * window before its first row leaves. A difference stops the run. See docs/pay-runs.md for who could still
 * deceive this.
 */

import { counted, thousands } from '../core/amount-words.ts';
import { hint } from '../core/next.ts';
import { type Problem, refuse } from '../core/problem.ts';
import { contentOf, hashOfWindow, planDigest, planOf, type RunPlan } from './plan-text.ts';
import type { PayRow, PayRun, PayRuns } from './store/port.ts';

const PAGE = 1000;
const NAMED = 10;

/** Reads every row. When it was found to be as planned is kept with the run. @throws Problem (check) that names the rows */
export async function refuseAltered(payruns: PayRuns, run: PayRun): Promise<void> {
  const differs = await differenceOf(payruns, run);
  if (differs !== undefined) throw await stopped(payruns, run, differs);
  await payruns.keepChecked(run.id);
}

/** Reads no row. Asked before the plan says whose run it is. @throws Problem (check) */
export async function refuseAlteredPlan(payruns: PayRuns, run: PayRun): Promise<void> {
  const differs = differenceInPlan(run);
  if (differs !== undefined) throw await stopped(payruns, run, differs);
}

/** Before a window's first row: `rows` are all of it, in their order, and are what is sent. @throws Problem (check) */
export async function refuseAlteredWindow(
  payruns: PayRuns,
  { run, plan, window, rows }: { run: PayRun; plan: RunPlan; window: number; rows: readonly PayRow[] },
): Promise<void> {
  const differs = differenceIn(plan, window, rows);
  if (differs !== undefined) throw await stopped(payruns, run, differs);
}

/**
 * The problem of a row whose intent differs from it. Settling sends again as the intent says: that must be
 * what the row says.
 */
export const alteredRequest = (payruns: PayRuns, run: PayRun, row: PayRow): Promise<Problem> =>
  stopped(payruns, run, `what was sent for row ${nameOf(row)} was changed in the store`);

async function differenceOf(payruns: PayRuns, run: PayRun): Promise<string | undefined> {
  const plan = planOf(run);
  if (plan.windows === undefined) throw ofEarlierVersion(run);
  const inPlan = differenceInPlan(run);
  if (inPlan !== undefined) return inPlan;
  let [count, place] = [0, 0];
  for await (const rows of windowsOf(payruns, run)) {
    const differs = differenceIn(plan, place, rows);
    if (differs !== undefined) return differs;
    count += rows.length;
    place += 1;
  }
  return count === run.rows && place === plan.windows.length
    ? undefined
    : `it has ${counted(count, 'row')} in the store, and ${thousands(run.rows)} were planned`;
}

const differenceInPlan = (run: PayRun): string | undefined =>
  planDigest(planOf(run), run.account.baseUrl, run.name) === run.digest
    ? undefined
    : 'its totals, limits, rule or digest were changed in the store';

async function* windowsOf(payruns: PayRuns, run: PayRun): AsyncGenerator<readonly PayRow[]> {
  let gathered: PayRow[] = [];
  for (let after = 0; ; ) {
    const rows = await payruns.rows(run.id, { after, limit: PAGE });
    gathered.push(...rows);
    while (gathered.length >= run.windowSize) {
      yield gathered.slice(0, run.windowSize);
      gathered = gathered.slice(run.windowSize);
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.n;
  }
  if (gathered.length > 0) yield gathered;
}

function differenceIn({ windows }: RunPlan, window: number, rows: readonly PayRow[]): string | undefined {
  if (windows?.[window] === hashOfWindow(rows)) return undefined;
  const changed = rows.filter(({ externalId, body, content }) => content !== contentOf(externalId, body));
  const named = changed.slice(0, NAMED).map(nameOf).join(', ');
  const more = changed.length > NAMED ? `, and ${changed.length - NAMED} more` : '';
  if (changed.length > 0)
    return changed.length === 1
      ? `row ${named} was changed in the store`
      : `rows ${named}${more} were changed in the store`;
  const [first, last] = [rows[0], rows.at(-1)];
  return first === undefined || last === undefined
    ? `rows of window ${window} are missing in the store`
    : `of the rows from ${nameOf(first)} to ${nameOf(last)}, one was changed, added or taken out in the store`;
}

const nameOf = ({ n, key }: PayRow): string => `${n} (${key})`;

/** Stops it for other processes too. */
async function stopped(payruns: PayRuns, run: PayRun, differs: string): Promise<Problem> {
  const message = `the run "${run.name}" is not what was planned: ${differs}`;
  await payruns.move(run.id, ['approved'], 'paused', differs);
  return refuse('check', 'run_altered', message, {
    hint: hint`find out who can write to the store. See what was paid with ${{ do: 'show_run', name: run.name }}, and plan the rest from your own file under another name`,
    note: 'nothing of these rows was sent',
  });
}

const ofEarlierVersion = ({ name }: PayRun): Problem =>
  refuse(
    'conflict',
    'run_of_earlier_version',
    `the run "${name}" was planned by an earlier version of remit, which kept nothing to check its rows by`,
    {
      hint: hint`write the rows that are not paid to a file, and plan that under another name: ${{ do: 'remaining_of_run', name }}`,
      note: 'nothing of it was sent',
    },
  );
