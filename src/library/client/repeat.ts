/**
 * A write that was asked for before. What is unknown is settled before anything is sent, so a queue that calls again heals by itself. A
 * second write is sent only where the first is known not to be applied.
 */
import { bindsNothing } from '../../client/bound.ts';
import type { Earlier } from '../../client/earlier.ts';
import { isCallError } from '../../client/errors.ts';
import type { WritePlan } from '../../client/outcome.ts';
import type { Intent } from '../../client/store/port.ts';
import { type AskedWrite, writePlanOf } from '../../client/writes.ts';
import { invariant } from '../../core/invariants.ts';
import type * as Public from '../client-types.ts';
import { applied, unknown } from './outcome.ts';
import type { Scope } from './scope.ts';

export type WithId = { id?: string | null | undefined };

export type Settle = (
  intent: Intent,
  options: Public.SettleOptions,
) => Promise<
  Public.Outcome<Public.Transaction | Public.Recipient | Public.PayoutMethod | Public.PayinMethod>
>;

export interface Repeat {
  scope: Scope;
  asked: AskedWrite;
  externalId: string | undefined;
  terms: Public.CallOptions;
  /** It is held to a limit. */
  isBound: boolean;
}

/** An earlier write of the same stands in the way: nothing was sent this time. */
export async function met<T extends WithId>(
  repeat: Repeat,
  { kind, intent }: Earlier,
): Promise<Public.Outcome<T>> {
  if (kind === 'under_way')
    return { ...unknown('the same is under way in another process: settle it later'), intent };
  if (kind === 'unsettled' || kind === 'perhaps')
    return {
      ...unknown('an earlier write of the same has an unknown outcome: settle it first'),
      intent,
    };
  if (kind === 'other_key')
    return {
      ...unknown(
        `intent ${intent.id} of another key (…${intent.keyLast4}) asks for the same, and its outcome is unknown: nothing was sent; newPayment makes this one all the same`,
      ),
      intent,
    };
  invariant(intent.state === 'applied', 'only what was applied is answered with what stands');
  return { ...(await standing<T>(repeat)), intent };
}

/** Finds out what became of the earlier one. Applied is applied for this call too; whatever breaks off leaves it unknown. */
export async function settleEarlier<T extends WithId>(
  repeat: Repeat,
  earlier: Intent,
  settle: Settle,
): Promise<Public.Outcome<T>> {
  const { terms } = repeat;
  let settled: Awaited<ReturnType<Settle>>;
  try {
    settled = await settle(earlier, { ...terms, look: isOnlyLookedFor(repeat, earlier) });
  } catch (thrown) {
    const why = `an earlier write of the same has an unknown outcome, and settling it broke off: ${(thrown as Error).message}`;
    return { ...unknown(why), error: isCallError(thrown) ? thrown : undefined, intent: earlier };
  }
  if (settled.outcome !== 'applied') return settled;
  const { record, outcome: _, how: __, ...journalled } = settled;
  if (asksTheSame(repeat.asked, earlier))
    return { ...applied(record as WithId as T, 'earlier'), ...journalled };
  return { ...(await standing<T>(repeat)), ...journalled };
}

/**
 * `retries: 0` sends nothing twice; a payment of another name, or of none, is not sent for a caller who does not know it; and what would
 * pay without a limit is not sent for one who has set a limit.
 */
function isOnlyLookedFor({ scope, asked, externalId, terms, isBound }: Repeat, earlier: Intent): boolean {
  if (isBound && bindsNothing(JSON.parse(earlier.request ?? '{}') as AskedWrite)) return true;
  return scope.once(terms) || (asked.plan === 'create' && earlier.externalId !== externalId);
}

/** Two that the journal takes for one payment may still differ: one of them funds it, or names its sender otherwise. */
function asksTheSame(asked: AskedWrite, { request }: Intent): boolean {
  const isPayment = asked.plan === 'create' || asked.plan === 'debit';
  return !isPayment || request === JSON.stringify(asked);
}

/** Reads what stands of a write that was applied, as it is asked for now. */
async function standing<T extends WithId>({ scope, asked, terms }: Repeat): Promise<Public.PlainOutcome<T>> {
  try {
    const looked = await (
      writePlanOf(scope.client(terms), asked) as WritePlan<unknown> as WritePlan<T>
    ).look();
    if (looked.kind === 'applied') return applied(looked.value, 'earlier');
  } catch (error) {
    if (!isCallError(error)) throw error;
    return { outcome: 'unknown', why: 'by the journal it was applied, and it cannot be read now', error };
  }
  return unknown('by the journal the same was applied, and the service does not show it as it was asked');
}
