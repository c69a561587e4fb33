/** Payout types and currencies that remit does not know: they are named, and not refused. */

import { balanceCurrency } from '../../contract/corridors/balance.ts';
import { corridorTypes } from '../../contract/corridors/index.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { currencyRule } from '../../core/currency.ts';

/** This catches what people mistype. What remit does not know may still be known to the service, which decides. */
export function unknownNames(body: TransactionWrite, listed: readonly string[]): string[] {
  const types = body.recipients.flatMap(({ payout_method: { type } }) =>
    type === undefined || isKnownType(type) || listed.includes(type)
      ? []
      : [
          `${type} is not a payout type that remit knows (${corridorTypes.map((one) => one.type).join(', ')})`,
        ],
  );
  const codes = [body.input_currency, ...body.recipients.map((one) => one.requested_currency)];
  const unknown = [...new Set(codes.filter((code) => currencyRule(code) === undefined))];
  return [...types, ...unknown.map((code) => `${code} is not a currency that remit knows`)];
}

const isKnownType = (type: string): boolean =>
  corridorTypes.some((one) => one.type === type) || balanceCurrency(type) !== null;
