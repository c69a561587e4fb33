/** Payouts that need an act, as one list: by who must act, the nearest deadline first. */
import type { Hint } from '../../core/next.ts';
import type { Desk } from '../desk.ts';
import { spanOf } from '../lists/period.ts';
import { countActs, inTurn, type Troubled, triageNotes, triageSource, triageStates } from './triage.ts';

const PENDING_AFTER_MS = 3_600_000;

/** @param period days of creation. @param limit the most that are listed */
export async function troubledNow(
  desk: Desk,
  { limit, ...period }: { limit: number } & Parameters<typeof spanOf>[1],
): Promise<{ rows: Troubled[]; notes: Hint[] }> {
  const { since, until } = period;
  await spanOf(desk, period);
  const source = triageSource(desk, {
    ...{ states: triageStates, currency: [], limit, pendingAfterMs: PENDING_AFTER_MS },
    dates: { ...(since && { created_at_from: since }), ...(until && { created_at_to: until }) },
  });
  const stories: Troubled[] = [];
  for await (const page of source.pages()) stories.push(...page);
  return { rows: inTurn(stories), notes: triageNotes(countActs(new Map(), stories), source.progressed) };
}
