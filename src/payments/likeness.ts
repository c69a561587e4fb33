/**
 * When two payments may be one under two names (docs/rules.md 13): the same account, and the same amount in one of its currencies. An account
 * that a record masks or leaves out is compared as `client/same.ts` compares it; where one side shows none, the name decides.
 */
import { isAsAlikeAs, normalForm, sameAmount, sameMember } from '../client/same.ts';
import { directionOf } from '../contract/direction.ts';
import type { Recipient } from '../contract/resources/transaction.ts';
import { roundFor } from '../core/currency.ts';
import { gt, mul, sub, toDecimal } from '../core/money.ts';
import { type Find, isAccount, personalFinds } from './finds.ts';

/** A payee with the money of its payment: as it was asked for, or as the service shows it. */
export type PaidPayee = Partial<
  Pick<
    Recipient,
    | 'payout_method'
    | 'requested_amount'
    | 'requested_currency'
    | 'input_amount'
    | 'input_currency'
    | 'output_amount'
    | 'output_currency'
  >
>;

interface Wanted {
  key: string;
  payee: PaidPayee;
  finds: readonly Find[];
}

/** The payees that are to be paid, by the end of each account and by name. */
export class LikenessIndex {
  readonly #byEnd = new Map<string, Wanted[]>();

  add(key: string, payee: PaidPayee): void {
    if (directionOf(payee) === 'collection') return;
    const wanted = { key, payee, finds: payeeFinds(payee) };
    for (const end of new Set(wanted.finds.map(endOf))) {
      const some = this.#byEnd.get(end);
      if (some) some.push(wanted);
      else this.#byEnd.set(end, [wanted]);
    }
  }

  get isEmpty(): boolean {
    return this.#byEnd.size === 0;
  }

  /**
   * Returns the keys of those that a payment may have paid.
   * @param isAsked the payment is known by what was asked alone: without a price, another currency cannot be told apart
   */
  keysLike(payee: PaidPayee, isAsked = false): string[] {
    // A run compares the same payments with each of its windows.
    const finds = read.get(payee) ?? payeeFinds(payee);
    read.set(payee, finds);
    const near = new Set(finds.flatMap((find) => this.#byEnd.get(endOf(find)) ?? []));
    return [...near]
      .filter((wanted) => isSamePayee(wanted.finds, finds) && isSameMoney(wanted.payee, payee, isAsked))
      .map(({ key }) => key);
  }
}

const read = new WeakMap<PaidPayee, Find[]>();
const payeeFinds = ({ payout_method: method }: PaidPayee): Find[] =>
  personalFinds
    .ofRecipient({ payout_method: method } as Recipient)
    .filter((find) => (isAccount(find) || find.kind === 'name') && normalForm(find.text) !== '');

/** Returns the accounts of a payee in their normal form, without the zeros in front; its name where it has none. */
export function payeeTexts(payee: PaidPayee): string[] {
  const finds = payeeFinds(payee);
  const accounts = finds.filter(isAccount);
  return (accounts.length > 0 ? accounts : finds).map(({ text }) =>
    normalForm(text).replace(/^0+(?=\d+$)/, ''),
  );
}

/** A masked account shows its last four at least. */
const endOf = (find: Find): string =>
  isAccount(find) ? normalForm(find.text).slice(-4) : `name ${normalForm(find.text)}`;

function isSamePayee(a: readonly Find[], b: readonly Find[]): boolean {
  const [ours, theirs] = [a.filter(isAccount), b.filter(isAccount)];
  if (ours.length === 0 || theirs.length === 0)
    return a.some((one) => b.some((other) => isSameName(one, other)));
  return ours.some(({ kind, text }) =>
    theirs.some((other) => isAsAlikeAs(sameMember(kind, text, other.text), 'cannot_tell')),
  );
}

const isSameName = (a: Find, b: Find): boolean =>
  a.kind === 'name' && b.kind === 'name' && normalForm(a.text) === normalForm(b.text);

/** Rates move between two payments of one wish. */
const RATE_SHARE = '0.02';

function isSameMoney(wanted: PaidPayee, payee: PaidPayee, isAsked: boolean): boolean {
  const currency = codeOf(wanted.requested_currency);
  if (codeOf(payee.requested_currency) === currency)
    return isAsAlikeAs(
      sameAmount(wanted.requested_amount, rounded(payee.requested_amount, currency), currency),
      'cannot_tell',
    );
  if (isAsked) return true;
  const asked = toDecimal(wanted.requested_amount);
  return [
    [payee.output_amount, payee.output_currency],
    [payee.input_amount, payee.input_currency],
  ].some(([amount, code]) => {
    const shown = codeOf(code) === currency ? toDecimal(amount) : null;
    if (shown === null || asked === null) return false;
    const gap = gt(asked, shown) ? sub(asked, shown) : sub(shown, asked);
    return !gt(gap, mul(shown, RATE_SHARE));
  });
}

const rounded = (amount: unknown, currency: string): unknown => {
  const decimal = toDecimal(amount);
  return decimal === null ? amount : roundFor(currency, decimal);
};

const codeOf = (currency: string | null | undefined): string => (currency ?? '').toUpperCase();
