/** Decisions that the operator, the providers, compliance and customers would make in the real service. */
import { codeInfo, payinCategoryOf } from '../../contract/codes.ts';
import {
  type MandateDecision,
  outcomeCodes,
  type PayinOutcome,
  type PayoutOutcome,
  payoutOutcomes,
  type ReviewDecision,
  type SenderDecision,
} from '../../contract/controls/index.ts';
import { isUnderWay, isWithProvider, isWithService } from '../../contract/states/recipient.ts';
import { recipientMoves } from '../../contract/states/recipient-moves.ts';
import { senderMoves } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import { transactionMoves } from '../../contract/states/transaction-moves.ts';
import { currencyRule } from '../../core/currency.ts';
import { move } from '../ledger/ledger.ts';
import { answerKind } from '../machines/recipient.ts';
import { readPaid } from '../rules/amounts.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { PayinRecord, ProviderWord, RecipientRecord, TransactionRecord } from '../store/records.ts';
import { canPayin, collect, failPayin, holdPayin, payinById, receive } from '../transitions/collection.ts';
import { endReview, scheduleTry, startPayouts, startReview } from '../transitions/funding.ts';
import { senderBarrier } from '../transitions/may-transact.ts';
import { changePayin, movePayin, moveRecipient, moveSender, moveTransaction } from '../transitions/moves.ts';
import { applyProviderWord } from '../transitions/payout.ts';
import { refundByHand } from '../transitions/refund.ts';
import { approveSender } from '../transitions/sender-check.ts';
import { takesMoney } from '../transitions/uncleared.ts';
import { recipientsOf } from '../views/transaction.ts';
import { type ControlAnswer, succeeded, unknownThing, wrong } from './said.ts';

const BY_CONTROL = 'by control';

/** @assumes sender-decisions */
export function decideSender(
  sandbox: SandboxState,
  id: string,
  decision: SenderDecision,
  reason?: string,
): ControlAnswer {
  const sender = sandbox.store.senders.get(id);
  if (!sender) return unknownThing;
  const isFavourable = decision === 'approve' || decision === 'unban';
  if (isFavourable && reason !== undefined)
    return wrong('reason', `a sender is ${PAST[decision]} without one`);
  if (!findMove(senderMoves, sender.state, decision)) {
    return wrong('decision', `a sender that is ${sender.state} cannot be ${PAST[decision]}`);
  }
  if (isFavourable) approveSender(sandbox, sender, decision);
  else moveSender(sandbox, sender, decision, { stateReason: reason ?? WHY[decision] });
  return succeeded({ id, state: sender.state });
}

const PAST = { approve: 'approved', reject: 'rejected', ban: 'banned', unban: 'unbanned' };
const WHY = { reject: 'rejected by the operator', ban: 'banned by the operator' };

/** The provider's answer for an outcome that can be asked for. */
const wordFor = (outcome: PayoutOutcome): ProviderWord =>
  isCoded(outcome) ? { code: outcomeCodes[outcome] } : { ending: outcome };

const isCoded = (outcome: PayoutOutcome): outcome is keyof typeof outcomeCodes => outcome in outcomeCodes;

/** At once if the payout is pending or stuck, else at the next try. A transaction's id means all its open recipients. */
export function answerPayout(
  sandbox: SandboxState,
  id: string,
  { outcome, code }: { outcome?: PayoutOutcome | undefined; code?: string | undefined },
): ControlAnswer {
  const word = code === undefined ? outcome && wordFor(outcome) : { code };
  if (word === undefined || (code !== undefined && !codeInfo(code))) {
    return wrong('outcome', `say an outcome (${payoutOutcomes.join(', ')}) or a known code`);
  }
  const targets = recipientsBy(sandbox, id);
  if (!targets) return unknownThing;
  const answered = targets.filter((recipient) => tellOne(sandbox, recipient, word));
  if (answered.length > 0) return succeeded(answered.map((each) => ({ id: each.id, state: each.state })));
  return wrong('outcome', `the payout has ended: ${targets.map(({ state }) => state).join(', ')}`);
}

function recipientsBy(sandbox: SandboxState, id: string): RecipientRecord[] | null {
  const recipient = sandbox.store.recipients.get(id);
  if (recipient) return [recipient];
  const transaction = sandbox.store.transactions.get(id);
  return transaction ? recipientsOf(sandbox.store, transaction) : null;
}

