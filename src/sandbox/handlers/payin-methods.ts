/** Collections by their payin method: look, change details or hand in a code, try again, cancel. */

import { isCalledOff } from '../../contract/states/money.ts';
import { isUnfunded } from '../machines/transaction.ts';
import { fieldsNamed, ownDetails, payinFlow, readInDetails } from '../rules/payin.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, isWrapped } from '../rules/reading.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { PayinRecord, Plain, TransactionRecord } from '../store/records.ts';
import { cancelCollection } from '../transitions/cancel.ts';
import { canPayin, payinById, schedulePayins, WRONG_OTP } from '../transitions/collection.ts';
import { changePayin, movePayin } from '../transitions/moves.ts';
import { payinJson } from '../views/payin.ts';
import { permissionsOf } from '../views/recipient.ts';
import { recipientsOf } from '../views/transaction.ts';
import { type Answer, absent, type Handler, ok, refused } from './handler.ts';

interface Found {
  transaction: TransactionRecord;
  payin: PayinRecord;
}

function find({ store }: SandboxState, id: string): Found | null {
  const transaction = store.transactions.byPayin(id);
  return transaction ? { transaction, payin: payinById(transaction, id) } : null;
}

export const getPayinMethod: Handler = (sandbox, { id }) => {
  const found = find(sandbox, id);
  return found ? ok(payinJson(found.payin, found.transaction)) : absent;
};

/** The body is the bare payin method; its type and flow stay what they are. */
export const editPayinMethod: Handler = (sandbox, { id, body }) => {
  const found = find(sandbox, id);
  if (!found) return absent;
  const { transaction, payin } = found;
  const problems = new Problems();
  const missing = new Problems();
  if (isWrapped(body, payinJson(payin, transaction)))
    problems.say('the body has no member of a payin method: it is sent bare, without a wrapper');
  if (!isBlank(body.type) && body.type !== payin.type) problems.add('type', 'invalid');
  if (!isBlank(body.ux_flow) && body.ux_flow !== payin.uxFlow) problems.add('ux_flow', 'invalid');
  if (!isBlank(body.in_details) && !isPlain(body.in_details)) problems.add('in_details', 'invalid');
  const inDetails = { ...payin.inDetails, ...(isPlain(body.in_details) ? ownDetails(body.in_details) : {}) };
  const flow = payinFlow(payin.type, payin.uxFlow);
  if (flow) readInDetails(flow, inDetails, problems, missing);
  if (inDetails.otp === WRONG_OTP) problems.add('otp', 'invalid');
  if (!canPayin(payin, 'edit')) problems.say(`a payin that is ${payin.state} cannot be changed`);
  if (problems.any) return refusal(found, problems, body);
  if (payin.state === 'incomplete' && missing.any) changePayin(sandbox, transaction, { ...payin, inDetails });
  else edit(sandbox, found, inDetails);
  return answer(transaction, id);
};

function edit(sandbox: SandboxState, { transaction, payin }: Found, inDetails: Plain): void {
  movePayin(sandbox, transaction, payin, 'edit', {
    inDetails,
    reasonCode: payin.state === 'incomplete' ? null : payin.reasonCode,
  });
  if (payin.state === 'incomplete') schedulePayins(sandbox, transaction);
}

export const retryPayinMethod: Handler = (sandbox, { id }) => {
  const found = find(sandbox, id);
  if (!found) return absent;
  const { transaction, payin } = found;
  if (!canPayin(payin, 'retry') || !isUnfunded(transaction.state)) {
    return refusal(
      found,
      new Problems().say(`only a payin in state error can be retried, not ${payin.state}`),
    );
  }
  movePayin(sandbox, transaction, payin, 'retry', { reasonCode: null });
  schedulePayins(sandbox, transaction);
  return answer(transaction, id);
};

/**
 * Cancels the collection with its transaction, unless a payout was made from it; asking twice does no harm.
 * @assumes payin-cancel
 */
export const cancelPayinMethod: Handler = (sandbox, { id }) => {
  const found = find(sandbox, id);
  if (!found) return absent;
  const { transaction, payin } = found;
  if (isCalledOff(payin.state)) return ok(payinJson(payin, transaction));
  const barrier = cancelBarrier(sandbox, transaction);
  if (barrier) return refusal(found, new Problems().say(barrier));
  cancelCollection(sandbox, transaction, payin);
  return answer(transaction, id);
};

function cancelBarrier(sandbox: SandboxState, transaction: TransactionRecord): string | null {
  if (transaction.fundedAt === null) return null;
  const kept = recipientsOf(sandbox.store, transaction).filter(
    (each) => !isCalledOff(each.state) && !permissionsOf(each).mayCancel,
  );
  return kept.length > 0 ? `a recipient is ${kept[0]?.state}: the collection cannot be cancelled` : null;
}

function answer(transaction: TransactionRecord, id: string): Answer {
  return ok(payinJson(payinById(transaction, id), transaction));
}

function refusal({ payin, transaction }: Found, problems: Problems, sent: Plain = {}): Answer {
  const { in_details } = sent;
  return refused({
    ...payinJson(payin, transaction),
    ...(isPlain(in_details) ? { in_details: { ...payin.inDetails, ...in_details } } : {}),
    fields: fieldsNamed(payin.type, payin.uxFlow, Object.keys(problems.wire ?? {})),
    errors: problems.wire,
  });
}
