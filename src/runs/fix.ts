/**
 * Corrects whom a row pays, in place, where surely nothing was paid for it. The row keeps its external id: the service pays one of two
 * copies, and what stands there with other details is a conflict. The plan says what was corrected, so its digest is another one, and
 * its approver approves it again. Where two persons are wanted, the planner corrects it: the other one looks at it.
 *
 * If the process dies
 *   before the correction is kept   the run is as it was. A hidden draft may stay; the next correction of the row removes it.
 *   after it                        the row has its new details, and the run waits for an approval; the same command finds nothing to change.
 * A worker that holds the window of the row loses it in the same step, so it opens nothing by the old body.
 */

import { counted, money } from '../core/amount-words.ts';
import { type Hint, hint } from '../core/next.ts';
import { notFound, Problem, refuse, usage } from '../core/problem.ts';
import { byAccount, byName } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite, type Confirmer } from '../payments/gate.ts';
import { serviceDate } from '../payments/service-time.ts';
import { changeLines, pick } from '../payments/words/changes.ts';
import { refuseRepeat } from './again.ts';
import { refuseAltered } from './altered.ts';
import { refuseCancelled, repeatedLines } from './approve.ts';
import { refuseOtherAccount } from './find-run.ts';
import { asItStands, checkedAgain, detailsIn, type RowCorrection, rowWith } from './fixed-row.ts';
import { payeeDetails, shownPayee } from './payee.ts';
import { acceptChanged, comparePayees, payeeLines, tellPayees } from './payees.ts';
import { whoPlanned, whoRejected, whoSays } from './persons.ts';
import { repeatedSince } from './plan.ts';
import {
  type FixedRow,
  hashOfWindow,
  type PlannedPayees,
  planDigest,
  planOf,
  type RunPlan,
} from './plan-text.ts';
import { countIn } from './rows-in.ts';
import { isTwoPerson, plannedWith } from './rule.ts';
import { judgeStatements } from './signatures.ts';
import { signedRunOf } from './statement.ts';
import {
  type NewRow,
  type PayRow,
  type PayRun,
  type Repeated,
  type RepeatedIn,
  rowStates,
} from './store/port.ts';
import type { PayStore } from './terms.ts';

export interface FixWish extends RowCorrection {
  run: PayRun;
  /** The key of the row, or its external id. */
  key: string;
  confirmer: Confirmer;
  /** How many payees are not as before, given by a user who knows it. */
  acceptChanged?: number | undefined;
  /** Names of runs, whose rows are to be paid again though it is soon. */
  repeats: readonly string[];
}

export interface Fixed {
  run: PayRun;
  /** The row before the correction. */
  row: PayRow;
  /** The details that changed; none where the row reads like that already. */
  changed: readonly string[];
}

