/**
 * A collection: the payin starts, asks for a code where its flow does, and ends by itself where its number says so, or when
 * the sandbox is told.
 */

import { codeInfo } from '../../contract/codes.ts';
import { payinType } from '../../contract/corridors/payins.ts';
import { type PayinMethodTrigger, payinMethodMoves } from '../../contract/states/payin-method.ts';
import { isNotStarted } from '../../contract/states/recipient.ts';
import { findMove } from '../../contract/states/state.ts';
import { roundFor } from '../../core/currency.ts';
import { invariant } from '../../core/invariants.ts';
import { add, type Decimal, div, eq, gt, isZero, mul, sub } from '../../core/money.ts';
import { payoutRetryDelay } from '../machines/recipient.ts';
import { payinCode } from '../outcomes.ts';
import { inDollars } from '../rates.ts';
import { payinFlow } from '../rules/payin.ts';
import { isBlank } from '../rules/reading.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { PayinRecord, RecipientRecord, TransactionRecord } from '../store/records.ts';
import { outDetailsOf } from '../views/payin.ts';
import { recipientsOf } from '../views/transaction.ts';
import { fundFromPayin } from './funding.ts';
import { senderBarrier } from './may-transact.ts';
import { movePayin, moveTransaction } from './moves.ts';
import { awaitAgain, takesMoney } from './uncleared.ts';

const AWAITED = '14';
const CODE_WANTED = '23';
const WRONG_CODE = '415';
const WRONG_AMOUNT = '45';
const SENDER_BARRED = '511';
/** The one-time code that is wrong; every other is right. @assumes one-time-code */
export const WRONG_OTP = '000000';

/** Due at once, where the transaction is a collection whose sender is approved. */
export function schedulePayins(sandbox: SandboxState, { id, state, payins }: TransactionRecord): void {
  if (payins.length === 0 || state !== 'approved') return;
  sandbox.schedule.add(sandbox.clock.now(), { kind: 'payin_start', transactionId: id });
}

export function startPayins(sandbox: SandboxState, transaction: TransactionRecord): void {
  for (const { id } of transaction.payins) {
    const payin = payinById(transaction, id);
    if (canPayin(payin, 'payin_start') && takesMoney(transaction, payin))
      startPayin(sandbox, transaction, payin);
  }
}

function startPayin(sandbox: SandboxState, transaction: TransactionRecord, payin: PayinRecord): void {
  if (senderBarrier(sandbox, transaction) !== null) {
    failPayin(sandbox, transaction, payin, SENDER_BARRED);
    return;
  }
  const { otp } = payin.inDetails;
  if (payinFlow(payin.type, payin.uxFlow)?.asksCode && isBlank(otp)) {
    movePayin(sandbox, transaction, payin, 'need_details', { reasonCode: CODE_WANTED });
    return;
  }
  const outDetails = outDetailsOf(payin, transaction);
  movePayin(sandbox, transaction, payin, 'payin_start', { reasonCode: AWAITED, outDetails });
  const started = payinById(transaction, payin.id);
  if (otp === WRONG_OTP) failPayin(sandbox, transaction, started, WRONG_CODE);
  else endByNumber(sandbox, transaction, started);
}

function endByNumber(sandbox: SandboxState, transaction: TransactionRecord, payin: PayinRecord): void {
  const code = payinCode(payin.type, payin.inDetails);
  if (code === '0') collect(sandbox, transaction, payin, 'payin_paid');
  else if (code !== null) failPayin(sandbox, transaction, payin, code);
}

export function failPayin(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  code: string,
): void {
  movePayin(sandbox, transaction, payin, 'payin_failed', { reasonCode: code });
  if (payin.state === 'processing') awaitAgain(sandbox, transaction);
  if (codeInfo(code)?.category === 'temporary_error') scheduleRetry(sandbox, transaction, payin.id);
}

/** The provider takes no collections at the moment (3x): tries again later, unless a client acts. @assumes payin-retried */
function scheduleRetry(sandbox: SandboxState, transaction: TransactionRecord, payinId: string): void {
  const payin = payinById(transaction, payinId);
  if (!canPayin(payin, 'retry_later')) return;
  const { history } = payin;
  const tries = history.filter(({ rule }) => rule === 'payin.failed').length;
  const due = sandbox.clock.now() + payoutRetryDelay(tries);
  const changes = history.length;
  sandbox.schedule.add(due, { kind: 'payin_retry', transactionId: transaction.id, payinId, changes });
}

