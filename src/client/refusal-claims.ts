/** Decides what a refusal proves of a write that is not sent again from here, such as a raw call. */
import { type ApiError, isCallError } from './errors.ts';
import { lookInto, settleByLooking, verdictOf, type WritePlan } from './outcome.ts';

export type Claim = 'applied' | 'not_applied' | 'unknown';

/**
 * Decides what a refusal proves of a write that is not sent again from here. Where another record stands in its
 * place, the write never will be made.
 */
export async function claimOfRefusal<T>(
  plan: WritePlan<T>,
  refusal: ApiError,
): Promise<{ kind: Claim; value?: T }> {
  const outcome = refusal.details.isOwn ? await lookInto(plan, refusal) : await settleByLooking(plan);
  if (outcome?.kind === 'applied') return { kind: 'applied', value: outcome.value };
  const isRefused =
    outcome?.kind === 'not_applied' || (outcome?.kind === 'conflict' && outcome.why === undefined);
  return { kind: isRefused ? 'not_applied' : 'unknown' };
}

/** Decides what a refusal proves of a write that cannot be looked for. A duplicate may be our first copy. */
export async function claimUnseen(client: Proving, refusal: ApiError): Promise<Claim> {
  return verdictOf(refusal) === 'refused' && (await isAnswered(client)) ? 'not_applied' : 'unknown';
}

interface Proving {
  /** Reads anything that the key may read. @throws CallError */
  prove(): Promise<void>;
}

async function isAnswered(client: Proving): Promise<boolean> {
  try {
    await client.prove();
    return true;
  } catch (error) {
    if (!isCallError(error)) throw error;
    return false;
  }
}
