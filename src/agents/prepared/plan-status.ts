/**
 * Where a plan stands: read from the service and the journal each time, and kept nowhere else. A plan that was carried out twice, by an agent, by a
 * person or under the same reference elsewhere, reads alike.
 */

import { isOpenOf, isSamePayment } from '../../client/bound.ts';
import { isMadeOtherwise } from '../../client/closing.ts';
import { detailDifferences } from '../../client/compare.ts';
import { isFunded } from '../../client/funded.ts';
import { type Intent, UNSETTLED } from '../../client/store/port.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isCalledOff, isPaidOut } from '../../contract/states/money.ts';
import { isoTime } from '../../core/clock.ts';
import { doneBefore } from '../../payments/cases/done-before.ts';
import type { Desk } from '../../payments/desk.ts';
import { findRecipients } from '../../payments/lookup/recipient.ts';
import { transactionByExternalId } from '../../payments/lookup/transaction.ts';
import { accountRelationOf } from '../../payments/settle.ts';
import { recipientLine } from '../../payments/words/payment-lines.ts';
import { isRunning } from '../../profiles/worker.ts';
import * as runs from '../runs/wish.ts';
import { PLAN_LIVES_MS, type Prepared } from '../store/port.ts';
import { type PlanState, type PlanStatus, planStatus } from './plan-state.ts';
import type { CancelWish, CorrectionWish, PreparedPayment, Wish } from './wish.ts';

/** @param now the service's time, where it says it */
export const isExpired = ({ createdAt, plannedAt = createdAt }: Prepared, now: number): boolean =>
  plannedAt + PLAN_LIVES_MS <= now;

/** The time of the latest answer of the service; that of this machine where it does not say. */
export const timeOfAnswers = async (desk: Desk): Promise<number> =>
  (await desk.client()).date() ?? desk.clock.now();

/** @throws CallError where the service cannot say, and the journal says nothing either */
export async function planStatusOf(desk: Desk, plan: Prepared, wish: Wish): Promise<PlanStatus> {
  const found = await STANDS[wish.kind](desk, wish as never);
  return found ?? planStatus({ state: isExpired(plan, await timeOfAnswers(desk)) ? 'expired' : 'planned' });
}

type Stands<W> = (desk: Desk, wish: W) => Promise<PlanStatus | undefined>;
const STANDS: { [K in Wish['kind']]: Stands<Extract<Wish, { kind: K }>> } = {
  payment: ofPayment,
  correction: ofCorrection,
  cancel: ofCancel,
  ...runs.statuses,
};

export async function ofPayment(desk: Desk, { body }: PreparedPayment): Promise<PlanStatus | undefined> {
  const open = await leftOpen(desk, (one) => one.externalId === body.external_id || false);
  if (open !== undefined) return open;
  const found = await transactionByExternalId(await desk.client(), body.external_id);
  if (found === undefined) return undefined;
  const known = ofTransaction(desk, found);
  if (!isSamePayment(body, found) && !isCalledOff(found.state) && (await isOurs(desk, found))) {
    return planStatus({ state: 'unknown', ...known, why: MADE_OTHERWISE });
  }
  return planStatus({ ...stateOfPayment({ body }, found), ...known });
}

const MADE_OTHERWISE = 'it was made with other money or another payee: a person looks at it';

/** True where a request of this machine made it, otherwise than it asked. */
async function isOurs(desk: Desk, { id }: Transaction): Promise<boolean> {
  const { intents } = await desk.store();
  const applied = await intents.list({ states: ['applied'], limit: Number.MAX_SAFE_INTEGER });
  return applied.some((one) => one.resultId === id && isMadeOtherwise(one));
}

function stateOfPayment({ body }: Pick<PreparedPayment, 'body'>, found: Transaction): { state: PlanState } {
  if (!isSamePayment(body, found)) return { state: 'taken' };
  if (isCalledOff(found.state)) return { state: 'not_applied' };
  // It was created under a limit and not paid yet: carrying it out goes on with it.
  if (isOpenOf(body, found) && !isFunded(found)) return { state: 'planned' };
  return { state: 'applied' };
}

