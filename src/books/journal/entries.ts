/**
 * The entries of a journal in double entry: one for each movement of a balance, on the day of that movement. Every entry is balanced in
 * each of its currencies: a payment from one currency to another has two legs over a conversion account, and the margin of the rate has
 * an account of its own. Nothing is revalued: remit knows no home currency.
 */
import { add, isZero, sub } from '../../core/money.ts';
import { wallTime } from '../../core/zone.ts';
import type { Paid } from '../shapes.ts';
import type { Line, LineKind } from '../statement/lines.ts';

/** The accounts of a journal, each by the part that it has in an entry. */
export const ROLES = [
  'balance',
  'payout',
  'conversion',
  'margin',
  'collection',
  'correction',
  'top_up',
  'unexplained',
  'opening',
  'difference',
] as const;
export type Role = (typeof ROLES)[number];

export interface Leg {
  role: Role;
  currency: string;
  /** A debit is above zero, a credit below. */
  amount: string;
}

export interface JournalEntry {
  /** Names the movement, in every journal that is made of it. */
  id: string;
  kind: LineKind;
  /** `2026-10-31`, in the time zone of the statement. */
  day: string;
  /** Tells who was paid, or who paid: data from outside, as they are. Empty where no payment moved the balance. */
  payee: string;
  /** The partner's own reference; empty where there is none. */
  reference: string;
  /** The balance that moved, and by how much. */
  currency: string;
  amount: string;
  legs: readonly Leg[];
  /** It was paid in another currency, and the books did not see the rate of that day: its margin is in the conversion. */
  isMarginUnknown: boolean;
}

export interface EntrySetting {
  zone: string;
  /** Makes an entry of each opening balance. */
  opening: boolean;
}

/** Undefined for a line that no entry is made of: an end of the statement. */
export function journalEntryOf(line: Line, { zone, opening }: EntrySetting): JournalEntry | undefined {
  const { kind, currency } = line;
  const isOpening = opening && kind === 'opening';
  const amount = isOpening ? line.balance : line.amount;
  if (amount === null || isZero(amount)) return undefined;
  const legs = new Legs();
  legs.put('balance', currency, amount);
  if (kind === 'debit' || kind === 'refund') paidLegs(legs, line, amount);
  else if (kind === 'collection') collectedLegs(legs, line, amount);
  else if (kind === 'correction') legs.put('correction', currency, sub('0', amount));
  else legs.put(isOpening ? 'opening' : stepRole(amount), currency, sub('0', amount));
  return {
    id: idOf(line),
    kind,
    day: wallTime(Date.parse(line.at), zone).day,
    payee: line.name ?? '',
    reference: line.external_id ?? line.reference ?? '',
    currency,
    amount,
    legs: legs.all(),
    isMarginUnknown:
      (kind === 'debit' || kind === 'refund') &&
      parts(line).some((one) => one.margin_amount === null && one.output_currency !== currency),
  };
}

/** Money that no payment explains came in, perhaps as a top-up, or left. */
const stepRole = (amount: string): Role => (amount.startsWith('-') ? 'unexplained' : 'top_up');

function idOf({ kind, at, currency, transaction_id, recipient_id }: Line): string {
  const of = recipient_id ?? transaction_id;
  const moment = at.replace(/[-:.]/g, '');
  if (of === null) return `${kind}-${currency}-${moment}`;
  // A payment may be corrected more than once.
  return kind === 'correction' ? `${kind}-${of}-${moment}` : `${kind}-${of}`;
}

/** A refund is its payment turned round: what was paid, converted and lost comes back to the same accounts. */
function paidLegs(legs: Legs, line: Line, amount: string): void {
  const isBack = line.kind === 'refund';
  const signed = (leg: string): string => (isBack ? sub('0', leg) : leg);
  let left = sub('0', signed(amount));
  for (const { input_amount: input, output_amount: output, output_currency: to, margin_amount } of parts(
    line,
  )) {
    if (input === null || output === null || to === null) continue;
    if (to === line.currency) {
      legs.put('payout', to, signed(output));
      left = sub(left, output);
      continue;
    }
    const margin = margin_amount ?? '0';
    legs.put('margin', line.currency, signed(margin));
    legs.put('conversion', line.currency, signed(sub(input, margin)));
    legs.put('conversion', to, signed(sub('0', output)));
    legs.put('payout', to, signed(output));
    left = sub(left, input);
  }
  // Money that the records of the recipients do not account for is shown as that, and not added to another account.
  legs.put('difference', line.currency, signed(left));
}

function collectedLegs(legs: Legs, line: Line, amount: string): void {
  const [{ input_amount: input, input_currency: from } = NOTHING] = parts(line);
  if (input === null || from === null || from === line.currency) {
    legs.put('collection', line.currency, sub('0', amount));
    return;
  }
  legs.put('conversion', line.currency, sub('0', amount));
  legs.put('conversion', from, input);
  legs.put('collection', from, sub('0', input));
}

type Part = Pick<
  Paid,
  'input_amount' | 'input_currency' | 'output_amount' | 'output_currency' | 'margin_amount'
>;
const NOTHING = { input_amount: null, input_currency: null };

const parts = (line: Line): readonly Part[] => line.recipients ?? [line];

/** The legs of one entry, in the order in which they came; those of one account and currency are one. */
class Legs {
  #legs: Leg[] = [];

  put(role: Role, currency: string, amount: string): void {
    const same = this.#legs.find((leg) => leg.role === role && leg.currency === currency);
    if (same) same.amount = add(same.amount, amount);
    else this.#legs.push({ role, currency, amount });
  }

  all(): Leg[] {
    return this.#legs.filter(({ amount }) => !isZero(amount));
  }
}
