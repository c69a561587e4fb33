/**
 * Tells who may pay a run. The rule of two persons belongs to the run: planning writes it into the plan and its digest, and the payer
 * holds the run to it, whichever profile, variables or worker that is. Two persons are two keys, told apart by a hash of the whole key.
 */
import { knownKey } from '../contract/account-key.ts';
import { type AccountKey, accountRelation, type KeyJoin, type KnownKey } from '../core/account.ts';
import { type Hint, hint } from '../core/next.ts';
import { type Problem, unsent, usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import type { Connection } from '../profiles/connection.ts';
import { whoHolds, whoPlanned, whoRejected } from './persons.ts';
import { planOf } from './plan-text.ts';
import type { PayRun } from './store/port.ts';

export const isTwoPerson = (run: Pick<PayRun, 'plan'>): boolean => planOf(run).twoPerson === true;

/** True where the key that is in use planned the run. */
export const plannedWith = (
  run: PayRun,
  { credentials: { key } }: Pick<Connection, 'credentials'>,
  joins: readonly KeyJoin[],
): boolean => isPlanner(run, knownKey(key), joins);

/** Keys that are joined are one person's, proven or not. */
const isPlanner = (run: PayRun, key: KnownKey, joins: readonly KeyJoin[]): boolean =>
  accountRelation(plannerOf(run), { ...key, baseUrl: run.account.baseUrl }, joins) !== 'other';

/** A run that an earlier version planned knows its key by the last four alone. */
export const plannerOf = (run: Pick<PayRun, 'plan' | 'account'>): AccountKey => ({
  baseUrl: run.account.baseUrl,
  keyLast4: run.account.keyLast4,
  keyPrint: planOf(run).planner,
});

/** Asked before anything of a run is sent. @throws Problem (pending) where it is on hold, (conflict), or (usage) where it is not approved yet */
export async function refuseUnruly(desk: Desk, run: PayRun, joins: readonly KeyJoin[]): Promise<void> {
  if (run.hold !== undefined) throw onHold(run, 'is on hold');
  const { limits, name: profile } = await desk.connection();
  if (run.rejection !== undefined)
    throw unruly(
      'run_rejected',
      `the run "${run.name}" was rejected by ${whoRejected(run.rejection)}: ${run.rejection.because}`,
      hint`where the reason is gone it is approved again: ${{ do: 'approve_run', name: run.name }}`,
    );
  if (!isTwoPerson(run)) {
    if (limits.two_person !== true) return;
    throw unruly(
      'one_person_run',
      `the run "${run.name}" was planned without the rule of two persons, and profile "${profile}" has it (two_person)`,
      hint`plan it with this profile, under another name: ${{ do: 'plan_run' }}`,
    );
  }
  if (run.approval === undefined)
    throw usage(
      `the run "${run.name}" is not approved, and it was planned for two persons`,
      hint`a second person approves it: ${{ do: 'approve_run', name: run.name }}`,
    );
  if (isPlanner(run, run.approval, joins))
    throw unruly(
      'same_person',
      `the run "${run.name}" was planned and approved with one key (${whoPlanned(run)}), and it was planned for two persons`,
      'another person approves it, with a key of their own',
    );
}

/** True where a run that was begun may go on: not stopped, held or changed meanwhile. */
export const isAsBefore = (now: PayRun | undefined, { digest }: PayRun): boolean =>
  now?.state === 'approved' && now.hold === undefined && now.digest === digest;

/** The problem of a run that is on hold. */
export const onHold = ({ name, hold }: PayRun, stands: string): Problem =>
  unsent(
    'pending',
    'run_on_hold',
    `the run "${name}" ${stands}${hold === undefined ? '' : `, by ${whoHolds(hold)}: ${hold.because}`}`,
    hint`when the reason is gone: ${{ do: 'release_run', name }}`,
  );

const unruly = (code: string, message: string, hint: Hint): Problem =>
  unsent('conflict', code, message, hint);
