/** The transitions of a payout: a try, the provider's answer, and what follows from it. */

import type { FaultName } from '../../contract/controls/faults.ts';
import { balanceCurrency } from '../../contract/corridors/balance.ts';
import { isPaidOut } from '../../contract/states/money.ts';
import { isNotStarted } from '../../contract/states/recipient.ts';
import { recipientMoves } from '../../contract/states/recipient-moves.ts';
import { findMove } from '../../contract/states/state.ts';
import { transactionMoves } from '../../contract/states/transaction-moves.ts';
import { invariant } from '../../core/invariants.ts';
import { move } from '../ledger/ledger.ts';
import { ANSWER_AFTER_MS, afterFailure, answerKind, UNANSWERED_AFTER_MS } from '../machines/recipient.ts';
import { payoutCode } from '../outcomes.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import {
  PAID,
  type Plain,
  type ProviderEnding,
  type ProviderWord,
  type RecipientRecord,
  type TransactionRecord,
} from '../store/records.ts';
import { isCash } from '../views/recipient.ts';
import { recipientsOf } from '../views/transaction.ts';
import { AUTO_REFUNDED, followTransaction } from './follow.ts';
import { scheduleTry } from './funding.ts';
import { holdsMandate } from './mandate.ts';
import { moveRecipient, moveTransaction, transactionOf } from './moves.ts';
import { checkName, type NameFailure } from './name-check.ts';
import { scheduleRefund, watchForAutoRefund } from './refund.ts';

const AWAITED = '14';
const PICKUPABLE = '21';
const PAID_CODE = '0';
const UNKNOWN = '11';
const TIMED_OUT = '12';
const BY_HAND = '13';
const MANDATE_WANTED = '22';
const OUTAGE = '3';

/** @assumes mandate-waits */
export function tryPayout(sandbox: SandboxState, recipient: RecipientRecord): void {
  if (recipient.nextAnswer === null && !holdsMandate(sandbox, recipient)) {
    moveRecipient(sandbox, recipient, 'await_mandate', { reasonCode: MANDATE_WANTED, reasonText: null });
    watchForAutoRefund(sandbox, transactionOf(sandbox, recipient));
    return;
  }
  const failure = recipient.nextAnswer === null ? checkName(sandbox, recipient) : null;
  if (failure) {
    failName(sandbox, recipient, failure);
    return;
  }
  const word = providerWord(sandbox, recipient);
  handOver(sandbox, recipient);
  applyProviderWord(sandbox, recipient, word);
}

/**
 * The provider's answer: the one that control asked for, else a fault, else the one that the number stands for. Cash
 * waits to be picked up.
 */
function providerWord(sandbox: SandboxState, recipient: RecipientRecord): ProviderWord {
  if (recipient.nextAnswer !== null) return recipient.nextAnswer;
  if (balanceCurrency(recipient.payoutType)) return PAID;
  if (payoutFault(sandbox, 'provider-outage', recipient)) return { code: OUTAGE };
  if (payoutFault(sandbox, 'pending-loop', recipient)) return { ending: 'round' };
  const isPickedUp = isCash(recipient.payoutType);
  return { code: isPickedUp ? PICKUPABLE : payoutCode(recipient.payoutType, recipient.details) };
}

export function payoutFault(
  { faults, clock }: SandboxState,
  name: FaultName,
  { id, payoutType }: RecipientRecord,
): boolean {
  return faults.take(name, { corridor: payoutType }, clock.now(), `recipient ${id}`) !== undefined;
}

function handOver(sandbox: SandboxState, recipient: RecipientRecord): void {
  const cash = isCash(recipient.payoutType);
  moveRecipient(sandbox, recipient, isNotStarted(recipient.state) ? 'payout_start' : 'retry', {
    reasonCode: cash ? PICKUPABLE : AWAITED,
    reasonText: null,
    nextAnswer: null,
    serviceMetadata: cash ? withReference(sandbox, recipient) : recipient.serviceMetadata,
  });
}

/** The number by which it is picked up is made once: an edit keeps it. @assumes cash */
function withReference(sandbox: SandboxState, { serviceMetadata }: RecipientRecord): Plain {
  if (serviceMetadata.payment_reference !== undefined) return serviceMetadata;
  const number = Math.floor(sandbox.random.next() * 1_000_000_000);
  return { ...serviceMetadata, payment_reference: String(number).padStart(9, '0') };
}

const ROUND_MS = 10 * 60_000;

