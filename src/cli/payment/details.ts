/** What a payout type asks for, from the contract's own data: names that it does not know are refused, not ignored. */
import { unknownDetails } from '../../contract/corridors/check.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor } from '../../contract/corridors/index.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import { Failure } from '../failure.ts';

/**
 * The service ignores details that it does not know: a misspelt `bank_acount` would leave the old account in place and pay
 * it. @throws Failure (usage)
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
  throw new Failure({
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

export async function refuseUnknownDetailsIn(body: TransactionWrite): Promise<void> {
  for (const [index, recipient] of body.recipients.entries()) {
    await refuseUnknownDetails(
      recipient.payout_method.type,
      recipient.type ?? 'person',
      recipient.payout_method.details ?? {},
      `recipients.${index}.payout_method.details`,
    );
  }
}

/** Named when the service says that a payout type is not valid. */
export const knownTypes = (): string => corridorTypes.map(({ type }) => type).join(', ');
