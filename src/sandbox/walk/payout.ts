/** The walk of a payout: a try, the provider's answer, and what follows from it. */
import { balanceCurrency } from '../../contract/corridors/balance.ts';
import { recipientMoves } from '../../contract/states/recipient.ts';
import { findMove } from '../../contract/states/state.ts';
import { transactionMoves } from '../../contract/states/transaction.ts';
import { move } from '../ledger/ledger.ts';
import { ANSWER_AFTER_MS, afterFailure, answerKind } from '../machines/recipient.ts';
import { payoutCode } from '../outcomes/payouts.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { isCash } from '../views/recipient.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { World } from '../world.ts';
import { watchForAutoRefund } from './auto-refund.ts';
import { scheduleTry } from './funding.ts';
import { moveRecipient, moveTransaction, transactionOf } from './moves.ts';
import { checkName } from './name-check.ts';
import { scheduleRefund } from './refund.ts';
import { settleTransaction } from './settle.ts';

const AWAITED = '14';
const PICKUPABLE = '21';
const PAID = '0';

export function tryPayout(world: World, recipient: RecipientRecord): void {
  const failure = recipient.nextAnswer === null ? checkName(world, recipient) : null;
  if (failure) {
    world.store.recipients.update(recipient, { serviceMetadata: failure.serviceMetadata });
    fail(world, recipient, failure.code, failure.text);
    return;
  }
  const code = providerCode(recipient);
  handOver(world, recipient);
  answer(world, recipient, code);
}

/** What the provider says: what control asked for, else what the number says. Cash waits to be picked up. */
function providerCode(recipient: RecipientRecord): string {
  if (recipient.nextAnswer !== null) return recipient.nextAnswer;
  if (balanceCurrency(recipient.payoutType)) return PAID;
  return isCash(recipient.payoutType) ? PICKUPABLE : payoutCode(recipient.payoutType, recipient.details);
}

function handOver(world: World, recipient: RecipientRecord): void {
  const reference = isCash(recipient.payoutType) ? pickupReference(world, recipient) : {};
  moveRecipient(world, recipient, recipient.state === 'initial' ? 'payout_start' : 'retry', {
    reasonCode: isCash(recipient.payoutType) ? PICKUPABLE : AWAITED,
    reasonText: null,
    nextAnswer: null,
    serviceMetadata: { ...recipient.serviceMetadata, ...reference },
  });
}

/** Made once: an edit keeps it. */
function pickupReference(world: World, { serviceMetadata }: RecipientRecord): Record<string, unknown> {
  if (serviceMetadata.payment_reference !== undefined) return {};
  const number = Math.floor(world.random.next() * 1_000_000_000);
  return { payment_reference: String(number).padStart(9, '0') };
}

/** The provider's word on a payout that is pending with it. */
export function answer(world: World, recipient: RecipientRecord, code: string): void {
  const kind = answerKind(code);
  if (kind === 'paid') {
    succeed(world, recipient, 'payout_paid');
    settleTransaction(world, transactionOf(world, recipient));
  } else if (kind === 'failed') fail(world, recipient, code, null);
  else keepPending(world, recipient, code);
}

/** A number that says pending is paid in the end: the ending tells nothing else. */
function keepPending(world: World, recipient: RecipientRecord, code: string): void {
  const turn = recipient.turn + 1;
  world.store.recipients.update(recipient, { reasonCode: code, turn });
  world.schedule.add(world.clock.now() + ANSWER_AFTER_MS, {
    kind: 'payout_answer',
    recipientId: recipient.id,
    turn,
    code: PAID,
  });
  watchForAutoRefund(world, transactionOf(world, recipient));
}

function succeed(world: World, recipient: RecipientRecord, on: 'payout_paid' | 'force_payout'): void {
  moveRecipient(world, recipient, on, {
    reasonCode: PAID,
    reasonText: null,
    cancelWaiting: null,
    turn: recipient.turn + 1,
  });
  postPayout(world, recipient);
}

/** Sandbox only: every unpaid recipient of a funded transaction is paid. False when there is none. */
export function forcePayouts(world: World, transaction: TransactionRecord): boolean {
  const all = recipientsOf(world.store, transaction);
  const unpaid = all.filter(({ state }) => findMove(recipientMoves, state, 'force_payout'));
  if (transaction.fundedAt === null || unpaid.length === 0) return false;
  for (const recipient of unpaid) succeed(world, recipient, 'force_payout');
  const whole = all.every(({ state, dropped }) => dropped || state === 'success');
  if (whole && findMove(transactionMoves, transaction.state, 'force_payout')) {
    moveTransaction(world, transaction, 'force_payout');
  } else settleTransaction(world, transaction);
  return true;
}

/** The held input is exchanged, and the output delivered: to the recipient, or to our own balance. */
function postPayout(world: World, recipient: RecipientRecord): void {
  const { id, inputCurrency, inputAmount, outputCurrency, outputAmount, payoutType } = recipient;
  const to = balanceCurrency(payoutType) ? 'wallet' : 'delivered';
  world.ledger.post(`payout:${id}`, world.clock.now(), [
    ...move('held', 'exchange', inputCurrency, inputAmount),
    ...move('exchange', to, outputCurrency, outputAmount),
  ]);
}

function fail(world: World, recipient: RecipientRecord, code: string, text: string | null): void {
  const tries = recipient.tries + 1;
  const now = world.clock.now();
  moveRecipient(world, recipient, 'payout_failed', { reasonCode: code, reasonText: text, tries });
  const transaction = transactionOf(world, recipient);
  const next = afterFailure(tries, recipient.cancelWaiting !== null, now);
  if (next.on === null) scheduleTry(world, recipient, next.retryAt);
  else moveRecipient(world, recipient, next.on);
  if (next.on === 'cancel_confirmed') scheduleRefund(world, recipient);
  else watchForAutoRefund(world, transaction);
  settleTransaction(world, transaction);
}