/** The provider's word on a payout that is pending with it. @assumes provider-words */
export function applyProviderWord(
  sandbox: SandboxState,
  recipient: RecipientRecord,
  word: ProviderWord,
): void {
  if ('code' in word) answer(sandbox, recipient, word.code);
  else ENDINGS[word.ending](sandbox, recipient);
}

const ENDINGS: Readonly<Record<ProviderEnding, (sandbox: SandboxState, recipient: RecipientRecord) => void>> =
  {
    overpaid: overpay,
    stuck: loseTouch,
    exception: breakDown,
    manual: giveUp,
    round: goRound,
  };

function goRound(sandbox: SandboxState, recipient: RecipientRecord): void {
  const turn = recipient.turn + 1;
  sandbox.store.recipients.update(recipient, { turn });
  sandbox.schedule.add(sandbox.clock.now() + ROUND_MS, {
    kind: 'payout_round',
    recipientId: recipient.id,
    turn,
  });
  watchForAutoRefund(sandbox, transactionOf(sandbox, recipient));
}

/** It failed, and is with the provider again at once: no client sees it in a state to be cancelled. */
export function comeRound(sandbox: SandboxState, recipient: RecipientRecord): void {
  if (recipient.cancelWaiting !== null || !payoutFault(sandbox, 'pending-loop', recipient)) {
    fail(sandbox, recipient, OUTAGE);
    return;
  }
  moveRecipient(sandbox, recipient, 'payout_failed', { reasonCode: OUTAGE, reasonText: null });
  handOver(sandbox, recipient);
  goRound(sandbox, recipient);
}

/** The provider paid too much: what was agreed is settled, the rest is between it and the operator. */
function overpay(sandbox: SandboxState, recipient: RecipientRecord): void {
  succeed(sandbox, recipient, 'payout_overpaid');
  followTransaction(sandbox, transactionOf(sandbox, recipient));
}

/** It says nothing: after a day its outcome is unknown. @assumes stuck-after */
function loseTouch(sandbox: SandboxState, recipient: RecipientRecord): void {
  const turn = recipient.turn + 1;
  sandbox.store.recipients.update(recipient, { reasonCode: UNKNOWN, turn });
  sandbox.schedule.add(sandbox.clock.now() + UNANSWERED_AFTER_MS, {
    kind: 'payout_unanswered',
    recipientId: recipient.id,
    turn,
  });
  watchForAutoRefund(sandbox, transactionOf(sandbox, recipient));
}

export function giveUpWaiting(sandbox: SandboxState, recipient: RecipientRecord): void {
  moveRecipient(sandbox, recipient, 'payout_unanswered', { reasonCode: TIMED_OUT });
  followTransaction(sandbox, transactionOf(sandbox, recipient));
}

function breakDown(sandbox: SandboxState, recipient: RecipientRecord): void {
  moveRecipient(sandbox, recipient, 'exception', { turn: recipient.turn + 1, reasonCode: BY_HAND });
  followTransaction(sandbox, transactionOf(sandbox, recipient));
}

/** The provider's code for a payout that is pending with it. */
export function answer(sandbox: SandboxState, recipient: RecipientRecord, code: string): void {
  const kind = answerKind(code);
  if (kind === 'paid') {
    succeed(sandbox, recipient, 'payout_paid');
    followTransaction(sandbox, transactionOf(sandbox, recipient));
  } else if (kind === 'failed') fail(sandbox, recipient, code);
  else keepPending(sandbox, recipient, code);
}

/** A number that says pending is paid in the end: the ending tells nothing else. */
function keepPending(sandbox: SandboxState, recipient: RecipientRecord, code: string): void {
  const turn = recipient.turn + 1;
  sandbox.store.recipients.update(recipient, { reasonCode: code, turn });
  sandbox.schedule.add(sandbox.clock.now() + ANSWER_AFTER_MS, {
    kind: 'payout_answer',
    recipientId: recipient.id,
    turn,
    code: PAID_CODE,
  });
  watchForAutoRefund(sandbox, transactionOf(sandbox, recipient));
}

type Paid = 'payout_paid' | 'force_payout' | 'payout_overpaid';

export function succeed(sandbox: SandboxState, recipient: RecipientRecord, on: Paid, note?: string): void {
  const turn = recipient.turn + 1;
  const proofs = [proofOf(sandbox)];
  const done = {
    reasonCode: PAID_CODE,
    reasonText: null,
    cancelWaiting: null,
    nextAnswer: null,
    turn,
    proofs,
  };
  moveRecipient(sandbox, recipient, on, done, note);
  postPayout(sandbox, recipient);
}