/** @throws Problem (conflict) for a row that may have been paid, (validation) for details that are not right, (usage), (check) */
export async function fixRow(desk: Desk, store: PayStore, wish: FixWish): Promise<Fixed> {
  const { payruns } = store;
  const { run, key, confirmer } = wish;
  await refuseUnfixable(desk, store, run);
  const row = await payruns.row(run.id, key);
  if (row === undefined)
    throw notFound(`run "${run.name}" has no row "${key}"`, hint`${{ do: 'show_rows', name: run.name }}`);
  refuseMaybePaid(run, row);
  await refuseAltered(payruns, run);
  const notes: string[] = [];
  const payment = await checkedAgain(desk, row, { ...wish, notes });
  tellPayees(desk, notes);
  const [before, after] = [payeeDetails(row), detailsIn(payment)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return { run, row, changed };
  const fixed = rowWith(row, payment);
  const who = { ...(await whoSays(desk)), n: row.n, key: row.key, set: changed };
  const plan = planWith(planOf(run), who);
  plan.windows = await windowsWith(store, run, { windows: plan.windows ?? [], row: row.window, fixed });
  plan.payees = await payeesWith(desk, store, { wish, row, fixed, plan });
  const waiting = await countIn(payruns, run, ['planned']);
  const step = {
    effect: 'money' as const,
    confirm: byAccount(after, byName(run.name)),
    what: [
      `correct row ${row.n} (${row.key}) of run ${run.name}, ${money(row.amount, row.currency)} to ${payeeWords(row, desk)}`,
      ...changeLines(desk, before, pick(after, changed)),
      ...(run.state === 'planned' ? [] : [approvalEnds(waiting)]),
    ],
  };
  await authorizeWrite(desk, step, confirmer);
  const digest = planDigest(plan, run.account.baseUrl, run.name);
  const ended = await payruns.fix(run.id, run.digest, { row: fixed, digest, plan: JSON.stringify(plan) });
  if (ended !== 'fixed') throw changedMeanwhile(run, row);
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  return { run: now, row, changed };
}

const approvalEnds = (waiting: number): string =>
  waiting === 0
    ? 'the approval of the run ends'
    : `the approval of the run ends: ${counted(waiting, 'row')} not sent yet ${waiting === 1 ? 'waits' : 'wait'} for another`;

const payeeWords = (row: PayRow, { mask }: Desk): string =>
  Object.values(shownPayee(row, mask)).filter(Boolean).join(', ');

/** @throws Problem (usage, conflict, config) for a run that must not be fixed, or not by this key */
async function refuseUnfixable(desk: Desk, { payruns, intents }: PayStore, run: PayRun): Promise<void> {
  refuseCancelled(run);
  const joins = await intents.joins();
  await refuseOtherAccount(desk, { run, payruns, joins });
  // In the plan of an earlier version nothing says what its rows are.
  if (isTwoPerson(run) && !plannedWith(run, await desk.connection(), joins))
    throw usage(
      `the run "${run.name}" was planned for two persons: whoever planned it (${whoPlanned(run)}) corrects it, and the other one approves it again`,
      hint`to stop it until then: ${{ do: 'hold_run', name: run.name }}`,
    );
  const accepted = run.statements.map(({ approver: name, key }) => ({ name, key }));
  const judged = judgeStatements(signedRunOf(run), run.statements, {
    rule: { needed: 1, accepted },
    now: undefined,
  });
  const [rejection] = judged.rejections;
  const by = run.rejection === undefined ? rejection?.approver : whoRejected(run.rejection);
  if (by === undefined) return;
  throw unfixed(
    'run_rejected',
    `the run "${run.name}" was rejected by ${by}, and a correction must not take that away`,
    hint`where the reason is gone it is approved again first: ${{ do: 'approve_run', name: run.name }}`,
  );
}

/** An external id that names a payment which ended for ever: under it nothing can be paid. */
const USED_UP: ReadonlySet<string | undefined> = new Set(['external_id_used_up', 'never_funded']);

/** @throws Problem (conflict) */
function refuseMaybePaid({ name }: PayRun, { key, state, code, recipientId }: PayRow): void {
  if (state === 'refused' && USED_UP.has(code))
    throw unfixed(
      'external_id_used_up',
      `row "${key}" cannot be paid under its external id, whatever its details are`,
      hint`it is paid under another one: ${{ do: 'remaining_of_run', name }}`,
    );
  if (rowStates[state].fixable) return;
  if (state === 'in_error' && recipientId !== undefined)
    throw unfixed(
      'row_in_error',
      `row "${key}" was paid for, and its payout is in error: it is corrected at the service`,
      hint`${{ do: 'edit_recipient', id: recipientId }}`,
    );
  throw unfixed(
    'row_not_fixable',
    `row "${key}" is ${state.replaceAll('_', ' ')}: only a row for which nothing was paid can be corrected`,
    hint`${{ do: 'show_row', name, key }}`,
  );
}

const unfixed = (code: string, message: string, hint: Hint): Problem =>
  refuse('conflict', code, message, { hint, note: 'nothing was changed, and nothing was sent' });

const payeeTwice = (run: PayRun, row: PayRow): Problem =>
  new Problem({
    ...unfixed(
      'duplicate_payment',
      `row "${row.key}" would have the account and the amount of another row of the run "${run.name}"`,
      'where both are meant, plan the second one in a run of its own',
    ).facts,
    category: 'check',
  });

const changedMeanwhile = (run: PayRun, { key }: PayRow): Problem =>
  unfixed(
    'run_changed',
    `the run "${run.name}", or its row "${key}", was changed meanwhile`,
    hint`${{ do: 'show_row', name: run.name, key }}`,
  );

const planWith = ({ fixes = [], ...plan }: RunPlan, who: FixedRow): RunPlan => ({
  ...plan,
  fixes: [...fixes, who],
});

/** Hashes of the windows, with that of this row made again. */
async function windowsWith(
  { payruns }: PayStore,
  run: PayRun,
  { windows, row: window, fixed }: { windows: readonly string[]; row: number; fixed: NewRow },
): Promise<string[]> {
  const rows = await payruns.rows(run.id, { window, limit: run.windowSize + 1 });
  const hash = hashOfWindow(rows.map((row) => (row.n === fixed.n ? { ...row, ...fixed } : row)));
  return windows.map((known, place) => (place === window ? hash : known));
}

/**
 * Compares whom the row pays now with what was paid before: it is shown, and answered for, as in a plan.
 * @throws Problem (check) for the account and amount of another row of the run, or of a run of these days
 */
async function payeesWith(
  desk: Desk,
  store: PayStore,
  { wish, row, fixed, plan }: { wish: FixWish; row: PayRow; fixed: NewRow; plan: RunPlan },
): Promise<PlannedPayees> {
  const planned = plan.payees ?? NOT_COMPARED;
  const isStrict = planned.isStrict && { isStrict: planned.isStrict };
  const before = await asItStands(desk, row);
  const was = before && (await alone(desk, store, { wish, fixed: before }, async ({ found }) => found));
  const now = await alone(desk, store, { wish, fixed }, async ({ found, repeated, runs, at, id }) => {
    const { run, repeats: allowed } = wish;
    // Another name alone pays no other account than the plan did.
    if (before?.payee !== fixed.payee) {
      if (runs.some(({ run: name }) => name === run.name)) throw payeeTwice(run, row);
      const soon = { name: nameOfDraft(wish, fixed), rows: 1, at, runs, allowed };
      await refuseRepeat(desk, store.payruns, soon);
    }
    const shown = { ...plan, repeated, payees: { ...found, ...isStrict } };
    tellPayees(desk, await payeeLines(desk, store.payruns, { id, account: run.account }, shown));
    tellPayees(desk, repeatedLines(shown));
    await acceptChanged(shown, { given: wish.acceptChanged, confirmer: wish.confirmer });
    return found;
  });
  const { n } = row;
  return {
    ...planned,
    changed: [...planned.changed.filter((one) => one.n !== n), ...now.changed].sort((a, b) => a.n - b.n),
    first: Math.max(0, planned.first + now.first - (was?.first ?? 0)),
    above: Math.max(0, planned.above + now.above - (was?.above ?? 0)),
    aboveRows: [...new Set([...planned.aboveRows.filter((key) => key !== row.key), ...now.aboveRows])],
  };
}

const NOT_COMPARED: PlannedPayees = { changed: [], first: 0, above: 0, aboveRows: [], unasked: 0 };

/** No run has such a name. */
const nameOfDraft = ({ run }: FixWish, { n }: NewRow): string => `${run.name}~${n}`;

/** A row that stands alone, beside the rows of all runs. */
interface Beside {
  id: string;
  /** The time that it is now, by the service. */
  at: number | undefined;
  runs: readonly RepeatedIn[];
  repeated: Repeated;
  found: PlannedPayees;
}

/** The row as the only one of a draft, which is gone afterwards. */
async function alone<T>(
  desk: Desk,
  { payruns }: PayStore,
  { wish, fixed }: { wish: FixWish; fixed: NewRow },
  look: (beside: Beside) => Promise<T>,
): Promise<T> {
  const { account, maker } = wish.run;
  const draft = await payruns.draft({ name: nameOfDraft(wish, fixed), account, maker, windowSize: 1 });
  try {
    await draft.append([fixed]);
    const id = await draft.keep();
    const at = await serviceDate(desk);
    const { runs, ...repeated } = await draft.repeated(repeatedSince(desk, at));
    const found = await comparePayees(desk, payruns, { draft, id });
    return await look({ id, at, runs, repeated, found });
  } finally {
    await draft.discard();
  }
}
