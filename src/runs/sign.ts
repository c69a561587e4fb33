/**
 * Approves or rejects a run with the user's own key.
 *
 * If the process dies
 *   before the statement is made   nothing was changed; the question may have been answered.
 *   after it is signed             the same: a signature that is not kept approves nothing.
 *   after it is kept               it stands, and in the same step the run is approved, or paused. The same command again signs anew, and the
 *                                  later statement takes the place of the earlier one.
 */

import { isCallError } from '../client/errors.ts';
import { isoTime } from '../core/clock.ts';
import { type Problem, usage } from '../core/problem.ts';
import { byName } from '../payments/confirmation.ts';
import type { Desk } from '../payments/desk.ts';
import { authorizeWrite } from '../payments/gate.ts';
import { serviceDate } from '../payments/service-time.ts';
import type { Signer } from '../profiles/approver-key.ts';
import {
  type Approving,
  authorizeApproval,
  changedMeanwhile,
  refuseCancelled,
  refuseOtherDigest,
} from './approve.ts';
import { whoSays } from './persons.ts';
import { planOf } from './plan-text.ts';
import { toReplace } from './signatures.ts';
import { signedRunOf, signStatement } from './statement.ts';
import type { PayRun, Rejection, SignedVerdict } from './store/port.ts';
import type { PayStore } from './terms.ts';

const HOLDS_MS = 7 * 24 * 3_600_000;

/**
 * When an approval ends where its approver does not say it: a week after it is made, and after the run may be paid at all.
 * @param notBefore when the run may be paid
 */
export const approvalEnd = (now: number, notBefore = now): number => Math.max(now, notBefore) + HOLDS_MS;

interface Saying extends Approving {
  run: PayRun;
  digest: string;
}

/** @throws Problem as `approveRun` does, and (usage) for an end that is past */
export async function signRun(
  desk: Desk,
  store: PayStore,
  {
    run,
    digest,
    confirmer,
    changed: number,
    signer,
    until,
  }: Saying & { signer: Signer; until?: (now: number) => number },
): Promise<PayRun> {
  refuseOtherDigest(run, digest);
  refuseCancelled(run);
  const now = await timeNow(desk);
  const end = until === undefined ? approvalEnd(now, planOf(run).notBefore?.at) : until(now);
  if (end <= now) throw usage(`an approval until ${isoTime(end)} would be over already`, 'name a later day');
  await authorizeApproval(desk, store, { run, confirmer, changed: number, until: end });
  const said = { verdict: 'approve', until: isoTime(end) } as const;
  const statement = await statementOf(run, signer, { ...said, at: isoTime(now) });
  const approval = await whoSays(desk);
  const given = { statement, approval, over: run.rejection?.at };
  if ((await store.payruns.sign(run.id, run.digest, given)) !== 'signed') throw await changed(store, run);
  return nowOf(store, run);
}

/** With the signature of an approver where this machine has a key. @throws Problem */
export async function rejectRun(
  desk: Desk,
  store: PayStore,
  { run, digest, confirmer, because, signer }: Saying & { because: string; signer: Signer | undefined },
): Promise<PayRun> {
  refuseOtherDigest(run, digest);
  refuseCancelled(run);
  const what = [`run ${run.name}: nobody pays it before it is approved again`];
  await authorizeWrite(desk, { effect: 'write', what, confirm: byName(run.name) }, confirmer);
  const now = isoTime(await timeNow(desk));
  const said = { verdict: 'reject', because, at: now } as const;
  const statement = signer && (await statementOf(run, signer, said));
  const by = await whoSays(desk);
  const rejection: Rejection = { ...by, because, ...(signer && { approver: signer.name }) };
  const why = `rejected by ${signer?.name ?? by.by ?? by.profile}: ${because}`;
  const ended = await store.payruns.reject(run.id, run.digest, { statement, rejection, why });
  if (ended !== 'rejected') throw await changed(store, run);
  return nowOf(store, run);
}

async function statementOf(
  run: PayRun,
  { name, key, privateKey }: Signer,
  said: Pick<SignedVerdict, 'verdict' | 'because' | 'until' | 'at'>,
): Promise<SignedVerdict> {
  const about = signedRunOf(run);
  const replaces = toReplace(about, run.statements, { name, key });
  return signStatement(about, { approver: name, key, ...said, replaces }, await privateKey());
}

/** The service's time where it can be asked. Only a payer must know it: there an approval ends by that time alone. */
async function timeNow(desk: Desk): Promise<number> {
  try {
    return (await serviceDate(desk)) ?? desk.clock.now();
  } catch (error) {
    if (!isCallError(error)) throw error;
    return desk.clock.now();
  }
}

const nowOf = async ({ payruns }: PayStore, run: PayRun): Promise<PayRun> =>
  (await payruns.find(run.account.baseUrl, run.id))[0] ?? run;

const changed = async (store: PayStore, run: PayRun): Promise<Problem> =>
  changedMeanwhile(run, (await store.payruns.find(run.account.baseUrl, run.id))[0]);
