/** A transaction to fill in, or filled with made-up values that a sandbox accepts: what `tx create --file` takes. */
import { fieldsFor } from '../../../contract/corridors/check.ts';
import type { Corridor, PartyKind } from '../../../contract/corridors/corridor.ts';
import { loadOptionsOf } from '../../../contract/corridors/index.ts';
import { sampleDetails } from '../../../contract/corridors/sample.ts';
import { decimalsOf } from '../../../core/currency.ts';

export interface Skeleton {
  input_currency: string;
  external_id: string;
  sender: { external_id: string };
  recipients: {
    type: PartyKind;
    requested_amount: string;
    requested_currency: string;
    payout_method: { type: string; details: Record<string, string> };
  }[];
}

/** Everything that is required, empty: what is left empty is refused, so nothing is paid to an invented account. */
export function emptySkeleton(corridor: Corridor, kind: PartyKind): Skeleton {
  const wanted = fieldsFor(corridor, kind).filter(
    ({ name, required }) => required || (corridor.requireOneOf?.[0] ?? []).includes(name),
  );
  const details = Object.fromEntries(wanted.map((field) => [field.name, field.default ?? '']));
  return skeleton(corridor, kind, { amount: '', currency: '', sender: '', externalId: '', details });
}

/** Names are made up, and nothing is paid there. The sender must be one of yours. */
export async function sampleSkeleton(corridor: Corridor, kind: PartyKind): Promise<Skeleton> {
  const details = sampleDetails(corridor, kind, await loadOptionsOf(corridor));
  const amount =
    decimalsOf(corridor.currency) === 0 ? '25000' : decimalsOf(corridor.currency) > 2 ? '0.001' : '25.00';
  return skeleton(corridor, kind, {
    amount,
    currency: 'EUR',
    sender: 'customer-17',
    externalId: `sample-${corridor.type.toLowerCase().replace('::', '-')}`,
    details,
  });
}

interface Filling {
  amount: string;
  currency: string;
  sender: string;
  externalId: string;
  details: Record<string, string>;
}

function skeleton(corridor: Corridor, kind: PartyKind, filling: Filling): Skeleton {
  return {
    input_currency: filling.currency,
    external_id: filling.externalId,
    sender: { external_id: filling.sender },
    recipients: [
      {
        type: kind,
        requested_amount: filling.amount,
        requested_currency: corridor.currency,
        payout_method: { type: corridor.type, details: filling.details },
      },
    ],
  };
}