function tellOne(sandbox: SandboxState, recipient: RecipientRecord, word: ProviderWord): boolean {
  const { state } = recipient;
  if (isUnderWay(state)) applyProviderWord(sandbox, recipient, word);
  else if (isWithService(state)) sandbox.store.recipients.update(recipient, { nextAnswer: word });
  else return isWithProvider(state) && tellLate(sandbox, recipient, word);
  return true;
}

/** A stuck payout was paid, or it was not; one in exception is tried again with this answer. */
function tellLate(sandbox: SandboxState, recipient: RecipientRecord, word: ProviderWord): boolean {
  const isRetried = findMove(recipientMoves, recipient.state, 'retry') !== undefined;
  if (isRetried) moveRecipient(sandbox, recipient, 'retry', { reasonCode: '14' }, BY_CONTROL);
  const ends = 'code' in word ? answerKind(word.code) !== 'pending' : word.ending === 'overpaid';
  if (isRetried || ends) applyProviderWord(sandbox, recipient, word);
  return isRetried || ends;
}

interface PayinWord {
  amount?: string | undefined;
  outcome?: PayinOutcome | undefined;
  code?: string | undefined;
}

/** Tells the sandbox what became of a collection: its money, all or another amount, an error, a hold, an exception. */
export function receivePayin(sandbox: SandboxState, id: string, word: PayinWord): ControlAnswer {
  const found = payinBy(sandbox, id);
  if (!found) return unknownThing;
  const { transaction, payin } = found;
  if (!takesMoney(transaction, payin)) {
    return wrong('payin', `the transaction is ${transaction.state}: it takes no money from this payin`);
  }
  const brings = word.code === undefined && word.outcome !== 'error' && word.outcome !== 'exception';
  const barrier = brings ? senderBarrier(sandbox, transaction) : null;
  if (barrier) return wrong('payin', `${barrier}: no money is taken`);
  const refusal = applyPayin(sandbox, transaction, payin, word);
  if (refusal) return refusal;
  const { state } = payinById(transaction, payin.id);
  return succeeded({
    id: payin.id,
    state,
    transaction_id: transaction.id,
    transaction_state: transaction.state,
  });
}

function payinBy(
  sandbox: SandboxState,
  id: string,
): { transaction: TransactionRecord; payin: PayinRecord } | null {
  const byPayin = sandbox.store.transactions.byPayin(id);
  if (byPayin) return { transaction: byPayin, payin: payinById(byPayin, id) };
  const transaction = sandbox.store.transactions.get(id);
  const payin = transaction?.payins.find(({ state }) => state !== 'canceled') ?? transaction?.payins[0];
  return transaction && payin ? { transaction, payin } : null;
}

function applyPayin(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  { amount, outcome = 'paid', code }: PayinWord,
): ControlAnswer | null {
  const cannot = (on: string) => wrong('payin', `a payin that is ${payin.state} cannot become ${on}`);
  if (code !== undefined || outcome === 'error') {
    const reason = code ?? '412';
    const category = payinCategoryOf(reason);
    if (!category) return wrong('code', `there is no code ${reason}`);
    if (category === 'pending' || category === 'sender_action_required')
      return waitFor(sandbox, transaction, payin, { category, reason });
    if (!canPayin(payin, 'payin_failed')) return cannot('error');
    failPayin(sandbox, transaction, payin, reason);
  } else if (outcome === 'processing') {
    if (!canPayin(payin, 'payin_unconfirmed')) return cannot('processing');
    holdPayin(sandbox, transaction, payin);
  } else if (outcome === 'exception') {
    if (!canPayin(payin, 'exception')) return cannot('exception');
    movePayin(sandbox, transaction, payin, 'exception', { reasonCode: '13' });
  } else return applyMoney(sandbox, transaction, payin, amount);
  return null;
}

/** Codes 1x and 2x are no errors: the collection goes on waiting, or waits for the sender. @assumes payin-incomplete */
function waitFor(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  { category, reason }: { category: 'pending' | 'sender_action_required'; reason: string },
): ControlAnswer | null {
  if (category === 'sender_action_required') {
    if (!canPayin(payin, 'need_details'))
      return wrong('payin', `a payin that is ${payin.state} cannot become incomplete`);
    movePayin(sandbox, transaction, payin, 'need_details', { reasonCode: reason });
    return null;
  }
  if (payin.state !== 'pending') return wrong('payin', `a payin that is ${payin.state} is not pending`);
  changePayin(sandbox, transaction, { ...payin, reasonCode: reason });
  return null;
}