/** One file for each payout that was made. @assumes proof-file */
function proofOf(sandbox: SandboxState): RecipientRecord['proofs'][number] {
  const id = newId(sandbox);
  return { id, fileName: `proof-of-payment-${id.slice(0, 8)}.svg` };
}

/** Sandbox only: every unpaid recipient of a funded transaction is paid. False when there is none. */
export function forcePayouts(sandbox: SandboxState, transaction: TransactionRecord): boolean {
  const all = recipientsOf(sandbox.store, transaction);
  const unpaid = all.filter(({ state }) => findMove(recipientMoves, state, 'force_payout'));
  if (transaction.fundedAt === null || unpaid.length === 0) return false;
  for (const recipient of unpaid) succeed(sandbox, recipient, 'force_payout');
  const whole = all.every(({ state, dropped }) => dropped || isPaidOut(state));
  if (whole && findMove(transactionMoves, transaction.state, 'force_payout')) {
    moveTransaction(sandbox, transaction, 'force_payout');
  } else followTransaction(sandbox, transaction);
  return true;
}

/** The held input is exchanged, and the output delivered: to the recipient, or to our own balance. */
function postPayout(sandbox: SandboxState, recipient: RecipientRecord): void {
  const { id, inputCurrency, inputAmount, outputCurrency, outputAmount, payoutType } = recipient;
  const { fundedAt } = transactionOf(sandbox, recipient);
  invariant(fundedAt !== null, `the transaction of recipient ${id} is funded before it is paid out`);
  invariant(isPaidOut(recipient.state), `recipient ${id} counts as paid before its money moves`);
  const to = balanceCurrency(payoutType) ? 'wallet' : 'delivered';
  if (to === 'delivered') sandbox.partner.note(outputCurrency, sandbox.ledger, sandbox.clock.now());
  const exchanged = move('held', 'exchange', inputCurrency, inputAmount);
  const paid = move('exchange', to, outputCurrency, outputAmount);
  sandbox.ledger.post(`payout:${id}`, sandbox.clock.now(), exchanged.concat(paid));
}

/** A try of the payout failed. Without `auto_refund` it is tried until it succeeds or is cancelled. */
function fail(sandbox: SandboxState, recipient: RecipientRecord, code: string): void {
  const tries = recipient.tries + 1;
  const givesUp = transactionOf(sandbox, recipient).traits.auto_refund;
  afterFail(sandbox, recipient, { reasonCode: code, reasonText: null, tries }, { tries, givesUp });
}

/** The name could not be asked for, or is another: only an answer that was valid counts as a try of the payout. */
function failName(sandbox: SandboxState, recipient: RecipientRecord, failure: NameFailure): void {
  sandbox.store.recipients.update(recipient, { serviceMetadata: failure.serviceMetadata });
  if (failure.answered) {
    fail(sandbox, recipient, failure.code);
    return;
  }
  const enquiries = (recipient.enquiries ?? 0) + 1;
  const patch = { reasonCode: failure.code, reasonText: failure.text, enquiries };
  afterFail(sandbox, recipient, patch, { tries: enquiries, givesUp: false });
}

/** The provider was told to give up, whatever the tries: people must look. */
function giveUp(sandbox: SandboxState, recipient: RecipientRecord): void {
  const patch = { reasonCode: OUTAGE, reasonText: null, turn: recipient.turn + 1 };
  afterFail(sandbox, recipient, patch, { tries: Number.POSITIVE_INFINITY, givesUp: true });
}

function afterFail(
  sandbox: SandboxState,
  recipient: RecipientRecord,
  patch: Partial<RecipientRecord>,
  counted: { tries: number; givesUp: boolean },
): void {
  moveRecipient(sandbox, recipient, 'payout_failed', patch);
  const transaction = transactionOf(sandbox, recipient);
  const waiting = recipient.cancelWaiting;
  const next = afterFailure({ ...counted, cancelWaiting: waiting !== null }, sandbox.clock.now());
  const automatic = next.on === 'cancel_confirmed' && waiting === 'auto_refund';
  if (next.on === null) scheduleTry(sandbox, recipient, next.retryAt);
  else moveRecipient(sandbox, recipient, next.on, automatic ? { reasonText: AUTO_REFUNDED } : {});
  if (next.on === 'cancel_confirmed') scheduleRefund(sandbox, recipient);
  else watchForAutoRefund(sandbox, transaction);
  if (automatic) followTransaction(sandbox, transaction, 'auto_refund', AUTO_REFUNDED);
  else followTransaction(sandbox, transaction);
}