const ofTransaction = (desk: Desk, { id, state, recipients }: Transaction) => ({
  now: state ?? undefined,
  transactionId: id ?? undefined,
  lines: (recipients ?? []).map((one) => lineOf(desk, one)),
});

const lineOf = (desk: Desk, one: Recipient): string =>
  `${recipientLine(one, desk.mask)}: ${one.state ?? 'state unknown'}`;

async function ofCorrection(desk: Desk, wish: CorrectionWish): Promise<PlanStatus | undefined> {
  const open = await leftOpen(desk, ({ subject }) => subject === wish.recipientId);
  if (open !== undefined) return open;
  const [found] = await findRecipients(desk, [wish.recipientId], { use: 'read' });
  if (found === undefined) return undefined;
  const { recipient, transaction } = found;
  const details = recipient.payout_method?.details ?? {};
  const known = {
    now: recipient.state ?? undefined,
    transactionId: transaction.id ?? undefined,
    lines: [lineOf(desk, recipient)],
  };
  if (detailDifferences(wish.details, details).length === 0)
    return planStatus({ state: 'applied', ...known });
  const done = await carriedOut(desk, wish);
  if (done !== undefined) {
    const since = `it was carried out at ${isoTime(done.updatedAt)}; other details stand since then`;
    return planStatus({ state: 'applied', ...known, lines: [...known.lines, since] });
  }
  if (isPaidOut(recipient.state) || isCalledOff(recipient.state))
    return planStatus({ state: 'not_applied', ...known });
  return undefined;
}

/** The edit of this correction in the journal, since it was planned: a correction is carried out once, whatever was corrected after it. */
export async function carriedOut(desk: Desk, wish: CorrectionWish): Promise<Intent | undefined> {
  const { recipientId: subject, sends: digest, after } = wish;
  if (digest === undefined) return undefined;
  const { intents } = await desk.store();
  for (const intent of await intents.list({ subject, digest, after, states: ['applied'] }))
    if ((await accountRelationOf(desk, intent)) !== 'other') return intent;
  return undefined;
}

async function ofCancel(desk: Desk, wish: CancelWish): Promise<PlanStatus | undefined> {
  const open = await leftOpen(
    desk,
    ({ subject }) => subject !== undefined && wish.recipientIds.includes(subject),
  );
  if (open !== undefined) return open;
  const found = await findRecipients(desk, wish.recipientIds, { use: 'read' });
  const known = {
    now: found.map(({ recipient }) => recipient.state ?? '').join(', '),
    transactionId: found[0]?.transaction.id ?? undefined,
    lines: found.map(({ recipient }) => lineOf(desk, recipient)),
  };
  const states = found.map(({ recipient }) => recipient.state);
  if (states.every((state) => isCalledOff(state))) return planStatus({ state: 'applied', ...known });
  if (states.every((state) => isCalledOff(state) || isPaidOut(state)))
    return planStatus({ state: 'not_applied', ...known });
  const asked = await Promise.all(found.map(({ recipient }) => doneBefore(desk, recipient)));
  const isAsked = asked.some(({ cancelRequestedMs }) => cancelRequestedMs !== undefined);
  return isAsked ? planStatus({ state: 'under_way', ...known }) : undefined;
}

/** A request of this account whose outcome is not known: under way while its process runs. */
async function leftOpen(desk: Desk, isIts: (intent: Intent) => boolean): Promise<PlanStatus | undefined> {
  const { intents } = await desk.store();
  const open = await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER });
  for (const intent of open.filter(isIts)) {
    if ((await accountRelationOf(desk, intent)) === 'other') continue;
    const isGoing = intent.state === 'open' && isRunning(intent, desk.machine, desk.clock.now());
    return planStatus({
      state: isGoing ? 'under_way' : 'unknown',
      intentId: intent.id,
      lines: [intent.summary],
      ...(!isGoing && { why: whyOpen(intent) }),
    });
  }
  return undefined;
}

const whyOpen = ({ createdAt, note }: Intent): string =>
  `the request of ${isoTime(createdAt)} has no answer that proves what became of it${note === undefined ? '' : ` (${note})`}`;
