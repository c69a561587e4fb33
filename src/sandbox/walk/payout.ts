/** The walk of a payout: a try, the provider's answer, and what follows from it. */

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
import { newId, type SandboxState } from '../world.ts';
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
export function tryPayout(world: SandboxState, recipient: RecipientRecord): void {
  if (recipient.nextAnswer === null && !holdsMandate(world, recipient)) {
    moveRecipient(world, recipient, 'await_mandate', { reasonCode: MANDATE_WANTED, reasonText: null });
    watchForAutoRefund(world, transactionOf(world, recipient));
    return;
  }
  const failure = recipient.nextAnswer === null ? checkName(world, recipient) : null;
  if (failure) {
    failName(world, recipient, failure);
    return;
  }
  const word = providerWord(world, recipient);
  handOver(world, recipient);
  tell(world, recipient, word);
}

/**
 * The provider's answer: the one that control asked for, else a fault, else the one that the number stands for. Cash
 * waits to be picked up.
 */
function providerWord(world: SandboxState, recipient: RecipientRecord): ProviderWord {
  if (recipient.nextAnswer !== null) return recipient.nextAnswer;
  if (balanceCurrency(recipient.payoutType)) return PAID;
  if (payoutFault(world, 'provider-outage', recipient)) return { code: OUTAGE };
  if (payoutFault(world, 'pending-loop', recipient)) return { ending: 'round' };
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

function handOver(world: SandboxState, recipient: RecipientRecord): void {
  const cash = isCash(recipient.payoutType);
  moveRecipient(world, recipient, isNotStarted(recipient.state) ? 'payout_start' : 'retry', {
    reasonCode: cash ? PICKUPABLE : AWAITED,
    reasonText: null,
    nextAnswer: null,
    serviceMetadata: cash ? withReference(world, recipient) : recipient.serviceMetadata,
  });
}

/** The number by which it is picked up is made once: an edit keeps it. @assumes cash */
function withReference(world: SandboxState, { serviceMetadata }: RecipientRecord): Plain {
  if (serviceMetadata.payment_reference !== undefined) return serviceMetadata;
  const number = Math.floor(world.random.next() * 1_000_000_000);
  return { ...serviceMetadata, payment_reference: String(number).padStart(9, '0') };
}

const ROUND_MS = 10 * 60_000;

/** The provider's word on a payout that is pending with it. @assumes provider-words */
export function tell(world: SandboxState, recipient: RecipientRecord, word: ProviderWord): void {
  if ('code' in word) answer(world, recipient, word.code);
  else ENDINGS[word.ending](world, recipient);
}

const ENDINGS: Readonly<Record<ProviderEnding, (world: SandboxState, recipient: RecipientRecord) => void>> = {
  overpaid: overpay,
  stuck: loseTouch,
  exception: breakDown,
  manual: giveUp,
  round: goRound,
};

function goRound(world: SandboxState, recipient: RecipientRecord): void {
  const turn = recipient.turn + 1;
  world.store.recipients.update(recipient, { turn });
  world.schedule.add(world.clock.now() + ROUND_MS, { kind: 'payout_round', recipientId: recipient.id, turn });
  watchForAutoRefund(world, transactionOf(world, recipient));
}

/** It failed, and is with the provider again at once: no client sees it in a state to be cancelled. */
export function comeRound(world: SandboxState, recipient: RecipientRecord): void {
  if (recipient.cancelWaiting !== null || !payoutFault(world, 'pending-loop', recipient)) {
    fail(world, recipient, OUTAGE);
    return;
  }
  moveRecipient(world, recipient, 'payout_failed', { reasonCode: OUTAGE, reasonText: null });
  handOver(world, recipient);
  goRound(world, recipient);
}

/** The provider paid too much: what was agreed is settled, the rest is between it and the operator. */
function overpay(world: SandboxState, recipient: RecipientRecord): void {
  succeed(world, recipient, 'payout_overpaid');
  followTransaction(world, transactionOf(world, recipient));
}

/** It says nothing: after a day its outcome is unknown. @assumes stuck-after */
function loseTouch(world: SandboxState, recipient: RecipientRecord): void {
  const turn = recipient.turn + 1;
  world.store.recipients.update(recipient, { reasonCode: UNKNOWN, turn });
  world.schedule.add(world.clock.now() + UNANSWERED_AFTER_MS, {
    kind: 'payout_unanswered',
    recipientId: recipient.id,
    turn,
  });
  watchForAutoRefund(world, transactionOf(world, recipient));
}

export function giveUpWaiting(world: SandboxState, recipient: RecipientRecord): void {
  moveRecipient(world, recipient, 'payout_unanswered', { reasonCode: TIMED_OUT });
  followTransaction(world, transactionOf(world, recipient));
}

function breakDown(world: SandboxState, recipient: RecipientRecord): void {
  moveRecipient(world, recipient, 'exception', { turn: recipient.turn + 1, reasonCode: BY_HAND });
  followTransaction(world, transactionOf(world, recipient));
}

/** The provider's code for a payout that is pending with it. */
export function answer(world: SandboxState, recipient: RecipientRecord, code: string): void {
  const kind = answerKind(code);
  if (kind === 'paid') {
    succeed(world, recipient, 'payout_paid');
    followTransaction(world, transactionOf(world, recipient));
  } else if (kind === 'failed') fail(world, recipient, code);
  else keepPending(world, recipient, code);
}

/** A number that says pending is paid in the end: the ending tells nothing else. */
function keepPending(world: SandboxState, recipient: RecipientRecord, code: string): void {
  const turn = recipient.turn + 1;
  world.store.recipients.update(recipient, { reasonCode: code, turn });
  world.schedule.add(world.clock.now() + ANSWER_AFTER_MS, {
    kind: 'payout_answer',
    recipientId: recipient.id,
    turn,
    code: PAID_CODE,
  });
  watchForAutoRefund(world, transactionOf(world, recipient));
}

type Paid = 'payout_paid' | 'force_payout' | 'payout_overpaid';

export function succeed(world: SandboxState, recipient: RecipientRecord, on: Paid, note?: string): void {
  const turn = recipient.turn + 1;
  const proofs = [proofOf(world)];
  const done = {
    reasonCode: PAID_CODE,
    reasonText: null,
    cancelWaiting: null,
    nextAnswer: null,
    turn,
    proofs,
  };
  moveRecipient(world, recipient, on, done, note);
  postPayout(world, recipient);
}

/** One file for each payout that was made. @assumes proof-file */
function proofOf(world: SandboxState): RecipientRecord['proofs'][number] {
  const id = newId(world);
  return { id, fileName: `proof-of-payment-${id.slice(0, 8)}.svg` };
}

/** Sandbox only: every unpaid recipient of a funded transaction is paid. False when there is none. */
export function forcePayouts(world: SandboxState, transaction: TransactionRecord): boolean {
  const all = recipientsOf(world.store, transaction);
  const unpaid = all.filter(({ state }) => findMove(recipientMoves, state, 'force_payout'));
  if (transaction.fundedAt === null || unpaid.length === 0) return false;
  for (const recipient of unpaid) succeed(world, recipient, 'force_payout');
  const whole = all.every(({ state, dropped }) => dropped || isPaidOut(state));
  if (whole && findMove(transactionMoves, transaction.state, 'force_payout')) {
    moveTransaction(world, transaction, 'force_payout');
  } else followTransaction(world, transaction);
  return true;
}

/** The held input is exchanged, and the output delivered: to the recipient, or to our own balance. */
function postPayout(world: SandboxState, recipient: RecipientRecord): void {
  const { id, inputCurrency, inputAmount, outputCurrency, outputAmount, payoutType } = recipient;
  const { fundedAt } = transactionOf(world, recipient);
  invariant(fundedAt !== null, `the transaction of recipient ${id} is funded before it is paid out`);
  invariant(isPaidOut(recipient.state), `recipient ${id} counts as paid before its money moves`);
  const to = balanceCurrency(payoutType) ? 'wallet' : 'delivered';
  if (to === 'delivered') world.partner.note(outputCurrency, world.ledger, world.clock.now());
  const exchanged = move('held', 'exchange', inputCurrency, inputAmount);
  const paid = move('exchange', to, outputCurrency, outputAmount);
  world.ledger.post(`payout:${id}`, world.clock.now(), exchanged.concat(paid));
}

/** A try of the payout failed. Without `auto_refund` it is tried until it succeeds or is cancelled. */
function fail(world: SandboxState, recipient: RecipientRecord, code: string): void {
  const tries = recipient.tries + 1;
  const givesUp = transactionOf(world, recipient).traits.auto_refund;
  afterFail(world, recipient, { reasonCode: code, reasonText: null, tries }, { tries, givesUp });
}

/** The name could not be asked for, or is another: only an answer that was valid counts as a try of the payout. */
function failName(world: SandboxState, recipient: RecipientRecord, failure: NameFailure): void {
  world.store.recipients.update(recipient, { serviceMetadata: failure.serviceMetadata });
  if (failure.answered) {
    fail(world, recipient, failure.code);
    return;
  }
  const enquiries = (recipient.enquiries ?? 0) + 1;
  const patch = { reasonCode: failure.code, reasonText: failure.text, enquiries };
  afterFail(world, recipient, patch, { tries: enquiries, givesUp: false });
}

/** The provider was told to give up, whatever the tries: people must look. */
function giveUp(world: SandboxState, recipient: RecipientRecord): void {
  const patch = { reasonCode: OUTAGE, reasonText: null, turn: recipient.turn + 1 };
  afterFail(world, recipient, patch, { tries: Number.POSITIVE_INFINITY, givesUp: true });
}

function afterFail(
  world: SandboxState,
  recipient: RecipientRecord,
  patch: Partial<RecipientRecord>,
  counted: { tries: number; givesUp: boolean },
): void {
  moveRecipient(world, recipient, 'payout_failed', patch);
  const transaction = transactionOf(world, recipient);
  const waiting = recipient.cancelWaiting;
  const next = afterFailure({ ...counted, cancelWaiting: waiting !== null }, world.clock.now());
  const automatic = next.on === 'cancel_confirmed' && waiting === 'auto_refund';
  if (next.on === null) scheduleTry(world, recipient, next.retryAt);
  else moveRecipient(world, recipient, next.on, automatic ? { reasonText: AUTO_REFUNDED } : {});
  if (next.on === 'cancel_confirmed') scheduleRefund(world, recipient);
  else watchForAutoRefund(world, transaction);
  if (automatic) followTransaction(world, transaction, 'auto_refund', AUTO_REFUNDED);
  else followTransaction(world, transaction);
}
