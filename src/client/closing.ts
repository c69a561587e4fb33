/**
 * How an intent is closed, and what a refusal proves in the end. What was sent, got no answer, and is refused when the same is sent again may have
 * been applied by the first try, which may still be on its way. It is not applied where two looks found nothing over an hour of the service's own
 * time, while the refusal stood (docs/rules.md 1). The hour is counted by the `Date` of the service's answers and never by a clock of ours; where
 * the service does not say its time, it stays unknown.
 */

import { HOUR_MS } from '../core/clock.ts';
import type { Conflict, Outcome } from './outcome.ts';
import type { Intent, IntentClosing } from './store/port.ts';

/** How an intent of this outcome is closed. */
export function closingOf<T extends { id?: string | null | undefined }>(outcome: Outcome<T>): IntentClosing {
  const made = madeBy(outcome);
  if (made !== undefined) return { state: 'applied', resultId: made.id ?? undefined, note: noteOf(outcome) };
  const resultId = 'answeredId' in outcome ? outcome.answeredId : undefined;
  return { state: outcome.kind, resultId, note: noteOf(outcome) };
}

/** Returns what the write made: as it was asked, with other money or another payee, or after a newer one. */
function madeBy<T extends { id?: string | null | undefined }>(outcome: Outcome<T>): T | undefined {
  if (outcome.kind === 'applied') return outcome.value;
  const isMade = outcome.kind === 'conflict' && (outcome.madeFor ?? outcome.undid) !== undefined;
  return isMade ? (outcome.value as T) : undefined;
}

const OVERTAKEN = 'overtaken by ';
export const overtakenNote = (newer: string): string => `${OVERTAKEN}${newer}`;
export const undidNote = (newer: string): string => `found; it undid ${newer}`;

/** Returns the id of the newer edit that was answered while this one's outcome was unknown. */
export const overtakenBy = ({ state, note }: Pick<Intent, 'state' | 'note'>): string | undefined =>
  state === 'unknown' && note?.startsWith(OVERTAKEN) ? note.slice(OVERTAKEN.length) : undefined;

const MADE_OTHERWISE = 'made otherwise: ';

/** True where our request made a transaction with other money or another payee. No debit follows it: a person looks at it first. */
export const isMadeOtherwise = ({ state, note }: Pick<Intent, 'state' | 'note'>): boolean =>
  state === 'applied' && note?.startsWith(MADE_OTHERWISE) === true;

function noteOf<T>(outcome: Outcome<T>): string {
  switch (outcome.kind) {
    case 'applied':
      return outcome.how;
    case 'conflict':
      return conflictNote(outcome);
    case 'unknown':
      if (outcome.overtakenBy !== undefined) return overtakenNote(outcome.overtakenBy);
  }
  return outcome.why ?? outcome.error?.message ?? 'not found by looking';
}

function conflictNote({ differences, why, ...of }: Conflict): string {
  const differing = `differs in ${differences.join(', ')}`;
  if (of.madeFor !== undefined) return `${MADE_OTHERWISE}it ${differing}`;
  if (of.undid !== undefined) return undidNote(of.undid);
  if (of.overtakenBy !== undefined) return `${overtakenNote(of.overtakenBy)}; it may have stood before`;
  if (of.undoneBy !== undefined) return `undone by ${of.undoneBy}, which arrived after it`;
  return why ?? differing;
}

const NOTE = 'the service refused it again, and looks over an hour did not find it';

export interface EmptyLook {
  /** When a look first found nothing while the refusal stood, by the service's time; undefined where none did. */
  emptySince: number | undefined;
  /** The service's time. */
  date: number | undefined;
  /** It was only looked for: that neither begins the hour nor ends it. */
  isLook: boolean;
}

/** Decides what may be claimed after this try, and how its intent is closed. */
export function weighed<T extends { id?: string | null | undefined }>(
  outcome: Outcome<T>,
  { emptySince, date, isLook }: EmptyLook,
): { outcome: Outcome<T>; closing: IntentClosing } {
  const closing = closingOf(outcome);
  if (outcome.kind !== 'unknown') return { outcome, closing };
  if (isLook || date === undefined) return { outcome, closing: { ...closing, emptySince } };
  // A copy of what was sent just now may be on its way: the hour begins anew with the next refusal.
  if (outcome.refusedAgain !== true) return { outcome, closing };
  const since = emptySince !== undefined && emptySince <= date ? emptySince : date;
  if (date - since >= HOUR_MS)
    return {
      outcome: { kind: 'not_applied', error: outcome.error },
      closing: { state: 'not_applied', note: NOTE, emptySince: since },
    };
  return { outcome: { ...outcome, overAt: since + HOUR_MS }, closing: { ...closing, emptySince: since } };
}

/** The first try may still arrive: the next payment has the same external id, which the service takes once. */
export const isRefusedForAnHour = ({ state, emptySince }: Pick<Intent, 'state' | 'emptySince'>): boolean =>
  state === 'not_applied' && emptySince !== undefined;
