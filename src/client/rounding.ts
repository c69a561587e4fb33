/** The amounts that the service rounds: KES, TZS, UGX and NGN are paid in whole units, rounded up (docs/rules.md 3). */
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { roundFor, roundsUp } from '../core/currency.ts';
import { eq, toDecimal } from '../core/money.ts';

export interface Rounded {
  /** The place of the amount in the request: `recipients.0.requested_amount`. */
  path: string;
  currency: string;
  /** The amount that was asked for: `100.50`. */
  asked: string;
  /** The amount that is paid: `101`. */
  becomes: string;
}

/** Each amount of a payment that is paid as another; empty where none is. */
export function roundedIn({ recipients }: Pick<TransactionWrite, 'recipients'>): Rounded[] {
  return recipients.flatMap(({ requested_amount: amount, requested_currency: currency }, index) => {
    const asked = toDecimal(amount);
    if (asked === null || !roundsUp(currency)) return [];
    const becomes = roundFor(currency, asked);
    const path = `recipients.${index}.requested_amount`;
    return eq(becomes, asked) ? [] : [{ path, currency, asked, becomes }];
  });
}
