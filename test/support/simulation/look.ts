/** One look at one transaction: what must be so whatever came before, and what it adds to the books. */
import { fits, Sums, shown, type Units, units } from './amounts.ts';
import { must } from './broken.ts';
import { type Kind, statesOf } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Json = any;

const PAID = ['success', 'overpaid'];
const UNFUNDED = ['initial', 'approved'];
const COLLECTED = ['success', 'mispaid', 'canceled', 'refunded'];

export const isPaid = ({ state }: Json): boolean => PAID.includes(state);
export const isFunded = (view: Json): boolean => units(view.paid_amount) > 0n;
const isCollection = (view: Json): boolean => view.payin_methods.length > 0;
const isCash = (recipient: Json): boolean => String(recipient.payout_method.type).endsWith('::Cash');
const say = (view: Json): string => `transaction ${view.id} (${view.external_id}, ${view.state})`;

/** Every object with a state in a transaction: itself, its sender, its recipients, its payins. */
export function* statesIn(view: Json): Iterable<{ kind: Kind; id: string; state: string }> {
  yield { kind: 'transaction', id: view.id, state: view.state };
  if (view.sender) yield { kind: 'sender', id: view.sender.id, state: view.sender.state };
  for (const { id, state } of view.recipients ?? []) yield { kind: 'recipient', id, state };
  for (const { id, state } of view.payin_methods ?? []) yield { kind: 'payin_method', id, state };
}

export function checkLook(view: Json, nowMs: number): void {
  for (const { kind, id, state } of statesIn(view)) {
    must(statesOf(kind).includes(state), 'allowed moves', () => `${kind} ${id} is in no state: ${state}`);
  }
  checkAmounts(view);
  checkTimes(view, nowMs);
  checkMoney(view);
  checkAgreement(view);
  for (const recipient of view.recipients) checkPermissions(recipient);
}

function checkAmounts(view: Json): void {
  const { input_amount, paid_amount, due_amount, input_currency } = view;
  const due = units(input_amount) - units(paid_amount);
  must(units(due_amount) === due, 'amounts', () => `${say(view)}: due ${due_amount}, not ${shown(due)}`);
  for (const amount of [input_amount, paid_amount]) checkFits(view, amount, input_currency);
  for (const each of view.recipients) {
    checkFits(view, each.input_amount, each.input_currency);
    checkFits(view, each.output_amount, each.output_currency);
    must(each.input_currency === input_currency, 'amounts', () => `${say(view)}: two input currencies`);
  }
}

function checkFits(view: Json, amount: unknown, currency: string): void {
  const value = units(amount);
  must(value >= 0n && fits(value, currency), 'amounts', () => `${say(view)}: ${amount} ${currency}`);
}

function checkTimes(view: Json, nowMs: number): void {
  const [created, updated, expires] = [view.created_at, view.updated_at, view.expires_at].map(Date.parse);
  const inOrder = Number(created) <= Number(updated) && Number(updated) <= nowMs;
  must(inOrder, 'time', () => `${say(view)}: created ${view.created_at}, updated ${view.updated_at}`);
  const late = Number(expires) <= nowMs && UNFUNDED.includes(view.state);
  must(!late, 'funded in time', () => `${say(view)} is still open after ${view.expires_at}`);
}

/** Recipients that were taken off the bill before funding are cancelled for ever, and cost nothing. */
function checkMoney(view: Json): void {
  const funded = units(view.paid_amount);
  const paid = total(view.recipients.filter(isPaid));
  const back = total(view.recipients.filter(({ state }: Json) => state === 'refunded'));
  const detail = () => `${say(view)}: funded ${shown(funded)}, paid ${shown(paid)}, refunded ${shown(back)}`;
  must(paid + back <= funded, 'paid once', detail);
  must(funded <= units(view.input_amount), 'funded once', detail);
  if (view.state === 'paid') must(paid === funded && paid > 0n, 'paid once', detail);
  if (view.state === 'refunded') must(paid + back === funded && back > 0n, 'paid once', detail);
  must(funded === 0n || !UNFUNDED.includes(view.state), 'agreement', detail);
  const idle = view.recipients.every(({ state }: Json) => state === 'initial' || state === 'canceled');
  must(funded > 0n || idle, 'paid once', detail);
  const collected = view.payin_methods.some(({ state }: Json) => COLLECTED.includes(state));
  must(funded === 0n || !isCollection(view) || collected, 'collected', detail);
}

const total = (recipients: Json[]): Units =>
  recipients.reduce((sum: Units, { input_amount }: Json) => sum + units(input_amount), 0n);

function checkAgreement(view: Json): void {
  for (const each of view.recipients) {
    const agrees = each.transaction_state === view.state && each.transaction_id === view.id;
    must(agrees, 'agreement', () => `${say(view)}: recipient ${each.id} says ${each.transaction_state}`);
  }
  const open = view.recipients.filter((each: Json) => !isPaid(each));
  const gone = open.every(({ state }: Json) => state === 'canceled' || state === 'refunded');
  const over = ['paid', 'refunded', 'canceled'].includes(view.state);
  must(!over || gone, 'agreement', () => `${say(view)} has recipients that are not over`);
  const none = view.recipients.some(isPaid) && view.state === 'canceled';
  must(!none, 'agreement', () => `${say(view)} is cancelled, and somebody was paid`);
}

/** The description: cash always while it can still be, else not with the provider; sender errors cannot be edited away. */
function checkPermissions(recipient: Json): void {
  const { state, may_cancel, editable, state_reason_details: reason } = recipient;
  const failed = state === 'error' || state === 'manual';
  const waits = ['pending', 'stuck', 'exception'].includes(state);
  const cancels = failed || state === 'initial' || (waits && isCash(recipient));
  const hopeless = failed && !isCash(recipient) && reason?.category === 'sender_error';
  const edits = (failed || state === 'initial' || state === 'pending') && !hopeless;
  const detail = () =>
    `recipient ${recipient.id} is ${state}: may_cancel ${may_cancel}, editable ${editable}`;
  must(may_cancel === cancels && editable === edits, 'permissions', detail);
}

/** What it moved, in every book, from nothing until now. */
export function booksOf(view: Json): Sums {
  const books = new Sums();
  const move = (from: string, to: string, currency: string, amount: Units) => {
    books.add(`${from}:${currency}`, -amount);
    books.add(`${to}:${currency}`, amount);
  };
  const source = isCollection(view) ? 'collected' : 'wallet';
  move(source, 'held', view.input_currency, units(view.paid_amount));
  for (const each of view.recipients) {
    if (each.state === 'refunded') move('held', source, each.input_currency, units(each.input_amount));
    if (!isPaid(each)) continue;
    const goal = each.payout_method.type === `${each.output_currency}::Balance` ? 'wallet' : 'delivered';
    move('held', 'exchange', each.input_currency, units(each.input_amount));
    move('exchange', goal, each.output_currency, units(each.output_amount));
  }
  return books;
}
