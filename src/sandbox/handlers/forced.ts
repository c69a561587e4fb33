/** Sandbox only: payouts and payins that succeed because they are told to. */
import { payinMethodMoves } from '../../contract/states/payin-method.ts';
import { findMove } from '../../contract/states/state.ts';
import { Problems } from '../rules/problems.ts';
import { isPlain, requireText } from '../rules/reading.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { TransactionRecord } from '../store/records.ts';
import { collect } from '../transitions/collection.ts';
import { senderBarrier } from '../transitions/may-transact.ts';
import { forcePayouts } from '../transitions/payout.ts';
import { takesMoney } from '../transitions/uncleared.ts';
import { transactionJson } from '../views/transaction.ts';
import { type Answer, absent, type Handler, ok, refused } from './handler.ts';

/** @assumes forced-payout */
export const forcePayout: Handler = (sandbox, { id }) => {
  const transaction = sandbox.store.transactions.get(id);
  if (!transaction) return absent;
  if (forcePayouts(sandbox, transaction)) return ok(transactionJson(sandbox, transaction));
  const problems = new Problems().say('only a funded transaction with unpaid recipients can be paid out');
  return refusal(sandbox, transaction, problems);
};

export const forcePayin: Handler = (sandbox, { id, body }) => {
  const transaction = sandbox.store.transactions.get(id);
  if (!transaction) return absent;
  const problems = new Problems();
  const sent = isPlain(body.payin_method) ? body.payin_method : {};
  const type = requireText(sent.type, 'payin_method.type', problems);
  const payin = transaction.payins.find((each) => each.type === type);
  if (type !== null && !payin) problems.add('payin_method.type', 'invalid');
  if (payin && !takesMoney(transaction, payin)) {
    problems.say(`the transaction is ${transaction.state}: it takes no money from this payin`);
  }
  const barrier = senderBarrier(sandbox, transaction);
  if (barrier) problems.say(barrier);
  if (!payin || problems.any) return refusal(sandbox, transaction, problems);
  if (!findMove(payinMethodMoves, payin.state, 'force_payin')) {
    return refusal(sandbox, transaction, problems.say(`a payin that is ${payin.state} cannot succeed`));
  }
  collect(sandbox, transaction, payin, 'force_payin');
  return ok(transactionJson(sandbox, transaction));
};

function refusal(sandbox: SandboxState, transaction: TransactionRecord, problems: Problems): Answer {
  return refused({ ...transactionJson(sandbox, transaction), errors: problems.wire });
}