function applyMoney(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  amount: string | undefined,
): ControlAnswer | null {
  if (!canPayin(payin, 'payin_paid')) return wrong('payin', `a payin that is ${payin.state} cannot be paid`);
  if (amount === undefined) {
    collect(sandbox, transaction, payin, 'payin_paid');
    return null;
  }
  if ('word' in readPaid(amount, transaction.inputCurrency)) {
    return wrong('amount', `${amount} is no amount in ${transaction.inputCurrency}`);
  }
  receive(sandbox, transaction, payin, amount);
  return null;
}

/** Compliance holds a funded transaction back, lets it go, or gives it to the operator. */
export function decideReview(sandbox: SandboxState, id: string, decision: ReviewDecision): ControlAnswer {
  const transaction = sandbox.store.transactions.get(id);
  if (!transaction) return unknownThing;
  const on = TRIGGERS[decision];
  if (
    !findMove(transactionMoves, transaction.state, on) ||
    (on !== 'retry' && transaction.fundedAt === null)
  ) {
    return wrong('decision', `a transaction that is ${transaction.state} cannot be put on ${decision}`);
  }
  if (decision === 'hold') startReview(sandbox, transaction, BY_CONTROL);
  else if (decision === 'release') endReview(sandbox, transaction, BY_CONTROL);
  else {
    const stateReason = decision === 'exception' ? 'something unexpected happened: ask the operator' : null;
    moveTransaction(sandbox, transaction, on, { stateReason }, BY_CONTROL);
    if (decision === 'resume') resume(sandbox, transaction);
  }
  return succeeded({ id, state: transaction.state });
}

const TRIGGERS = {
  hold: 'review_start',
  release: 'review_end',
  exception: 'exception',
  resume: 'retry',
} as const;

function resume(sandbox: SandboxState, transaction: TransactionRecord): void {
  startPayouts(sandbox, transaction);
  for (const recipient of recipientsOf(sandbox.store, transaction)) {
    if (recipient.state !== 'manual') continue;
    sandbox.store.recipients.update(recipient, { tries: 0, enquiries: 0 });
    scheduleTry(sandbox, recipient, sandbox.clock.now());
  }
}

export function postRefund(sandbox: SandboxState, id: string): ControlAnswer {
  const transaction = sandbox.store.transactions.get(id);
  if (!transaction) return unknownThing;
  if (!refundByHand(sandbox, transaction)) {
    return wrong('refund', `nothing of this transaction (${transaction.state}) waits for a refund by hand`);
  }
  return succeeded({ id, state: transaction.state });
}

/** Money comes in from outside, of which the service tells nothing but the balance. @assumes top-up */
export function topUp(sandbox: SandboxState, currency: string, text: string): ControlAnswer {
  if (!currencyRule(currency)) return unknownThing;
  const read = readPaid(text, currency);
  if ('word' in read)
    return wrong('amount', `${text} is not an amount above zero with the decimals of ${currency}`);
  const { ledger, clock } = sandbox;
  ledger.post(`top_up:${newId(sandbox)}`, clock.now(), move('opening', 'wallet', currency, read.amount));
  return succeeded({ currency, amount: ledger.balance('wallet', currency) });
}

/**
 * A mandate that is signed or bypassed lets the payouts go that waited for it.
 * @assumes mandate-by-control
 */
export function decideMandate(sandbox: SandboxState, id: string, status: MandateDecision): ControlAnswer {
  const mandate = sandbox.store.mandates.get(id);
  if (!mandate) return unknownThing;
  const now = sandbox.clock.now();
  const signedAt = status === 'signed' ? now : null;
  sandbox.store.mandates.update(mandate, { status, signedAt, updatedAt: now });
  if (status === 'signed' || status === 'bypassed') {
    for (const recipient of sandbox.store.recipients.byMandate(id)) {
      const waits = recipient.reasonCode === '22' && isWithService(recipient.state);
      if (waits) scheduleTry(sandbox, recipient, now);
    }
  }
  return succeeded({ id, status });
}
