/** The words for a movement of money, before it is sent. */
import { directionOf } from '../../contract/direction.ts';
import type { PayinMethod, PayinMethodWrite } from '../../contract/resources/payment-method.ts';
import type { Recipient, Transaction, TransactionWrite } from '../../contract/resources/transaction.ts';
import { money } from '../../core/amount-words.ts';
import { type Decimal, sum } from '../../core/money.ts';
import { initial, lastFour, type MaskLevel, maskData } from './mask.ts';
import { fullName, payoutAccountOf } from './person.ts';

/** `pay 5000 NGN to Ada Obi, NGN::Bank 044 ••••6789`. */
export function paymentLines(body: TransactionWrite, mask: MaskLevel): string[] {
  const collected = (body.payin_methods ?? []).map(payinLine);
  const paid = body.recipients.map((recipient) => {
    const { details } = recipient.payout_method;
    if (directionOf(recipient) === 'collection')
      return `credit ${money(recipient.requested_amount, recipient.requested_currency)} to the balance`;
    return `pay ${money(recipient.requested_amount, recipient.requested_currency)} to ${nameFor(details, mask) || 'the recipient'}, ${recipient.payout_method.type ?? ''} ${maskedAccount(details)}`;
  });
  return [...collected, ...paid];
}

/** `costs 4.10 EUR, arrives as 7000 NGN, 1 EUR = 1707.2 NGN`. */
export function calculationLines(calculated: Transaction): string[] {
  const total = `costs ${money(calculated.input_amount, calculated.input_currency)} in all`;
  const each = (calculated.recipients ?? []).map(
    (one) =>
      `arrives as ${money(one.output_amount, one.output_currency)}${one.exchange_rate ? `, 1 ${one.input_currency} = ${one.exchange_rate} ${one.output_currency}` : ''}`,
  );
  return [total, ...each];
}

export function recipientLine(recipient: Recipient, mask: MaskLevel): string {
  const details = recipient.payout_method?.details;
  return `${money(recipient.output_amount, recipient.output_currency) ?? ''} to ${nameFor(details, mask) || recipient.id}, ${recipient.payout_method?.type ?? ''} ${maskedAccount(details)}`.trim();
}

/** Returns the line that the journal keeps of a payment: amounts in full, people masked. */
export const maskedSummary = (body: TransactionWrite | Transaction): string =>
  summaryLine(body, (details) => initial(fullName(details)));

/** One line by which a person recognises it: `25000 NGN to Ada Obi NGN::Bank 044 ••••6789`. */
export const shownSummary = (body: TransactionWrite, mask: MaskLevel): string =>
  summaryLine(body, (details) => nameFor(details, mask));

function summaryLine(
  { recipients }: TransactionWrite | Transaction,
  nameOf: (details: Method['details']) => string,
): string {
  return (recipients ?? [])
    .map(({ payout_method: method, requested_amount: amount, requested_currency: currency }) => {
      const details = method?.details;
      return `${money(amount, currency)} to ${nameOf(details)} ${method?.type ?? ''} ${maskedAccount(details)}`.trim();
    })
    .join('; ');
}

export function maskedRecipient(recipient: Recipient): string {
  const details = recipient.payout_method?.details;
  return `${money(recipient.output_amount, recipient.output_currency) ?? ''} to ${initial(fullName(details))} ${recipient.payout_method?.type ?? ''} ${maskedAccount(details)}`.trim();
}

/** A person before the terminal sees the name in full. CI keeps what it prints, so there it is masked. */
const nameFor = (details: Record<string, unknown> | null | undefined, mask: MaskLevel): string =>
  fullName(maskData(details, mask, 'details'));

function maskedAccount(details: Record<string, unknown> | null | undefined): string {
  const words = payoutAccountOf(details).split(' ');
  const account = words.pop() ?? '';
  return [...words, account === '' ? '' : lastFour(account)].join(' ').trim();
}

/** `NGN::Bank 044 ••••6789, Ada Obi`. */
export function methodLine({ type, details }: Method, mask: MaskLevel): string {
  return [`${type ?? ''} ${maskedAccount(details)}`.trim(), nameFor(details, mask)]
    .filter(Boolean)
    .join(', ');
}

/** The journal is kept, so a method stands in it masked. */
export function maskedMethod({ type, details }: Method): string {
  return [`${type ?? ''} ${maskedAccount(details)}`.trim(), initial(fullName(details))]
    .filter(Boolean)
    .join(', ');
}

interface Method {
  type?: string | null | undefined;
  details?: Record<string, unknown> | null | undefined;
}

/** `collection by GHS::Mobile ussd_popup mtn ••••3400`: who is asked to pay. */
export function payinLine({
  type,
  ux_flow: flow,
  in_details: details,
}: PayinMethodWrite | PayinMethod): string {
  const account = details?.account_number ?? details?.refund_address;
  const asked = maskedAccount(account === undefined ? details : { ...details, bank_account: account });
  return ['collection by', type, flow, asked].filter(Boolean).join(' ');
}

/** Returns the amount that arrives, where it is one currency: for the journal. */
export function totalOf({ recipients }: TransactionWrite): { amount?: string; currency?: string } {
  const [first] = recipients;
  const currency = first?.requested_currency;
  if (currency == null || recipients.some((one) => one.requested_currency !== currency)) return {};
  const amounts = recipients.map((one) => one.requested_amount);
  return amounts.every((amount) => amount != null) ? { amount: sum(amounts as Decimal[]), currency } : {};
}

export const payoutAmount = ({ output_amount: amount, output_currency: currency }: Recipient) =>
  amount && currency ? { amount, currency } : {};
