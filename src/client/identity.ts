/**
 * When two requests are one payment, however each is written (decision 0007). The digest leaves out what does not make another
 * payment (the external id, traits, blanks, empty members, the order of recipients) and who pays, which can be said in two ways
 * that only the service tells together: that is compared apart, by `payerOf`.
 */
import { createHash } from 'node:crypto';
import { createDebits } from '../contract/operations/accounts.ts';
import { createTransaction } from '../contract/operations/transactions.ts';
import type { RecipientWrite, TransactionWrite } from '../contract/resources/transaction.ts';
import { type AccountKey, canonicalBaseUrl } from '../core/account.ts';
import { roundFor } from '../core/currency.ts';
import { exactDigits, readExactly } from '../core/exact-numbers.ts';
import { invariant } from '../core/invariants.ts';
import { format, sub, toDecimal } from '../core/money.ts';
import { type Asked, operationOf } from './writes.ts';

/** A raw call that no plan of ours stands for. */
export interface RawAsked {
  plan: 'raw';
  method: string;
  path: string;
  body?: string | undefined;
  /** Where the body is a payment that no plan can stand for, since it has no external id to look for. */
  payment?: TransactionWrite | undefined;
}

/**
 * SHA-256 over the base URL, the kind of operation, and what is asked for in its canonical form. The key is not in it: whether two keys are one
 * account may be learnt later (`core/account`), and is asked of each intent apart.
 */
export function requestDigest(account: Pick<AccountKey, 'baseUrl'>, asked: Asked | RawAsked): string {
  const what = canonical(askedFor(asked));
  invariant(what !== '{}', 'two requests that name nothing would be taken for one payment');
  const parts = [canonicalBaseUrl(account.baseUrl), kindOf(asked), what];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** One payment, whichever way it is begun: funded at once or later, it must not be made beside itself. */
const kindOf = (asked: Asked | RawAsked): string => {
  if (asked.plan === 'raw') return asked.payment === undefined ? 'raw' : createTransaction.id;
  return asked.plan === 'create' ? createTransaction.id : operationOf(asked).id;
};

function askedFor(asked: Asked | RawAsked): unknown {
  switch (asked.plan) {
    case 'create':
      return paymentOf(asked.transaction);
    case 'debit':
      return { [createDebits.id]: asked.debit.to_id.toLowerCase() };
    case 'edit':
      return { id: asked.recipientId, recipient: asked.recipient };
    case 'cancel':
      return { id: asked.recipientId };
    case 'raw':
      return asked.payment === undefined
        ? [asked.method, asked.path, parsed(asked.body)]
        : paymentOf(asked.payment);
    default: {
      const { plan: _, before: __, ...rest } = asked as { plan: string; before?: unknown };
      return rest;
    }
  }
}

/** The order of members and the blanks between them make no other request. */
function parsed(body = ''): unknown {
  try {
    return readExactly(body);
  } catch {
    return body;
  }
}

function paymentOf({ input_currency, recipients, payin_methods, metadata }: TransactionWrite): unknown {
  return {
    input_currency,
    recipients: recipients.map(recipientOf).map(canonical).sort(),
    payin_methods: payin_methods?.map((payin) => ({
      ...payin,
      in_details: comparableDetails(payin.in_details ?? {}),
    })),
    metadata,
  };
}

/** The amount as the service rounds it; the account without the blanks and dashes that people write into it, names in any case. */
function recipientOf(recipient: RecipientWrite): unknown {
  const { requested_amount: amount, requested_currency: currency, payout_method: method } = recipient;
  const decimal = toDecimal(amount);
  return {
    ...recipient,
    type: recipient.type ?? 'person',
    requested_amount: decimal === null ? amount : format(roundFor(currency, decimal), 0),
    payout_method: { ...method, details: comparableDetails(method.details ?? {}) },
  };
}

const NUMBERS = /account|iban|phone|number|code|card/i;

/** Details as they are compared: in one case and form, account numbers without blanks and dashes. */
export function comparableDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' ? spelt(name, value.normalize('NFKC').toUpperCase()) : value,
    ]),
  );
}

const spelt = (name: string, value: string): string =>
  NUMBERS.test(name) ? value.replace(/[\s-]/g, '') : value;

/** Tells who pays, as the request names it: two that have an id each, or an external id each, can be told apart here. */
export function payerOf(asked: Asked | RawAsked): string | undefined {
  const payment = asked.plan === 'raw' ? asked.payment : asked.plan === 'create' && asked.transaction;
  if (!payment) return undefined;
  const sender = payment.sender as Record<string, unknown>;
  const named = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  if (named(sender.id)) return `id:${sender.id.trim().toLowerCase()}`;
  if (named(sender.external_id)) return `ext:${sender.external_id.trim()}`;
  const { documents: _, ip: __, metadata: ___, ...who } = sender;
  return `new:${createHash('sha256').update(canonical(who)).digest('hex').slice(0, 16)}`;
}

/** Members that say nothing are left out, texts are trimmed, numbers are texts, and members are in one order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'number') return JSON.stringify(toDecimal(value) ?? String(value));
  const digits = exactDigits(value);
  const decimal = toDecimal(digits);
  if (digits !== undefined) return JSON.stringify(decimal === null ? digits : sub(decimal, '0'));
  if (typeof value === 'string') return JSON.stringify(value.trim().replace(/\s+/g, ' '));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .map(([name, member]) => [name, saysNothing(member) ? undefined : canonical(member)] as const)
    .filter(([, member]) => member !== undefined && member !== '{}' && member !== '""')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${member}`);
  return `{${members.join(',')}}`;
}

const saysNothing = (member: unknown): boolean =>
  member === undefined || member === null || (Array.isArray(member) && member.length === 0);
