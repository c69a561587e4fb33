/** What a payout type asks for, from the contract's own data: names that it does not know are refused, not ignored, and so are wrong accounts. */

import { accountFaults } from '../../contract/corridors/accounts.ts';
import { balanceCurrency } from '../../contract/corridors/balance.ts';
import { unknownDetails } from '../../contract/corridors/check.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor } from '../../contract/corridors/index.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { currencyRule } from '../../core/currency.ts';
import { said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';
import { refuseFaults } from './wrong-accounts.ts';

/**
 * The service ignores details that it does not know: a misspelt `bank_acount` would leave the old account in place and pay
 * it. @throws Problem (usage)
 */
export async function refuseUnknownDetails(
  type: string | undefined,
  kind: PartyKind,
  details: Record<string, unknown>,
  path: string,
): Promise<void> {
  const corridor = await loadCorridor(type ?? '');
  if (!corridor) return;
  const unknown = unknownDetails(corridor, kind, details);
  if (unknown.length === 0) return;
  const known = (corridor.recipientKinds[kind] ?? corridor.recipientKinds.person).map(({ name }) => name);
  throw new Problem({
    category: 'usage',
    code: 'unknown_detail',
    message: `${type} has no detail called ${unknown.join(', ')}`,
    hint: `it knows ${known.join(', ')}`,
    fields: unknown.map((name) => ({
      path: `${path}.${name}`,
      words: ['is not a detail of this payout type'],
    })),
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}

interface Given {
  type: string | undefined;
  kind: PartyKind;
  /** All details, as they will be after the change. */
  details: Readonly<Record<string, unknown>>;
  /** What is new: only that is looked at. */
  only?: readonly string[];
  /** Where the details are in the request, for the path of a problem. */
  path: string;
}

/** An account that its corridor does not take would be refused, or worse, paid to somebody else. @throws Problem (usage) */
export async function refuseWrongAccounts({ type, kind, details, only, path }: Given): Promise<void> {
  const corridor = await loadCorridor(type ?? '');
  if (!corridor) return;
  const fields = corridor.recipientKinds[kind] ?? corridor.recipientKinds.person;
  refuseFaults(accountFaults(fields, details, only), {
    what: corridor.type,
    path,
    hint: said`correct it and run it again; what it asks for: ${{ do: 'show_corridor', type: corridor.type }}`,
  });
}

/** Stored payout methods do not say whose they are: a business has a `name`, a person a `last_name`. */
export function partyOf(details: Record<string, unknown> | null | undefined): PartyKind {
  return details?.name !== undefined && details.last_name === undefined ? 'business' : 'person';
}

/** Checks the payout details of each recipient. @throws Problem (usage) */
export async function refuseWrongDetailsIn(body: TransactionWrite): Promise<void> {
  for (const [index, recipient] of body.recipients.entries()) {
    const { type, details = {} } = recipient.payout_method;
    const kind = recipient.type ?? 'person';
    const path = `recipients.${index}.payout_method.details`;
    await refuseUnknownDetails(type, kind, details, path);
    await refuseWrongAccounts({ type, kind, details, path });
  }
}

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
