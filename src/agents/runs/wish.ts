/** Plans of pay runs: how one stands, and how it is carried out. */
import { counted } from '../../core/amount-words.ts';
import { byWord } from '../../core/by-word.ts';
import { escapeLine } from '../../core/escape.ts';
import { unsent } from '../../core/problem.ts';
import { type Desk, tell } from '../../payments/desk.ts';
import type { LikenessIndex } from '../../payments/likeness.ts';
import { USUAL } from '../../payments/shared-store.ts';
import { authorizeRun } from '../../runs/approve.ts';
import { runConclusion } from '../../runs/conclusion.ts';
import { findRun, refuseOtherAccount } from '../../runs/find-run.ts';
import { indexRows } from '../../runs/like-payments.ts';
import { openPayStore } from '../../runs/open-store.ts';
import { payRun } from '../../runs/pay.ts';
import { type Doing, type PlanState, type PlanStatus, planStatus } from '../prepared/plan-state.ts';
import type { RunWish } from '../prepared/wish.ts';

const RUN_STATES: Readonly<Record<string, PlanState>> = byWord({
  done: 'applied',
  unknown: 'unknown',
  check: 'applied',
  conflict: 'not_applied',
});

async function ofRun(desk: Desk, wish: RunWish): Promise<PlanStatus | undefined> {
  const { payruns } = await openPayStore(desk, USUAL);
  const run = await findRun(desk, payruns, wish.runId, 'read');
  if (run.state === 'cancelled') return planStatus({ state: 'not_applied', now: run.state });
  const { shown, ending } = await runConclusion(payruns, run);
  if ((shown.states.planned ?? 0) === shown.rows) return undefined;
  const state = RUN_STATES[ending] ?? 'under_way';
  const rows = (shown.states.unknown ?? 0) + (shown.states.sending ?? 0);
  const why =
    state === 'unknown' ? `it is not known of ${counted(rows, 'row')} whether it was paid` : undefined;
  return planStatus({ state, now: shown.status, ...(why && { why }) });
}

/** Adds the payees of its rows, and their external ids. */
async function indexPlannedRun(
  desk: Desk,
  { runId }: RunWish,
  { index, own }: { index: LikenessIndex; own: Set<string> },
): Promise<void> {
  const { payruns } = await openPayStore(desk, USUAL);
  await indexRows(payruns, runId, { index, own });
}

async function run(desk: Desk, wish: RunWish, { confirmer, frame, again }: Doing): Promise<void> {
  const store = await openPayStore(desk, USUAL);
  const found = await findRun(desk, store.payruns, wish.runId, 'write');
  if (found.digest !== wish.digest)
    throw unsent(
      'conflict',
      'changed_since',
      'this run was planned anew since',
      'look at it, and plan it again',
    );
  await refuseOtherAccount(desk, { run: found, payruns: store.payruns, joins: await store.intents.joins() });
  for (const line of frame) tell(desk, `  ${escapeLine(line)}`);
  const admitted = await authorizeRun(desk, store, { run: found, confirmer, again });
  await payRun(desk, store, { ...admitted, inFlight: IN_FLIGHT, perSecond: undefined, tolerance: undefined });
}

/** Payments at once, as a run has them at the terminal. */
const IN_FLIGHT = 16;

export const statuses = { run: ofRun };
export const indexed = { run: indexPlannedRun };
export const planActs = { run };