export function retryLater(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  { payinId, changes }: { payinId: string; changes: number },
): void {
  const payin = payinById(transaction, payinId);
  if (payin.history.length !== changes || !canPayin(payin, 'retry_later') || !takesMoney(transaction, payin))
    return;
  movePayin(sandbox, transaction, payin, 'retry_later', { reasonCode: null });
  schedulePayins(sandbox, transaction);
}

export function collect(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  on: 'payin_paid' | 'force_payin',
): void {
  movePayin(sandbox, transaction, payin, on, { reasonCode: '0' });
  fundFromPayin(sandbox, transaction, `payin:${payin.id}`, 'payin_paid');
}

/** Money is there, and the provider has not confirmed it yet. */
export function holdPayin(sandbox: SandboxState, transaction: TransactionRecord, payin: PayinRecord): void {
  movePayin(sandbox, transaction, payin, 'payin_unconfirmed', { reasonCode: '1' });
  moveTransaction(sandbox, transaction, 'payin_pending');
}

/**
 * The customer paid this amount. Another one than asked resizes the transaction where the provider permits that; elsewhere
 * the try fails and the money is not taken. @assumes wrong-amount
 */
export function receive(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  amount: Decimal,
): void {
  if (eq(amount, transaction.inputAmount)) {
    collect(sandbox, transaction, payin, 'payin_paid');
    return;
  }
  const recipients = payinType(payin.type)?.permitsWrongAmount ? resized(sandbox, transaction, amount) : null;
  if (!recipients) {
    failPayin(sandbox, transaction, payin, WRONG_AMOUNT);
    return;
  }
  for (const { recipient, amounts } of recipients) sandbox.store.recipients.update(recipient, amounts);
  sandbox.store.transactions.update(transaction, { inputAmount: amount });
  movePayin(sandbox, transaction, payin, 'payin_mispaid', { reasonCode: '0' });
  fundFromPayin(sandbox, transaction, `payin:${payin.id}`, 'payin_mispaid');
}

export function canPayin(payin: PayinRecord, on: PayinMethodTrigger): boolean {
  return findMove(payinMethodMoves, payin.state, on) !== undefined;
}

export function payinById(transaction: TransactionRecord, id: string): PayinRecord {
  return transaction.payins.find((payin) => payin.id === id) as PayinRecord;
}

/** A transaction that was paid with another amount: what each recipient gets of it. */
interface Share {
  recipient: RecipientRecord;
  amounts: Pick<RecipientRecord, 'inputAmount' | 'outputAmount' | 'inputUsdAmount'>;
}

/**
 * Each has the share that it had, the last one takes what rounding leaves; null when someone would get nothing.
 * @assumes resize-shares
 */
function resized(sandbox: SandboxState, transaction: TransactionRecord, amount: Decimal): Share[] | null {
  /* A recipient that was cancelled after the money came in has its share of it, to be returned. */
  const open = recipientsOf(sandbox.store, transaction).filter(
    ({ state, dropped }) => isNotStarted(state) || (state === 'canceled' && !dropped),
  );
  invariant(gt(transaction.inputAmount, '0'), `transaction ${transaction.id} costs something`);
  const shares: Share[] = [];
  let left = amount;
  for (const [index, recipient] of open.entries()) {
    const part = div(mul(amount, recipient.inputAmount), transaction.inputAmount);
    const inputAmount = index === open.length - 1 ? left : roundFor(transaction.inputCurrency, part);
    const outputAmount = roundFor(recipient.outputCurrency, mul(inputAmount, recipient.rate));
    if (!gt(inputAmount, '0') || isZero(outputAmount)) return null;
    left = sub(left, inputAmount);
    const inputUsdAmount = inDollars(inputAmount, transaction.inputCurrency);
    shares.push({ recipient, amounts: { inputAmount, outputAmount, inputUsdAmount } });
  }
  const sum = shares.reduce((total, { amounts }) => add(total, amounts.inputAmount), '0');
  return shares.length > 0 && eq(sum, amount) ? shares : null;
}
